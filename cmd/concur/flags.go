package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations"
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
	flagOut           = "out"
	flagPartial       = "partial"
	flagQuiet         = "quiet"
	flagResume        = "resume"
	flagRetryFailed   = "retry-failed"
	flagRunsDir       = "runs-dir"
	flagYes           = "yes"
)

// shared are flags that several commands have, by their names.
func shared(names ...string) flags {
	all := map[string]cli.Flag{
		"runs-dir":      &cli.StringFlag{Name: flagRunsDir, Value: "runs", Usage: "`FOLDER` of run folders", EnvVars: []string{"CONCUR_RUNS_DIR"}},
		"quiet":         &cli.BoolFlag{Name: flagQuiet, Usage: "no progress on standard error", EnvVars: []string{"CONCUR_QUIET"}},
		"seed":          &cli.Int64Flag{Name: "seed", Usage: "`SEED` of the run", DefaultText: "1 with an offline model, else drawn", EnvVars: []string{"CONCUR_SEED"}},
		"config":        &cli.StringFlag{Name: flagConfig, Usage: "configuration `FILE`", DefaultText: "concur.yaml, if it exists", EnvVars: []string{"CONCUR_CONFIG"}},
		"force":         &cli.BoolFlag{Name: "force", Usage: "replace files that are there"},
		"baseline":      &cli.StringFlag{Name: flagBaseline, Value: defaultBaseline, Usage: "`FILE` with the accepted runs", EnvVars: []string{"CONCUR_BASELINE"}},
		"dataset":       &cli.StringFlag{Name: flagDataset, Usage: "`FILE` with the run's dataset, if it was moved", DefaultText: "where the run found it, else its name in this folder"},
		"configuration": &cli.StringFlag{Name: flagConfiguration, Usage: "the configuration `NAME` of an ablation", DefaultText: "the only one"},
		"corpus":        &cli.StringFlag{Name: flagCorpus, DefaultText: "the configuration's", Usage: "let web_search search `TEXTS`: offline, a folder or a file as for run", EnvVars: []string{"CONCUR_CORPUS"}},
	}
	out := make(flags, len(names))
	for i, name := range names {
		out[i] = all[name]
	}
	return out
}

// outputFlags say in which of the formats the result is written, and where.
func outputFlags(formats []string) flags {
	format := formatFlag("`FORMAT` of the result", formats)
	format.EnvVars = []string{"CONCUR_FORMAT"}
	return flags{format, &cli.StringFlag{Name: flagOut, Usage: "write the result to `FILE` instead of standard output", EnvVars: []string{"CONCUR_OUT"}}}
}

// formatFlag takes one of the formats; the first is the default.
func formatFlag(usage string, formats []string) *cli.StringFlag {
	known := strings.Join(formats, ", ")
	return &cli.StringFlag{Name: flagFormat, Value: formats[0], Usage: usage + ": " + known, Action: func(_ *cli.Context, format string) error {
		if !slices.Contains(formats, format) {
			return usagef("--format %q is not known here: %s", format, known)
		}
		return nil
	}}
}

// partFlag chooses a configuration of an ablation for what a command does.
func partFlag(does string) cli.Flag {
	return &cli.StringFlag{Name: flagConfiguration, Usage: does + " the configuration `NAME` of an ablation only", DefaultText: "all"}
}

// runFlags are those of commands that make runs, or finish them.
func runFlags() flags {
	return append(flags{
		&cli.StringFlag{Name: flagResume, Usage: "finish what is missing of `RUN`, a run folder, its name, or latest", DefaultText: "a new run"},
		&cli.BoolFlag{Name: flagRetryFailed, Usage: "with --resume: run traces again that failed through the infrastructure"},
		&cli.BoolFlag{Name: flagYes, Usage: "run without asking, whatever it may cost", EnvVars: []string{"CONCUR_YES"}},
		&cli.BoolFlag{Name: "allow-seen", Usage: "evaluate a playbook on queries that it was learned from; the row says so, and the gate refuses it"},
		&cli.BoolFlag{Name: "dry-run", Usage: "show the plan and run nothing"},
	}, shared("quiet", "runs-dir", "config")...)
}

// filterFlags take a part of a dataset.
func filterFlags() flags {
	return flags{
		&cli.IntFlag{Name: "limit", Usage: "take the first `N` queries only", DefaultText: "all"},
		&cli.StringSliceFlag{Name: "query", Usage: "take the queries with these `IDS` only"},
		&cli.StringSliceFlag{Name: "category", Usage: "take the queries of these `CATEGORIES` only"},
		&cli.StringSliceFlag{Name: "tag", Usage: "take the queries with one of these `TAGS` only"},
		&cli.StringFlag{Name: "failed-in", Usage: "take only the queries that were not right in `RUN`"},
		&cli.IntFlag{Name: "sample", Usage: "take `N` queries only, drawn at random; the same ones for the same --seed", DefaultText: "all"},
	}
}

// sectionFlags choose the tables that are shown on request.
func sectionFlags() flags {
	return flags{
		&cli.BoolFlag{Name: "k-curve", Usage: "show what every k up to K would have given: is K=1 enough?"},
		&cli.BoolFlag{Name: "steps", Usage: "show the steps and calls of correct traces against the fewest that one needed"},
		&cli.BoolFlag{Name: "confidence", Usage: "show how far agreement among traces can be trusted"},
		&cli.BoolFlag{Name: "by-category", Usage: "show correct queries by category"},
		&cli.BoolFlag{Name: "all", Usage: "show every query, those that are not right first"},
		&cli.BoolFlag{Name: "wide", Usage: "show every column, however wide the table gets"},
		&cli.BoolFlag{Name: "explain", Usage: "say how to read the tables, and what the figures rest on"},
		&cli.StringFlag{Name: "rows", Value: rowsConfigurations, Usage: "a row for each of `ROWS`: configurations, or queries with expected, answer, votes and verdict", Action: func(_ *cli.Context, rows string) error {
			if rows != rowsConfigurations && rows != rowsQueries {
				return usagef("--rows %q: known are configurations and queries", rows)
			}
			return nil
		}},
	}
}

// comparisonFlags choose how configurations are compared.
func comparisonFlags() flags {
	return flags{
		&cli.BoolFlag{Name: "flips", Usage: "show which queries went which way"},
		&cli.Float64Flag{Name: "margin", Value: ablations.DefaultMargin, Usage: "difference of `RATES` below which two count as equivalent", EnvVars: []string{"CONCUR_MARGIN"},
			Action: func(_ *cli.Context, margin float64) error { // before anything is run for it
				if err := ablations.CheckMargin(margin); err != nil {
					return fmt.Errorf("--margin: %w", err)
				}
				return nil
			}},
	}
}

func memoryFlags() flags {
	return flags{
		&cli.StringFlag{Name: "file", Usage: "the `FILE` of the items", Value: "memory.jsonl", EnvVars: []string{"CONCUR_MEMORY"}},
		&cli.StringFlag{Name: "owner", Usage: "`NAME` of whose items they are", DefaultText: "nobody's"},
	}
}

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
		if s.FailedIn, err = store.Find(ctx.String(flagRunsDir), name); err != nil {
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

// gitOutput is the output of a git command.
func gitOutput(ctx context.Context, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	raw, err := exec.CommandContext(ctx, "git", args...).Output()
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
