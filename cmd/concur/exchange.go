package main

import (
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/reports/export"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/imports"
	"github.com/seed-5817661a/concur/runner/store"
)

func (c *console) importAction(ctx *cli.Context, o *output) error {
	if ctx.NArg() != 1 {
		return usagef("import takes one file, and was given %d", ctx.NArg())
	}
	pass := ctx.String("pass")
	if pass != config.PassGold && pass != config.PassGoldTools {
		return usagef("--pass is %q: an import asks no judge; use %s or %s", pass, config.PassGold, config.PassGoldTools)
	}
	log, err := imports.Open(ctx.Args().First(), ctx.String(flagFrom), ctx.String("score"))
	if err == nil && ctx.IsSet(flagDataset) {
		var data *datasets.Dataset
		if data, err = datasets.Open(ctx.String(flagDataset)); err == nil {
			err = log.Judge(data)
		}
	}
	if err != nil {
		return err
	}
	log.Pass = pass
	for _, note := range append(log.Counts(), log.Notes...) {
		fmt.Fprintln(c.err, "import:", note)
	}
	dir, err := log.Save(ctx.Context, ctx.String(flagRunsDir), c.assembler.Versions(), time.Now())
	if err != nil {
		return err
	}
	fmt.Fprintln(c.err, "import:", log.Tool, "into", dir)
	return c.reportOn(dir, o, fresh, reporting(ctx))
}

func (c *console) export(ctx *cli.Context, o *output) error {
	run, err := findRun(ctx, 1)
	if err != nil {
		return err
	}
	if err := mayReplace(ctx, o.file); err != nil {
		return err
	}
	name := ctx.String(flagConfiguration)
	if name != "" {
		if _, err := agentsOf(ctx, run.Manifest); err != nil {
			return err
		}
	}
	return o.write(func() error {
		switch o.format {
		case exportVotes:
			return export.Votes(o, run, name)
		case exportInspect:
			return export.Inspect(o, run, name, c.targets(run.Manifest))
		}
		counts, err := export.Chats(o, run, name)
		if err == nil {
			fmt.Fprintln(c.err, counts)
		}
		return err
	})
}

// targets are the right answers of a run's queries by id, as far as its dataset can be read.
func (c *console) targets(m store.Manifest) map[string][]string {
	data, _, err := runner.Reopen(m, "")
	if err != nil {
		fmt.Fprintln(c.err, "export: note: targets are as the run's records show the gold:", err)
		return nil
	}
	out := map[string][]string{}
	for _, q := range data.Queries {
		if q.Gold.Answer != "" {
			out[q.ID] = append([]string{q.Gold.Answer}, q.Gold.Aliases...)
		}
	}
	return out
}
