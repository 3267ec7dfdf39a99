package main

import (
	"strings"

	"github.com/urfave/cli/v2"
)

// filterOptions holds the flags that select queries.
type filterOptions struct {
	limit, sample        *int // nil if not given
	query, category, tag []string
	failedIn             string
}

// used reports whether a flag selects queries.
func (f *filterOptions) used() bool {
	lists := f.query != nil || f.category != nil || f.tag != nil
	return lists || f.limit != nil || f.sample != nil || f.failedIn != ""
}

func filterFlags(f *filterOptions) []cli.Flag {
	return []cli.Flag{
		limitFlag(&f.limit), queryFlag(&f.query), categoryFlag(&f.category), tagFlag(&f.tag),
		failedInFlag(&f.failedIn), sampleFlag(&f.sample),
	}
}

// runningOptions holds the flags that control how traces run.
type runningOptions struct {
	resume                                     string
	retryFailed, yes, allowSeen, dryRun, quiet bool
	runsDir                                    string
}

func runningFlags(r *runningOptions, s *settings) []cli.Flag {
	return []cli.Flag{
		resumeFlag(&r.resume), retryFailedFlag(&r.retryFailed), yesFlag(&r.yes), allowSeenFlag(&r.allowSeen),
		dryRunFlag(&r.dryRun), quietFlag(&r.quiet), runsDirFlag(&r.runsDir), configFlag(s),
	}
}

// tableOptions holds the flags for optional tables.
type tableOptions struct {
	kCurve, steps, confidence, toolUse, byCategory, all, wide, explain bool
	rows                                                               string
}

func tableFlags(t *tableOptions) []cli.Flag {
	return []cli.Flag{
		kCurveFlag(&t.kCurve), stepsFlag(&t.steps), toolUseFlag(&t.toolUse), confidenceFlag(&t.confidence),
		byCategoryFlag(&t.byCategory),
		allFlag(&t.all), wideFlag(&t.wide), explainFlag(&t.explain), rowsFlag(&t.rows),
	}
}

// pairTableFlags returns the flags for tables of two runs, which have no table of queries.
func pairTableFlags(t *tableOptions) []cli.Flag {
	return []cli.Flag{
		kCurveFlag(&t.kCurve), stepsFlag(&t.steps), toolUseFlag(&t.toolUse), confidenceFlag(&t.confidence),
		byCategoryFlag(&t.byCategory),
		wideFlag(&t.wide), explainFlag(&t.explain),
	}
}

// check returns an error for flags of tables that are not shown, because rows are queries and not
// configurations.
func (t *tableOptions) check(a *arguments) error {
	if t.rows != rowsOfQueries {
		return nil
	}
	return a.idle("with --rows queries, which shows every query", flagKCurve, flagSteps, flagToolUse, flagConfidence,
		flagByCategory, flagAll, flagExplain, flagFlips, flagMargin)
}

// rowsOfQueries is the value of --rows that shows one row for each query.
const rowsOfQueries = "queries"

// comparisonOptions holds the flags of a comparison.
type comparisonOptions struct {
	flips, notWorse bool
	margin          float64 // as given
}

func comparisonFlags(o *comparisonOptions) []cli.Flag {
	return []cli.Flag{flipsFlag(&o.flips), marginFlag(o)}
}

// share returns the margin as a share: 3 means three points, and so does 0.03.
func (o *comparisonOptions) share() float64 {
	if o.margin < 1 {
		return o.margin
	}
	return o.margin / 100
}

// resultOptions holds the flags for the format and the files of a result.
type resultOptions struct{ format, out, junit, markdown string }

// resultFlags returns the flags of a result that reports on runs.
func resultFlags(r *resultOptions) []cli.Flag {
	formats := []string{"table", "markdown", "csv", "json", "junit", "html"}
	format := choice(&r.format, &cli.StringFlag{
		Name: flagFormat, EnvVars: []string{"CONCUR_FORMAT"},
		Usage: "`FORMAT` of the result: " + strings.Join(formats, ", ") + "; flags for tables work only with the first two",
	}, formats...)
	return []cli.Flag{format, outFlag(&r.out)}
}

// figureFlags returns the flags of a result that is a single figure or list.
func figureFlags(r *resultOptions) []cli.Flag {
	return []cli.Flag{formatFlag(&r.format, "table", "json"), outFlag(&r.out)}
}

func formatFlag(at *string, formats ...string) cli.Flag {
	return choice(at, &cli.StringFlag{
		Name: flagFormat, Usage: "`FORMAT` of the result: " + strings.Join(formats, ", "), EnvVars: []string{"CONCUR_FORMAT"},
	}, formats...)
}

func configFlag(s *settings) cli.Flag {
	return &cli.StringFlag{
		Name: flagConfig, TakesFile: true, Destination: &s.file, EnvVars: []string{"CONCUR_CONFIG"},
		DefaultText: "concur.yaml, if it exists",
		Usage:       "configuration `FILE`",
	}
}

// reportOptions holds the flags of a report on a run.
type reportOptions struct {
	tableOptions
	comparisonOptions
	resultOptions

	partial  bool
	baseline string // a configuration of an ablation, or a file of accepted runs
}

// tracesOptions holds the flags of commands that run traces of a dataset.
type tracesOptions struct {
	arguments
	settings
	runningOptions
	filterOptions
	reportOptions

	seed           *int64
	dataset, shard string
}

func kCurveFlag(at *bool) cli.Flag {
	return &cli.BoolFlag{
		Name: flagKCurve, Destination: at,
		Usage: "show the result for every k up to K: is K=1 enough?",
	}
}

func stepsFlag(at *bool) cli.Flag {
	return &cli.BoolFlag{
		Name: flagSteps, Destination: at,
		Usage: "compare the steps and calls of correct traces with the smallest number that one needed",
	}
}

func toolUseFlag(at *bool) cli.Flag {
	return &cli.BoolFlag{
		Name: flagToolUse, Destination: at,
		Usage: "show calls, failures, seconds and tokens of each tool, and right traces with and without a call of it",
	}
}

func confidenceFlag(at *bool) cli.Flag {
	return &cli.BoolFlag{
		Name: flagConfidence, Destination: at,
		Usage: "show how often a query is right at each level of agreement",
	}
}

func byCategoryFlag(at *bool) cli.Flag {
	return &cli.BoolFlag{Name: flagByCategory, Destination: at, Usage: "show correct queries by category"}
}

func allFlag(at *bool) cli.Flag {
	return &cli.BoolFlag{Name: flagAll, Destination: at, Usage: "show every query, first those that are not right"}
}

func wideFlag(at *bool) cli.Flag {
	return &cli.BoolFlag{Name: flagWide, Destination: at, Usage: "show every column, even if the table becomes wide"}
}

func rowsFlag(at *string) cli.Flag {
	return choice(at, &cli.StringFlag{
		Name:  flagRows,
		Usage: "print `ROWS`: configurations, or queries with expected answer, answer, votes and verdict",
	}, "configurations", rowsOfQueries)
}
