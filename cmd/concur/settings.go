package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/internal/assemble"
	"github.com/seed-5817661a/concur/runner/config"
)

// setting is a flag that changes keys of the configuration. A new one is a line in settings.
type setting struct {
	name, usage string
	shown       string // the default that --help shows; the flag's own means "not given"
	// at is where the value goes; nil for a flag that fromFlags reads by itself.
	at   func(*config.Configuration) any
	then func(*config.Configuration) // what else a given value changes; may be nil
}

func settings() []setting {
	d := config.New()
	type conf = config.Configuration
	return []setting{
		{"model", "`PROVIDER:MODEL`", d.Model, func(c *conf) any { return &c.Model }, nil},
		{"k", "`TRACES` per query", fmt.Sprint(d.K), func(c *conf) any { return &c.K }, nil},
		{"temperature", "sampling `TEMPERATURE`, 0 to 2", fmt.Sprint(d.Agent.Temperature), func(c *conf) any { return &c.Agent.Temperature }, nil},
		{"strategy", "`STRATEGY` react, plan: planned rounds, or cot or direct: one model call without tools", d.Agent.Strategy, func(c *conf) any { return &c.Agent.Strategy }, nil},
		{"protocol", "how tools are called: `PROTOCOL` native, or text in the model's own words", d.Agent.Protocol, func(c *conf) any { return &c.Agent.Protocol }, nil},
		{"tools", "`TOOLS` that the agent has", strings.Join(d.Agent.Tools, ","), func(c *conf) any { return &c.Agent.Tools }, nil},
		{"without", "remove `PARTS`: tools, guards (guard." + strings.Join(config.Guards(), ", guard.") + "), stages (stage.verifier, …), judges (judge.quality, …), confidence_check", "", nil, nil},
		{"judge", "`PROVIDER:MODEL` that judges correctness and quality; same is the agent's", "none; the rule-based ones for an offline model",
			func(c *conf) any { return &c.Judge.Correctness }, func(c *conf) { c.Judge.Quality = c.Judge.Correctness }},
		{"calibration", "`FILE` of concur judge calibrate, for the correctness judge", "none", func(c *conf) any { return &c.Judge.Calibration }, nil},
		{"pass", "what `DECIDES` that a query passes: gold, correctness, quality, both, or gold+tools", d.Pass, func(c *conf) any { return &c.Pass }, nil},
		{"max-steps", "model `TURNS` per trace", fmt.Sprintf("what the query says, else %d", d.Agent.MaxSteps),
			func(c *conf) any { return &c.Agent.MaxSteps }, func(c *conf) { c.Agent.FixedSteps = true }},
		{"max-tool-calls", "tool `CALLS` per trace", fmt.Sprint(d.Agent.MaxToolCalls), func(c *conf) any { return &c.Agent.MaxToolCalls }, nil},
		{"tool-timeout", "`DEADLINE` of a tool call that leaves the process", d.Agent.ToolTimeout.String(), func(c *conf) any { return &c.Agent.ToolTimeout }, nil},
		{"playbook", "`FILE` of advice from earlier runs, see concur playbook", "none", func(c *conf) any { return &c.Agent.Playbook.File }, nil},
		{"concurrency", "`TRACES` in flight", fmt.Sprintf("%d; requests at loopback begin with %d", config.DefaultTraces, assemble.LoopbackStart), func(c *conf) any { return &c.Limits.Concurrency }, nil},
		{"rpm", "`REQUESTS` a minute to one endpoint", "no bound", func(c *conf) any { return &c.Limits.RPM }, nil},
		{"tpm", "`TOKENS` a minute to one endpoint", "no bound", func(c *conf) any { return &c.Limits.TPM }, nil},
		{"budget-usd", "end the run, to be resumed, once it has cost so many `DOLLARS`", "no bound", func(c *conf) any { return &c.Limits.USD }, nil},
		{"budget-tokens", "end the run, to be resumed, once it has taken so many `TOKENS`", "no bound", func(c *conf) any { return &c.Limits.Tokens }, nil},
		{"tries", "`TIMES` that one request is sent at most", fmt.Sprint(d.Limits.Tries), func(c *conf) any { return &c.Limits.Tries }, nil},
		{"give-up", "`TIME` after which an endpoint that never worked ends the run", d.Limits.GiveUp.String(), func(c *conf) any { return &c.Limits.GiveUp }, nil},
		{flagCorpus, "`FOLDER` of .md, .txt, .html, .jsonl and .csv files that web_search searches, or one such file, or offline for the built-in corpus, or guards24 for that dataset's", d.Search.Corpus,
			func(c *conf) any { return &c.Search.Corpus }, func(c *conf) { c.Search.Cascade = []string{config.BackendCorpus} }},
	}
}

// limitFlags are the names of those settings that reach neither agent nor result.
func limitFlags() []string {
	return []string{"concurrency", "rpm", "tpm", "budget-usd", "budget-tokens", "tries", "give-up"}
}

// judgingSettings are those of commands that only judge.
func judgingSettings() []setting {
	type conf = config.Configuration
	return []setting{
		{"threshold", "lowest `SCORE` that passes, 2 to 5", "as configured", func(c *conf) any { return &c.Judge.Threshold }, nil},
		{"repeats", "judge a borderline answer so many `TIMES`", "as configured", func(c *conf) any { return &c.Judge.Repeats }, nil},
		{"stages", "`STAGES` of the consensus, such as exact,verifier,majority", "the run's", func(c *conf) any { return &c.Consensus.Stages }, nil},
		{"quorum", "`QUORUM` majority or none", "the run's", func(c *conf) any { return (*string)(&c.Consensus.Quorum) }, nil},
		{"verifier", "`PROVIDER:MODEL` that verifies; same is the agent's", "the run's", func(c *conf) any { return &c.Verifier.Model }, nil},
	}
}

func configurationFlags() (out flags) {
	for _, s := range settings() {
		out = append(out, s.flag())
	}
	return out
}

// settingFlags are the flags of some settings, and those of limits.
func settingFlags(names ...string) (out flags) {
	for _, s := range slices.Concat(settings(), judgingSettings()) {
		if slices.Contains(names, s.name) || slices.Contains(limitFlags(), s.name) {
			out = append(out, s.flag())
		}
	}
	return out
}

// variable is the environment variable that sets it too.
func (s setting) variable() string {
	return "CONCUR_" + strings.ToUpper(strings.ReplaceAll(s.name, "-", "_"))
}

func (s setting) flag() cli.Flag {
	env := []string{s.variable()}
	var at any
	if s.at != nil {
		at = s.at(new(config.Configuration))
	}
	switch at.(type) {
	case *string:
		return &cli.StringFlag{Name: s.name, Usage: s.usage, DefaultText: s.shown, EnvVars: env}
	case *int:
		return &cli.IntFlag{Name: s.name, Usage: s.usage, DefaultText: s.shown, EnvVars: env}
	case *float64:
		return &cli.Float64Flag{Name: s.name, Usage: s.usage, DefaultText: s.shown, EnvVars: env}
	case *time.Duration:
		return &cli.DurationFlag{Name: s.name, Usage: s.usage, DefaultText: s.shown, EnvVars: env}
	}
	return &cli.StringSliceFlag{Name: s.name, Usage: s.usage, DefaultText: s.shown, EnvVars: env}
}

// override puts the settings that are given over a configuration.
func override(ctx *cli.Context, c *config.Configuration) {
	for _, s := range slices.Concat(settings(), judgingSettings()) {
		if s.at == nil || !ctx.IsSet(s.name) {
			continue
		}
		switch at := s.at(c).(type) {
		case *string:
			*at = ctx.String(s.name)
		case *int:
			*at = ctx.Int(s.name)
		case *float64:
			*at = ctx.Float64(s.name)
		case *time.Duration:
			*at = ctx.Duration(s.name)
		case *[]string:
			*at = list(ctx, s.name)
		}
		if s.then != nil {
			s.then(c)
		}
	}
}

// configuration resolves flags and environment over the configuration file over the
// defaults, and validates the result.
//
// source is the dataset that it is for; "" for a command without one.
func (c *console) configuration(ctx *cli.Context, source string) (config.Configuration, error) {
	f, inFile := fromFile(ctx, config.New())
	conf, inFlags := fromFlags(ctx, f.Configuration)
	conf, inPaths := assemble.WithCorpus(conf, source)
	conf = conf.Completed()
	inValues, inTools := f.Locate(conf, conf.Validate()), f.Locate(conf, c.assembler.CheckTools(conf))
	if err := errors.Join(inFile, inFlags, inPaths, inValues, inTools); err != nil { // all at once
		return conf, usagef("%w", err)
	}
	return conf, nil
}

// configurationFile is the file that was named, or concur.yaml if it exists, or "".
func configurationFile(ctx *cli.Context) string {
	path := ctx.String(flagConfig)
	if _, err := os.Stat("concur.yaml"); path == "" && err == nil {
		path = "concur.yaml"
	}
	return path
}

// fromFile is the configuration of the file that was named, or of concur.yaml, over c. Of a file
// with mistakes the rest is read.
func fromFile(ctx *cli.Context, c config.Configuration) (config.File, error) {
	path := configurationFile(ctx)
	if path == "" {
		return config.File{Configuration: c}, nil
	}
	f, err := config.Load(path, c)
	if f.Dataset != "" && !slices.Contains(datasets.Builtin(), f.Dataset) && !filepath.IsAbs(f.Dataset) {
		f.Dataset = filepath.Join(filepath.Dir(path), f.Dataset)
	}
	return f, err
}

// datasetOr is the dataset that is named, else that of the configuration file, else the built-in one.
func datasetOr(ctx *cli.Context, named string) string {
	if named != "" {
		return named
	}
	f, _ := fromFile(ctx, config.New()) // the configuration reports its mistakes
	return cmp.Or(f.Dataset, defaultDataset)
}

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
