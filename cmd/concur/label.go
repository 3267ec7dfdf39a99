package main

import (
	"cmp"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations"
	"github.com/seed-5817661a/concur/ablations/labels"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/reports/labelling"
	"github.com/seed-5817661a/concur/runner/store"
)

func (c *console) labelAction(ctx *cli.Context) error {
	run, err := findRun(ctx)
	if err != nil {
		return err
	}
	if run.Manifest.State != store.Complete {
		return usagef("run %s is not complete (state: %s): finish it first with `%s`", run.Manifest.Run, run.Manifest.State, store.ResumeCommand(run.Dir, run.Manifest))
	}
	records, _, err := chosen(ctx, run)
	if err != nil {
		return err
	}
	s := &labelling.Session{
		Run: run, In: c.in, Out: c.out, Err: c.err, Screen: screenOf(c.err, c.environ, usualWidth),
		Author: cmp.Or(ctx.String("author"), c.author(ctx.Context)),
	}
	switch ctx.NArg() {
	case 1:
		order, wrong := labels.Order(records, run.Manifest.Seed, ctx.Bool("uniform"))
		if wrong != nil {
			return usagef("label run %s: %w", run.Manifest.Run, wrong)
		}
		err = s.Ask(ctx.Context, order, ctx.Int("limit"))
	case 3:
		err = s.One(ctx.Context, records, ctx.Args().Get(1), judge.Ruling(ctx.Args().Get(2)), ctx.String("reason"))
	default:
		return usagef("label takes RUN, or RUN QUERY correct|incorrect")
	}
	if err != nil || s.Given == 0 {
		return err
	}
	r, err := ablations.Summarize(run, "", ablations.Options{Margin: ablations.DefaultMargin})
	if err != nil {
		return err
	}
	return c.derive(run, r)
}
