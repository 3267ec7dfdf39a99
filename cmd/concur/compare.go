package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/reports/page"
	"github.com/seed-5817661a/concur/runner/store"
)

const flagAcross = "across"

func (c *console) compareCommand() *cli.Command {
	return &cli.Command{
		Name:      "compare",
		Usage:     "compare one finished run with another",
		ArgsUsage: "RUN RUN",
		Description: `The first RUN is the baseline; each is a run folder, its name, or latest. Configurations
of the same name are compared; two runs of one configuration each are compared whatever
their names.

Queries that both runs have, with the same gold, are paired (McNemar's test, Tango's
interval), the others are left out and named; runs without a common query are compared as two
samples (Fisher's test, Newcombe's interval). What differs between the runs is printed first:
settings, prompts, tools, documents of the corpus, queries, gold, the provider's model name. Where something differs that the
table does not show, such as the version of a prompt, nothing is compared; --across names
the intended differences: ` + strings.Join(ablations.Hidden(), ", ") + `.

Examples:
  concur compare runs/20260102T030405-gold29-1a2b3c4d latest
  concur compare before after --flips
  concur compare my-ablation latest --configuration "no planner"
  concur compare before after --across prompt --format markdown
  concur compare before after --format html --out compare.html`,
		Flags: slices.Concat(outputFlags(compareFormats()), comparisonFlags(), sectionFlags(), []cli.Flag{
			&cli.StringSliceFlag{Name: flagAcross, Usage: "compare although these `RULES` differ"},
			&cli.StringSliceFlag{Name: flagConfiguration, Usage: "compare the configuration `NAME` of an ablation only; given twice, one name for each RUN", DefaultText: "all of the same name"},
			runsDirFlag(),
		}),
		Action: c.withOutput(compareFormats(), c.compareAction),
	}
}

func (c *console) compareAction(ctx *cli.Context, o *output) error {
	if ctx.NArg() != 2 {
		return usagef("compare takes two runs, the baseline first; `concur compare BEFORE latest`")
	}
	how := reporting(ctx)
	how.Across = list(ctx, flagAcross)
	var runs [2]*store.Run
	for i := range runs {
		run, err := store.Find(ctx.String(flagRunsDir), ctx.Args().Get(i))
		if err != nil {
			return usagef("%w", err)
		}
		runs[i] = run
	}
	r, err := ablations.CompareRuns(runs, ctx.StringSlice(flagConfiguration), how.Options)
	if err != nil {
		return usagef("%w", err)
	}
	return o.write(func() error {
		if o.format == formatHTML {
			return page.Page{Result: r, Runs: runs[:]}.Write(o)
		}
		return reports.Write(o, reports.Format(o.format), r, how.options(o))
	})
}
