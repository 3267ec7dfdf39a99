package main

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/config"
)

const defaultDataset = "gold29" // without an argument and a configuration that names one

// setting is a flag that changes keys of the configuration. A new one is a line in settings, and its text in
// commands.txt.
type setting struct {
	name string
	at   func(*config.Configuration) any // where the value goes
	then func(*config.Configuration)     // what else a given value changes; may be nil
}

func settings() []setting {
	type conf = config.Configuration
	return []setting{
		{"model", func(c *conf) any { return &c.Model }, nil},
		{"k", func(c *conf) any { return &c.K }, nil},
		{"temperature", func(c *conf) any { return &c.Agent.Temperature }, nil},
		{"strategy", func(c *conf) any { return &c.Agent.Strategy }, nil},
		{"protocol", func(c *conf) any { return &c.Agent.Protocol }, nil},
		{"tools", func(c *conf) any { return &c.Agent.Tools }, nil},
		{"judge", func(c *conf) any { return &c.Judge.Correctness }, func(c *conf) { c.Judge.Quality = c.Judge.Correctness }},
		{"calibration", func(c *conf) any { return &c.Judge.Calibration }, nil},
		{"pass", func(c *conf) any { return &c.Pass }, nil},
		{"max-steps", func(c *conf) any { return &c.Agent.MaxSteps }, func(c *conf) { c.Agent.FixedSteps = true }},
		{"max-tool-calls", func(c *conf) any { return &c.Agent.MaxToolCalls }, nil},
		{"tool-timeout", func(c *conf) any { return &c.Agent.ToolTimeout }, nil},
		{"playbook", func(c *conf) any { return &c.Agent.Playbook.File }, nil},
		{"concurrency", func(c *conf) any { return &c.Limits.Concurrency }, nil},
		{"rpm", func(c *conf) any { return &c.Limits.RPM }, nil},
		{"tpm", func(c *conf) any { return &c.Limits.TPM }, nil},
		{"budget-usd", func(c *conf) any { return &c.Limits.USD }, nil},
		{"budget-tokens", func(c *conf) any { return &c.Limits.Tokens }, nil},
		{"tries", func(c *conf) any { return &c.Limits.Tries }, nil},
		{"give-up", func(c *conf) any { return &c.Limits.GiveUp }, nil},
		{flagCorpus, func(c *conf) any { return &c.Search.Corpus }, func(c *conf) { c.Search.Cascade = []string{config.BackendCorpus} }},

		{"threshold", func(c *conf) any { return &c.Judge.Threshold }, nil},
		{"repeats", func(c *conf) any { return &c.Judge.Repeats }, nil},
		{"stages", func(c *conf) any { return &c.Consensus.Stages }, nil},
		{"quorum", func(c *conf) any { return (*string)(&c.Consensus.Quorum) }, nil},
		{"extract", func(c *conf) any { return (*string)(&c.Extract) }, nil},
		{"extractor", func(c *conf) any { return &c.Extractor.Model }, nil},
		{"verifier", func(c *conf) any { return &c.Verifier.Model }, nil},
	}
}

// limitFlags are the names of those settings that reach neither agent nor result.
func limitFlags() (names []string) {
	for _, l := range readManual().flags("@limits") {
		names = append(names, l.name)
	}
	return names
}

// override puts the settings that are given over a configuration.
func override(ctx *cli.Context, c *config.Configuration) {
	for _, s := range settings() {
		if !ctx.IsSet(s.name) {
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
	if err := errors.Join(inFile, inFlags, inPaths, inValues, inTools, f.Locate(conf, c.assembler.CheckKeys(conf))); err != nil { // all at once
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
