package main

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

// Flag names that several commands share.
const (
	flagFormat  = "format"
	flagOut     = "out"
	flagRunsDir = "runs-dir"
	flagConfig  = "config"
	flagCorpus  = "corpus"
	flagQuiet   = "quiet"

	flagFailedIn = "failed-in"
	flagSample   = "sample"
	flagFrom     = "from"

	flagConfiguration = "configuration"
)

func runsDirFlag() cli.Flag {
	return &cli.StringFlag{Name: flagRunsDir, Value: "runs", Usage: "`FOLDER` of run folders", EnvVars: []string{"CONCUR_RUNS_DIR"}}
}

// outputFlags say in which of the formats the result is written, and where.
func outputFlags(formats []string) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: flagFormat, Value: "table", Usage: "`FORMAT` of the result: " + strings.Join(formats, ", "), EnvVars: []string{"CONCUR_FORMAT"}},
		&cli.StringFlag{Name: flagOut, Usage: "write the result to `FILE` instead of standard output", EnvVars: []string{"CONCUR_OUT"}},
	}
}

func quietFlag() cli.Flag {
	return &cli.BoolFlag{Name: flagQuiet, Usage: "no progress on standard error", EnvVars: []string{"CONCUR_QUIET"}}
}

func seedFlag() cli.Flag {
	return &cli.Int64Flag{Name: "seed", Usage: "`SEED` of the run", DefaultText: "1 with an offline model, else drawn", EnvVars: []string{"CONCUR_SEED"}}
}

func configFlag() cli.Flag {
	return &cli.StringFlag{Name: flagConfig, Usage: "configuration `FILE`", DefaultText: "concur.yaml, if it exists", EnvVars: []string{"CONCUR_CONFIG"}}
}

// runFlags are those of commands that make runs, or finish them.
func runFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: flagResume, Usage: "finish what is missing of `RUN`, a run folder, its name, or latest", DefaultText: "a new run"},
		&cli.BoolFlag{Name: flagRetryFailed, Usage: "with --resume: run traces again that failed through the infrastructure"},
		&cli.BoolFlag{Name: flagYes, Usage: "run without asking, whatever it may cost", EnvVars: []string{"CONCUR_YES"}},
		&cli.BoolFlag{Name: flagAllowSeen, Usage: "evaluate a playbook on queries that it was learned from; the row says so, and the gate refuses it"},
		&cli.BoolFlag{Name: flagDryRun, Usage: "show the plan and run nothing"},
		quietFlag(), runsDirFlag(), configFlag(),
	}
}

// filterFlags take a part of a dataset.
func filterFlags() []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "limit", Usage: "take the first `N` queries only", DefaultText: "all"},
		&cli.StringSliceFlag{Name: "query", Usage: "take the queries with these `IDS` only"},
		&cli.StringSliceFlag{Name: "category", Usage: "take the queries of these `CATEGORIES` only"},
		&cli.StringSliceFlag{Name: "tag", Usage: "take the queries with one of these `TAGS` only"},
		&cli.StringFlag{Name: flagFailedIn, Usage: "take only the queries that were not right in `RUN`"},
		&cli.IntFlag{Name: flagSample, Usage: "take `N` queries only, drawn at random; the same ones for the same --seed", DefaultText: "all"},
	}
}

// list is the value of a flag that may be given several times or as a list with commas.
func list(ctx *cli.Context, name string) []string {
	out := []string{}
	for _, v := range ctx.StringSlice(name) {
		for _, item := range strings.Split(v, ",") {
			if item = strings.TrimSpace(item); item != "" {
				out = append(out, item)
			}
		}
	}
	return out
}

// flagAllowSeen lets a playbook be evaluated on queries that it was learned from.
const flagAllowSeen = "allow-seen"

// newDraft is a new run of configurations over the queries that flags select from a dataset.
func newDraft(ctx *cli.Context, source string, confs []config.Configuration) (runner.Draft, error) {
	selection, err := selected(ctx)
	if err != nil {
		return runner.Draft{}, err
	}
	if selection == nil {
		selection = &runner.Selection{}
	}
	data, of, err := selection.Open(source)
	if err != nil {
		return runner.Draft{}, err
	}
	d, err := runner.NewDraft(data, of, confs, givenSeed(ctx), time.Now())
	d.Manifest.GitCommit, d.AllowSeen = gitCommit(ctx.Context), ctx.Bool(flagAllowSeen)
	return d, err
}

// selected is the selection of queries by flags; nil without such a flag.
func selected(ctx *cli.Context) (*runner.Selection, error) {
	s := runner.Selection{
		Filter: store.Filter{Queries: list(ctx, "query"), Categories: list(ctx, "category"), Tags: list(ctx, "tag"), Limit: ctx.Int("limit")},
		Sample: ctx.Int(flagSample), Seed: ctx.Int64("seed"),
	}
	for _, name := range []string{"limit", flagSample} {
		if n := ctx.Int(name); ctx.IsSet(name) && n < 1 {
			return nil, usagef("--%s is %d: it must be at least 1", name, n)
		}
	}
	if name := ctx.String(flagFailedIn); name != "" {
		var err error
		if s.FailedIn, err = store.Find(ctx.String(flagRunsDir), name); err != nil {
			return nil, usagef("--%s: %w", flagFailedIn, err)
		}
	}
	for _, name := range []string{"query", "category", "tag", "limit", flagFailedIn, flagSample} {
		if ctx.IsSet(name) {
			return &s, nil
		}
	}
	return nil, nil
}

func givenSeed(ctx *cli.Context) *int64 {
	if !ctx.IsSet("seed") {
		return nil
	}
	seed := ctx.Int64("seed")
	return &seed
}

// gitCommit is the commit of the working directory; nil outside a git repository.
func gitCommit(ctx context.Context) *string {
	sha, err := gitOutput(ctx, "rev-parse", "HEAD")
	if err != nil {
		return nil
	}
	return &sha
}

// gitOutput is the output of a git command.
func gitOutput(ctx context.Context, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	raw, err := exec.CommandContext(ctx, "git", args...).Output()
	return strings.TrimSpace(string(raw)), err
}

func forceFlag() cli.Flag { return &cli.BoolFlag{Name: "force", Usage: "replace files that are there"} }

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
