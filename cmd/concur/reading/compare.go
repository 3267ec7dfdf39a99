package reading

import (
	"context"
	_ "embed"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations"
	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/ablations/naming"
	"github.com/seed-5817661a/concur/ablations/series"
	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/page"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/runlist"
)

func compareAction(ctx context.Context, c *console.Console, given *compareOptions, o *console.Output) error {
	if given.series {
		if err := given.Idle("with --series", flags.NameFlips, flags.NameMargin, flags.NameAcross, flags.NameKCurve,
			flags.NameSteps, flags.NameToolUse,
			flags.NameConfidence, flags.NameByCategory, flags.NameWide, flags.NameExplain); err != nil {
			return err
		}
		return seriesAction(c, given, o)
	}
	for _, name := range []string{flags.NameBaseline, flags.NamePoolRuns, flags.NameDataset} {
		if given.Has(name) {
			return console.Usagef("--%s is for a series of nights: add --series, or leave it out", name)
		}
	}
	if len(given.Words) != 2 {
		return console.Usagef("compare takes two runs, the baseline first; `concur compare BEFORE latest`; or --series")
	}
	how := Reporting(&given.ReportOptions)
	how.Across = given.across
	var runs [2]*store.Run
	for i := range runs {
		run, err := runlist.Find(given.runsDir, given.Word(i))
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
		return reports.Write(o, document.Format(o.Format), r, how.ForScreen(o))
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
	b, err := baseline.Read(given.Baseline)
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
		return console.Usagef("the baseline %s has runs of %s: name one of them with --configuration", given.Baseline,
			strings.Join(known, ", "))
	}
	if len(given.Words) == 0 {
		return console.Usagef("compare --series takes the runs of nights; `concur compare --series latest`")
	}
	var nights []baseline.Pass
	var data *datasets.Dataset
	for _, arg := range given.Words {
		run, err := runlist.Find(given.runsDir, arg)
		if err != nil {
			return err
		}
		night, err := ReadPass(run, name)
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
	flags.Arguments
	flags.ReportOptions

	series                bool
	poolRuns              int
	dataset, runsDir      string
	across, configuration []string
	watch                 bool
}

// CompareCommand returns the command `concur compare`.
func CompareCommand(c *console.Console) *cli.Command {
	var given compareOptions
	return &cli.Command{
		Name: "compare", ArgsUsage: "[RUN] [RUN…]", Description: flags.Described(compareHelp, "{{differences}}",
			strings.Join(ablations.Hidden(), ", ")),
		Usage: "compare one finished run with another, or every night with the accepted runs",
		Flags: slices.Concat(
			[]cli.Flag{
				&cli.BoolFlag{
					Name: "series", Destination: &given.series,
					Usage: "compare nights with the accepted runs of the baseline file; --format must be table or json",
				},
				&cli.StringFlag{
					Name: flags.NameBaseline, TakesFile: true, Destination: &given.Baseline, Value: "baseline.jsonl",
					EnvVars: []string{"CONCUR_BASELINE"},
					Usage:   "with --series: `FILE` with the accepted runs",
				},
				&cli.IntFlag{
					Name: flags.NamePoolRuns, Destination: &given.poolRuns, Value: series.DefaultPool,
					Usage: "with --series: number of accepted `RUNS`, the first since the last reset, to compare nights with",
				},
				&cli.StringFlag{
					Name: flags.NameDataset, TakesFile: true, Destination: &given.dataset,
					DefaultText: "where the run found it, else its name in this folder",
					Usage:       "with --series: `FILE` with the runs' dataset, if the dataset was moved",
				},
				flags.Choice(&given.Format, &cli.StringFlag{
					Name: flags.NameFormat, EnvVars: []string{"CONCUR_FORMAT"},
					Usage: "`FORMAT` of the result: table, markdown, csv, json, html; flags for tables work only with the first two",
				}, "table", "markdown", "csv", "json", "html"),
				flags.Out(&given.Out),
			},
			flags.ComparisonGroup(&given.ComparisonOptions),
			flags.PairTableGroup(&given.TableOptions),
			[]cli.Flag{
				&cli.StringSliceFlag{
					Name: flags.NameAcross, Action: flags.Listed(flags.NameAcross, &given.across),
					Usage: "compare even if these `RULES` differ",
				},
				&cli.StringSliceFlag{
					Name: flags.NameConfiguration, Action: flags.Repeated(&given.configuration), DefaultText: "all of the same name",
					Usage: "compare only the configuration `NAME` of an ablation; give the flag twice for one name per RUN",
				},
				flags.RunsDir(&given.runsDir),
				flags.Watch(&given.watch, "compare again when a name, such as latest, means another finished run, until Ctrl-C"),
			},
		),
		Action: flags.Takes(&given.Arguments, "two runs, the baseline first; `concur compare BEFORE latest`",
			flags.WithOutput(c, &given.Arguments, &given.ResultOptions, func(ctx context.Context, o *console.Output) error {
				if given.watch {
					return watchCompare(ctx, c, &given, o)
				}
				return compareAction(ctx, c, &given, o)
			}, &given.Baseline, &given.dataset)),
	}
}

// ReadPass reads the verdicts of a configuration of a run.
func ReadPass(run *store.Run, configuration string) (baseline.Pass, error) {
	p, err := baseline.ReadPass(run, naming.NameOf(run.Manifest, configuration))
	p.Deterministic = config.IsOffline(p.Configuration.Model)
	return p, err
}
