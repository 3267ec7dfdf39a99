package main

import (
	"context"
	_ "embed"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations"
	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/ablations/series"
	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/page"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/store"
)

// comparesNothing returns an error if flags of a comparison are given but the run has only one configuration.
func comparesNothing(given *arguments, m store.Manifest) error {
	if len(m.Configurations) > 1 {
		return nil
	}
	return given.idle("on a run of one configuration, as "+m.Run+" is", flagFlips, flagMargin)
}

func compareAction(ctx context.Context, c *console.Console, given *compareOptions, o *console.Output) error {
	if given.series {
		if err := given.idle("with --series", flagFlips, flagMargin, flagAcross, flagKCurve, flagSteps, flagToolUse,
			flagConfidence, flagByCategory, flagWide, flagExplain); err != nil {
			return err
		}
		return seriesAction(c, given, o)
	}
	for _, name := range []string{flagBaseline, flagPoolRuns, flagDataset} {
		if given.has(name) {
			return console.Usagef("--%s is for a series of nights: add --series, or leave it out", name)
		}
	}
	if len(given.words) != 2 {
		return console.Usagef("compare takes two runs, the baseline first; `concur compare BEFORE latest`; or --series")
	}
	how := given.reporting()
	how.Across = given.across
	var runs [2]*store.Run
	for i := range runs {
		run, err := store.Find(given.runsDir, given.word(i))
		if err != nil {
			return err
		}
		runs[i] = run
	}
	r, err := ablations.CompareRuns(runs, given.configuration, how.Options)
	if err != nil {
		return err
	}
	return o.Deliver(func() error {
		if o.Format == console.FormatHTML {
			return page.Page{Result: r, Runs: runs[:]}.Write(o)
		}
		return reports.Write(o, document.Format(o.Format), r, how.options(o))
	})
}

// seriesAction compares nights with the accepted runs.
func seriesAction(c *console.Console, given *compareOptions, o *console.Output) error {
	if f := document.Format(o.Format); f != document.FormatTable && f != document.FormatJSON {
		return console.Usagef("--format %s is not for --series: take table or json", f)
	}
	if n := given.poolRuns; n < 1 {
		return console.Usagef("--pool-runs is %d: it must be at least 1", n)
	}
	b, err := baseline.Read(given.baseline)
	if err != nil {
		return err
	}
	if names := given.configuration; len(names) > 1 {
		return console.Usagef("--configuration is given %d times: a series is of one", len(names))
	}
	known, name := b.Configurations(), strings.Join(given.configuration, "")
	if name == "" && len(known) == 1 {
		name = known[0]
	}
	if !slices.Contains(known, name) {
		return console.Usagef("the baseline %s has runs of %s: name one of them with --configuration", given.baseline,
			strings.Join(known, ", "))
	}
	if len(given.words) == 0 {
		return console.Usagef("compare --series takes the runs of nights; `concur compare --series latest`")
	}
	var nights []baseline.Pass
	var data *datasets.Dataset
	for _, arg := range given.words {
		run, err := store.Find(given.runsDir, arg)
		if err != nil {
			return err
		}
		night, err := readPass(run, name)
		if err != nil {
			return err
		}
		if nights = append(nights, night); data != nil {
			continue
		}
		if data, _, err = runner.Reopen(run.Manifest, given.dataset); err != nil {
			return err
		}
	}
	s, err := series.Read(b, name, nights, data, given.poolRuns)
	if err != nil {
		return console.Usagef("%w", err)
	}
	return o.Deliver(func() error { return reports.WriteSeries(o, document.Format(o.Format), s, o.Screen(false)) })
}

//go:embed help/compare.txt
var compareHelp string

// compareOptions holds the arguments and flags of concur compare.
type compareOptions struct {
	arguments
	reportOptions

	series                bool
	poolRuns              int
	dataset, runsDir      string
	across, configuration []string
	watch                 bool
}

func compareCommand(c *console.Console) *cli.Command {
	var given compareOptions
	return &cli.Command{
		Name: "compare", ArgsUsage: "[RUN] [RUN…]", Description: described(compareHelp, "{{differences}}",
			strings.Join(ablations.Hidden(), ", ")),
		Usage: "compare one finished run with another, or every night with the accepted runs",
		Flags: slices.Concat(
			[]cli.Flag{
				&cli.BoolFlag{
					Name: "series", Destination: &given.series,
					Usage: "compare nights with the accepted runs of the baseline file; --format must be table or json",
				},
				&cli.StringFlag{
					Name: flagBaseline, TakesFile: true, Destination: &given.baseline, Value: "baseline.jsonl",
					EnvVars: []string{"CONCUR_BASELINE"},
					Usage:   "with --series: `FILE` with the accepted runs",
				},
				&cli.IntFlag{
					Name: flagPoolRuns, Destination: &given.poolRuns, Value: series.DefaultPool,
					Usage: "with --series: number of accepted `RUNS`, the first since the last reset, to compare nights with",
				},
				&cli.StringFlag{
					Name: flagDataset, TakesFile: true, Destination: &given.dataset,
					DefaultText: "where the run found it, else its name in this folder",
					Usage:       "with --series: `FILE` with the runs' dataset, if the dataset was moved",
				},
				choice(&given.format, &cli.StringFlag{
					Name: flagFormat, EnvVars: []string{"CONCUR_FORMAT"},
					Usage: "`FORMAT` of the result: table, markdown, csv, json, html; flags for tables work only with the first two",
				}, "table", "markdown", "csv", "json", "html"),
				outFlag(&given.out),
			},
			comparisonFlags(&given.comparisonOptions),
			pairTableFlags(&given.tableOptions),
			[]cli.Flag{
				&cli.StringSliceFlag{
					Name: flagAcross, Action: listed(flagAcross, &given.across),
					Usage: "compare even if these `RULES` differ",
				},
				&cli.StringSliceFlag{
					Name: flagConfiguration, Action: repeated(&given.configuration), DefaultText: "all of the same name",
					Usage: "compare only the configuration `NAME` of an ablation; give the flag twice for one name per RUN",
				},
				runsDirFlag(&given.runsDir),
				watchFlag(&given.watch, "compare again when a name, such as latest, means another finished run, until Ctrl-C"),
			},
		),
		Action: takes(&given.arguments, "two runs, the baseline first; `concur compare BEFORE latest`",
			withOutput(c, &given.arguments, &given.resultOptions, func(ctx context.Context, o *console.Output) error {
				if given.watch {
					return watchCompare(ctx, c, &given, o)
				}
				return compareAction(ctx, c, &given, o)
			}, &given.baseline, &given.dataset)),
	}
}
