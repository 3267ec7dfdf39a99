package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/internal/assemble"
	"github.com/seed-5817661a/concur/runner/config"
)

// Flag names that several commands share.
const (
	flagFormat  = "format"
	flagOut     = "out"
	flagRunsDir = "runs-dir"
	flagConfig  = "config"
	flagCorpus  = "corpus"
	flagQuiet   = "quiet"
	flagGiveUp  = "give-up"

	flagFailedIn = "failed-in"
	flagSample   = "sample"
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

func seedFlag() cli.Flag {
	return &cli.Int64Flag{Name: "seed", Usage: "`SEED` of the run", DefaultText: "1 with an offline model, else drawn", EnvVars: []string{"CONCUR_SEED"}}
}

func configFlag() cli.Flag {
	return &cli.StringFlag{Name: flagConfig, Usage: "configuration `FILE`", DefaultText: "concur.yaml, where there is one", EnvVars: []string{"CONCUR_CONFIG"}}
}

// configurationFlags change single keys of the configuration. Their zero values mean
// "not given", so that the default that --help shows is the configuration's own.
func configurationFlags() []cli.Flag {
	d := config.New()
	return []cli.Flag{
		&cli.StringFlag{Name: "model", Usage: "`PROVIDER:MODEL`", DefaultText: d.Model, EnvVars: []string{"CONCUR_MODEL"}},
		&cli.IntFlag{Name: "k", Usage: "`TRACES` per query", DefaultText: fmt.Sprint(d.K), EnvVars: []string{"CONCUR_K"}},
		&cli.Float64Flag{Name: "temperature", Usage: "sampling `TEMPERATURE`, 0 to 2", DefaultText: fmt.Sprint(d.Agent.Temperature), EnvVars: []string{"CONCUR_TEMPERATURE"}},
		&cli.StringFlag{Name: "strategy", Usage: "`STRATEGY` react, or cot or direct: one model call without tools", DefaultText: d.Agent.Strategy, EnvVars: []string{"CONCUR_STRATEGY"}},
		&cli.StringFlag{Name: "protocol", Usage: "how tools are called: `PROTOCOL` native, or text in the model's own words", DefaultText: d.Agent.Protocol, EnvVars: []string{"CONCUR_PROTOCOL"}},
		&cli.StringSliceFlag{Name: "tools", Usage: "`TOOLS` that the agent has", DefaultText: strings.Join(d.Agent.Tools, ","), EnvVars: []string{"CONCUR_TOOLS"}},
		&cli.StringSliceFlag{Name: "without", Usage: "take away `PARTS`: tools, guards (guard." + strings.Join(config.Guards(), ", guard.") + "), stages (stage.verifier, …), judges (judge.quality, …), confidence_check", EnvVars: []string{"CONCUR_WITHOUT"}},
		&cli.StringFlag{Name: "judge", Usage: "`PROVIDER:MODEL` that judges correctness and quality; same is the agent's", DefaultText: "none; the rule-based ones for an offline model", EnvVars: []string{"CONCUR_JUDGE"}},
		&cli.StringFlag{Name: "pass", Usage: "what `DECIDES` that a query passes: gold, correctness, quality or both", DefaultText: d.Pass, EnvVars: []string{"CONCUR_PASS"}},
		&cli.IntFlag{Name: "max-steps", Usage: "model `TURNS` per trace", DefaultText: fmt.Sprintf("what the query says, else %d", d.Agent.MaxSteps), EnvVars: []string{"CONCUR_MAX_STEPS"}},
		&cli.IntFlag{Name: "max-tool-calls", Usage: "tool `CALLS` per trace", DefaultText: fmt.Sprint(d.Agent.MaxToolCalls), EnvVars: []string{"CONCUR_MAX_TOOL_CALLS"}},
		&cli.DurationFlag{Name: "tool-timeout", Usage: "`DEADLINE` of a tool call that leaves the process", DefaultText: d.Agent.ToolTimeout.String(), EnvVars: []string{"CONCUR_TOOL_TIMEOUT"}},
		&cli.IntFlag{Name: "concurrency", Usage: "`TRACES` in flight", DefaultText: fmt.Sprintf("%d; requests at loopback begin with %d", config.DefaultTraces, assemble.LoopbackStart), EnvVars: []string{"CONCUR_CONCURRENCY"}},
		&cli.IntFlag{Name: "rpm", Usage: "`REQUESTS` a minute to one endpoint", DefaultText: "no bound", EnvVars: []string{"CONCUR_RPM"}},
		&cli.IntFlag{Name: "tpm", Usage: "`TOKENS` a minute to one endpoint", DefaultText: "no bound", EnvVars: []string{"CONCUR_TPM"}},
		&cli.Float64Flag{Name: "budget-usd", Usage: "end the run, to be resumed, once it has cost so many `DOLLARS`", DefaultText: "no bound", EnvVars: []string{"CONCUR_BUDGET_USD"}},
		&cli.IntFlag{Name: "budget-tokens", Usage: "end the run, to be resumed, once it has taken so many `TOKENS`", DefaultText: "no bound", EnvVars: []string{"CONCUR_BUDGET_TOKENS"}},
		&cli.IntFlag{Name: "tries", Usage: "`TIMES` that one request is sent at most", DefaultText: fmt.Sprint(d.Limits.Tries), EnvVars: []string{"CONCUR_TRIES"}},
		&cli.DurationFlag{Name: flagGiveUp, Usage: "`TIME` after which an endpoint that never worked ends the run", DefaultText: d.Limits.GiveUp.String(), EnvVars: []string{"CONCUR_GIVE_UP"}},
		&cli.StringFlag{Name: flagCorpus, Usage: "`FOLDER` of .md, .txt, .html, .jsonl and .csv files that web_search searches, or one such file, or offline for the built-in corpus, or guards24 for that dataset's", DefaultText: d.Search.Corpus, EnvVars: []string{"CONCUR_CORPUS"}},
	}
}

// configuration resolves flags and environment over the configuration file over the
// defaults, and validates the result.
//
// source is the dataset that it is for, "" where there is none.
func configuration(ctx *cli.Context, source string) (config.Configuration, error) {
	f, wrong := fromFile(ctx, config.New()) // all at once, those of the file first
	c, err := fromFlags(ctx, f.Configuration)
	if err != nil {
		wrong = append(wrong, err)
	}
	if c, err = assemble.WithCorpus(c, source); err != nil {
		wrong = append(wrong, err)
	}
	c = c.Completed()
	if err := c.Validate(); err != nil {
		wrong = append(wrong, fmt.Errorf("configuration: %w", err))
	}
	if len(wrong) > 0 {
		return c, usagef("%w", errors.Join(wrong...))
	}
	return c, nil
}

// fromFile is the configuration of the file that was named, or of concur.yaml, over c. What
// can be read of a file with mistakes is read.
func fromFile(ctx *cli.Context, c config.Configuration) (config.File, []error) {
	f := config.File{Configuration: c}
	path := ctx.String(flagConfig)
	if path == "" {
		if _, err := os.Stat("concur.yaml"); err == nil {
			path = "concur.yaml"
		}
	}
	if path == "" {
		return f, nil
	}
	f, err := config.Load(path, f.Configuration)
	if err != nil {
		return f, []error{err}
	}
	if f.Dataset != "" && !slices.Contains(datasets.Builtin(), f.Dataset) && !filepath.IsAbs(f.Dataset) {
		f.Dataset = filepath.Join(filepath.Dir(path), f.Dataset)
	}
	return f, nil
}

// datasetOr is the dataset that is named, else that of the configuration file, else the
// built-in one.
func datasetOr(ctx *cli.Context, named string) string {
	if named != "" {
		return named
	}
	f, _ := fromFile(ctx, config.New()) // what is wrong in it was told with the configuration
	return cmp.Or(f.Dataset, defaultDataset)
}

// fromFlags puts flags and environment over a configuration.
func fromFlags(ctx *cli.Context, c config.Configuration) (config.Configuration, error) {
	override(ctx, &c)
	without := list(ctx, "without")
	// The judges that an offline model has without being asked for can be taken away too.
	for name, spec := range map[string]*string{"judge.correctness": &c.Judge.Correctness, "judge.quality": &c.Judge.Quality} {
		if *spec == "" && config.IsOffline(c.Model) && slices.Contains(without, name) {
			*spec = config.SameModel
		}
	}
	return c.Without(without...)
}

func override(ctx *cli.Context, c *config.Configuration) {
	if ctx.IsSet("model") {
		c.Model = ctx.String("model")
	}
	if ctx.IsSet("temperature") {
		c.Agent.Temperature = ctx.Float64("temperature")
	}
	if ctx.IsSet("strategy") {
		c.Agent.Strategy = ctx.String("strategy")
	}
	if ctx.IsSet("judge") {
		c.Judge.Correctness, c.Judge.Quality = ctx.String("judge"), ctx.String("judge")
	}
	if ctx.IsSet("pass") {
		c.Pass = ctx.String("pass")
	}
	if ctx.IsSet("protocol") {
		c.Agent.Protocol = ctx.String("protocol")
	}
	if ctx.IsSet("tools") {
		c.Agent.Tools = list(ctx, "tools")
	}
	if ctx.IsSet("tool-timeout") {
		c.Agent.ToolTimeout = ctx.Duration("tool-timeout")
	}
	if ctx.IsSet("max-steps") {
		c.Agent.FixedSteps = true
	}
	if ctx.IsSet(flagCorpus) {
		c.Search.Corpus = ctx.String(flagCorpus)
		c.Search.Cascade = []string{"corpus"}
	}
	if ctx.IsSet(flagGiveUp) {
		c.Limits.GiveUp = ctx.Duration(flagGiveUp)
	}
	if ctx.IsSet("budget-usd") {
		c.Limits.USD = ctx.Float64("budget-usd")
	}
	for name, field := range map[string]*int{
		"rpm": &c.Limits.RPM, "tpm": &c.Limits.TPM, "budget-tokens": &c.Limits.Tokens, "tries": &c.Limits.Tries,
		"k": &c.K, "max-steps": &c.Agent.MaxSteps, "max-tool-calls": &c.Agent.MaxToolCalls, "concurrency": &c.Limits.Concurrency,
	} {
		if ctx.IsSet(name) {
			*field = ctx.Int(name)
		}
	}
}

// limitFlags are those of them that reach neither agent nor result.
func limitFlags() []string {
	return []string{"concurrency", "rpm", "tpm", "budget-usd", "budget-tokens", "tries", flagGiveUp}
}

// filterFlags take a part of a dataset.
func filterFlags() []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "limit", Usage: "take the first `N` queries only", DefaultText: "all"},
		&cli.StringSliceFlag{Name: "query", Usage: "take the queries with these `IDS` only"},
		&cli.StringSliceFlag{Name: "category", Usage: "take the queries of these `CATEGORIES` only"},
		&cli.StringSliceFlag{Name: "tag", Usage: "take the queries with one of these `TAGS` only"},
		&cli.StringFlag{Name: flagFailedIn, Usage: "take the queries only that were not right in `RUN`"},
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
