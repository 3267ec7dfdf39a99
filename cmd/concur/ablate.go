package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations"
	"github.com/seed-5817661a/concur/internal/assemble"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/config"
)

// defaultSpec is what ablate takes without an argument.
const defaultSpec = "offline"

func (c *console) ablateAction(ctx *cli.Context, o *output) error {
	if ctx.NArg() > 1 {
		return usagef("ablate takes one spec, and was given %s", strings.Join(ctx.Args().Slice(), " "))
	}
	if ctx.IsSet(flagResume) {
		return c.resumeAction(ctx, o, ablationSettings)
	}
	if ctx.IsSet(flagRetryFailed) {
		return usagef("--retry-failed goes with --resume RUN: it names the run whose failures are to be run again")
	}
	draft, err := ablationDraft(ctx)
	if err != nil {
		return err
	}
	return c.begin(ctx, draft, o)
}

// ablationDraft reads the spec and resolves it: its base overrides concur.yaml, flags override
// both, and what a configuration sets overrides all.
func ablationDraft(ctx *cli.Context) (draft runner.Draft, err error) {
	name := defaultSpec
	if ctx.NArg() == 1 {
		name = ctx.Args().First()
	}
	spec, err := ablations.Read(name)
	if err != nil {
		return draft, err
	}
	source := datasetOr(ctx, cmp.Or(ctx.String(flagDataset), spec.Dataset))
	base, wrong := beneathFlags(ctx, spec)
	if base, err = fromFlags(ctx, base); err != nil {
		wrong = append(wrong, err)
	}
	if len(wrong) > 0 {
		return draft, errors.Join(wrong...)
	}
	rows, err := spec.Rows(base, finished(base, source))
	if err != nil {
		return draft, fmt.Errorf("%w%s", err, blameFlags(ctx, spec, source))
	}
	confs := make([]config.Configuration, len(rows))
	for i, row := range rows {
		confs[i] = row.Configuration
	}
	if draft, err = newDraft(ctx, source, confs); err != nil {
		return draft, err
	}
	draft.Manifest.Ablation, draft.Manifest.Baseline = spec.Name, spec.Baseline()
	for i, row := range rows {
		draft.Manifest.Configurations[i].Note = row.Note
	}
	return draft, nil
}

// beneathFlags is what flags go over: the spec's defaults, concur.yaml, the spec's base.
func beneathFlags(ctx *cli.Context, spec *ablations.Spec) (config.Configuration, []error) {
	c, err := spec.Defaults(config.New())
	if err != nil {
		return c, []error{err}
	}
	f, wrong := fromFile(ctx, c)
	if c, err = spec.Base(f.Configuration); err != nil {
		wrong = append(wrong, err)
	}
	return c, wrong
}

// finished gives what a row of the base, asked the queries of source, still gets once its
// keys are set.
func finished(base config.Configuration, source string) func(config.Configuration) (config.Configuration, error) {
	return func(c config.Configuration) (config.Configuration, error) {
		if err := ablations.CheckRunWide(base, c); err != nil {
			return c, err
		}
		c, err := assemble.WithCorpus(c, source)
		return c.Completed(), err
	}
}

// blameFlags names the flags and variables that make a valid spec invalid by overriding its
// base: -k 1 makes the row k=1 equal to the baseline. It is "" if the spec itself is invalid.
func blameFlags(ctx *cli.Context, spec *ablations.Spec, source string) string {
	var given []string
	for _, s := range settings() {
		if ctx.IsSet(s.name) && !slices.Contains(limitFlags(), s.name) {
			given = append(given, fmt.Sprintf("--%s (or %s)", s.name, s.variable()))
		}
	}
	base, wrong := beneathFlags(ctx, spec)
	if len(given) == 0 || len(wrong) > 0 {
		return ""
	}
	if _, err := spec.Rows(base, finished(base, source)); err != nil {
		return ""
	}
	return fmt.Sprintf("\nthe spec itself is valid: the cause is %s, which overrides the base of every row; leave it out, or change the rows", strings.Join(given, ", "))
}
