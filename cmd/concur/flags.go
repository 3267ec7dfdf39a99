package main

import (
	"cmp"
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

// Flag names that several commands share.
const (
	flagBaseline      = "baseline"
	flagConfig        = "config"
	flagConfiguration = "configuration"
	flagCorpus        = "corpus"
	flagDataset       = "dataset"
	flagFormat        = "format"
	flagFrom          = "from"
	flagName          = "name"
	flagOut           = "out"
	flagPartial       = "partial"
	flagQuiet         = "quiet"
	flagResume        = "resume"
	flagRetryFailed   = "retry-failed"
	flagRunsDir       = "runs-dir"
	flagYes           = "yes"
)

// list is the value of a flag that may be given several times or as a list with commas.
func list(ctx *cli.Context, name string) []string {
	out := []string{}
	for item := range strings.SplitSeq(strings.Join(ctx.StringSlice(name), ","), ",") {
		if item = strings.TrimSpace(item); item != "" {
			out = append(out, item)
		}
	}
	return out
}

// newDraft is a new run of configurations over the queries that flags select from a dataset.
func newDraft(ctx *cli.Context, source string, confs []config.Configuration) (runner.Draft, error) {
	selection, err := selected(ctx)
	if err != nil {
		return runner.Draft{}, err
	}
	data, of, err := cmp.Or(selection, &runner.Selection{}).Open(source)
	if err != nil {
		return runner.Draft{}, err
	}
	d, err := runner.NewDraft(data, of, confs, givenSeed(ctx), time.Now())
	d.Manifest.GitCommit, d.AllowSeen = gitCommit(ctx.Context), ctx.Bool("allow-seen")
	return d, err
}

// selected is the selection of queries by flags; nil without such a flag.
func selected(ctx *cli.Context) (s *runner.Selection, err error) {
	if !slices.ContainsFunc([]string{"query", "category", "tag", "limit", "failed-in", "sample"}, ctx.IsSet) {
		return nil, nil
	}
	s = &runner.Selection{
		Filter: store.Filter{Queries: list(ctx, "query"), Categories: list(ctx, "category"), Tags: list(ctx, "tag"), Limit: ctx.Int("limit")},
		Sample: ctx.Int("sample"), Seed: ctx.Int64("seed"),
	}
	for _, name := range []string{"limit", "sample"} {
		if n := ctx.Int(name); ctx.IsSet(name) && n < 1 {
			return nil, usagef("--%s is %d: it must be at least 1", name, n)
		}
	}
	if name := ctx.String("failed-in"); name != "" {
		if s.FailedIn, err = runNamed(ctx, name); err != nil {
			return nil, usagef("--failed-in: %w", err)
		}
	}
	return s, nil
}

func givenSeed(ctx *cli.Context) *int64 {
	if !ctx.IsSet("seed") {
		return nil
	}
	return new(ctx.Int64("seed"))
}

// gitCommit is the commit of the working directory; nil outside a git repository.
func gitCommit(ctx context.Context) *string {
	if sha, err := gitOutput(ctx, "rev-parse", "HEAD"); err == nil {
		return &sha
	}
	return nil
}

// gitOutput runs git, with the variables that it needs and no others: a hook or a configured program could read keys.
func gitOutput(ctx context.Context, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	git := exec.CommandContext(ctx, "git", args...)
	needs := append(config.AgentEnv(), "XDG_CONFIG_HOME", "SUDO_UID", "GIT_DIR", "GIT_WORK_TREE", "GIT_CEILING_DIRECTORIES",
		"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "EMAIL")
	git.Env = slices.DeleteFunc(git.Environ(), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return !slices.Contains(needs, name)
	})
	raw, err := git.Output()
	return strings.TrimSpace(string(raw)), err
}

// mayReplace refuses a file, folder or link that is there, unless --force is given; devices and pipes are written to.
func mayReplace(ctx *cli.Context, file string) error {
	info, err := os.Stat(file)
	if err != nil { // of a link that leads nowhere, the link itself
		info, err = os.Lstat(file)
	}
	if err == nil && info.Mode()&(os.ModeDevice|os.ModeNamedPipe) == 0 && !ctx.Bool("force") {
		return usagef("write %s: there is such a file already; choose another name, or replace it with --force", file)
	}
	return nil
}
