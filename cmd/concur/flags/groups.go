package flags

import (
	"strings"

	"github.com/urfave/cli/v2"
)

// FilterOptions holds the flags that select queries.
type FilterOptions struct {
	Limit, Sample        *int // nil if not given
	Query, Category, Tag []string
	FailedIn             string
}

// Used reports whether a flag selects queries.
func (f *FilterOptions) Used() bool {
	lists := f.Query != nil || f.Category != nil || f.Tag != nil
	return lists || f.Limit != nil || f.Sample != nil || f.FailedIn != ""
}

// FilterGroup returns the flags that select queries.
func FilterGroup(f *FilterOptions) []cli.Flag {
	return []cli.Flag{
		limitFlag(&f.Limit), queryFlag(&f.Query), categoryFlag(&f.Category), tagFlag(&f.Tag),
		failedInFlag(&f.FailedIn), sampleFlag(&f.Sample),
	}
}

// RunningOptions holds the flags that control how traces run.
type RunningOptions struct {
	Resume                                     string
	RetryFailed, Yes, AllowSeen, DryRun, Quiet bool
	RunsDir                                    string
}

// RunningGroup returns the flags that control how traces run.
func RunningGroup(r *RunningOptions, s *Settings) []cli.Flag {
	return []cli.Flag{
		resumeFlag(&r.Resume), retryFailedFlag(&r.RetryFailed), Yes(&r.Yes), allowSeenFlag(&r.AllowSeen),
		DryRun(&r.DryRun), Quiet(&r.Quiet), RunsDir(&r.RunsDir), Config(s),
	}
}

// TableOptions holds the flags for optional tables.
type TableOptions struct {
	KCurve, Steps, Confidence, ToolUse, ByCategory, All, Wide, Explain bool
	Rows                                                               string
}

// TableGroup returns the flags for optional tables.
func TableGroup(t *TableOptions) []cli.Flag {
	return []cli.Flag{
		kCurveFlag(&t.KCurve), stepsFlag(&t.Steps), toolUseFlag(&t.ToolUse), confidenceFlag(&t.Confidence),
		byCategoryFlag(&t.ByCategory),
		allFlag(&t.All), wideFlag(&t.Wide), explainFlag(&t.Explain), rowsFlag(&t.Rows),
	}
}

// PairTableGroup returns the flags for tables of two runs, which have no table of queries.
func PairTableGroup(t *TableOptions) []cli.Flag {
	return []cli.Flag{
		kCurveFlag(&t.KCurve), stepsFlag(&t.Steps), toolUseFlag(&t.ToolUse), confidenceFlag(&t.Confidence),
		byCategoryFlag(&t.ByCategory),
		wideFlag(&t.Wide), explainFlag(&t.Explain),
	}
}

// Check returns an error for flags of tables that are not shown, because rows are queries and not
// configurations.
func (t *TableOptions) Check(a *Arguments) error {
	if t.Rows != RowsOfQueries {
		return nil
	}
	return a.Idle("with --rows queries, which shows every query", NameKCurve, NameSteps, NameToolUse, NameConfidence,
		NameByCategory, flagAll, NameExplain, NameFlips, NameMargin)
}

// RowsOfQueries is the value of --rows that shows one row for each query.
const RowsOfQueries = "queries"

// ComparisonOptions holds the flags of a comparison.
type ComparisonOptions struct {
	Flips, NotWorse bool
	margin          float64 // as given
}

// ComparisonGroup returns the flags of a comparison.
func ComparisonGroup(o *ComparisonOptions) []cli.Flag {
	return []cli.Flag{flipsFlag(&o.Flips), marginFlag(o)}
}

// Share returns the margin as a share: 3 means three points, and so does 0.03.
func (o *ComparisonOptions) Share() float64 {
	if o.margin < 1 {
		return o.margin
	}
	return o.margin / 100
}

// ResultOptions holds the flags for the format and the files of a result.
type ResultOptions struct{ Format, Out, Junit, Markdown string }

// ResultGroup returns the flags of a result that reports on runs.
func ResultGroup(r *ResultOptions) []cli.Flag {
	formats := []string{"table", "markdown", "csv", "json", "junit", "html"}
	format := Choice(&r.Format, &cli.StringFlag{
		Name: NameFormat, EnvVars: []string{"CONCUR_FORMAT"},
		Usage: "`FORMAT` of the result: " + strings.Join(formats, ", ") + "; flags for tables work only with the first two",
	}, formats...)
	return []cli.Flag{format, Out(&r.Out)}
}

// FigureGroup returns the flags of a result that is a single figure or list.
func FigureGroup(r *ResultOptions) []cli.Flag {
	return []cli.Flag{Format(&r.Format, "table", "json"), Out(&r.Out)}
}

// Format returns the flag --format with these formats; the first one is the default.
func Format(at *string, formats ...string) cli.Flag {
	return Choice(at, &cli.StringFlag{
		Name: NameFormat, Usage: "`FORMAT` of the result: " + strings.Join(formats, ", "), EnvVars: []string{"CONCUR_FORMAT"},
	}, formats...)
}

// Config returns the flag --config.
func Config(s *Settings) cli.Flag {
	return &cli.StringFlag{
		Name: NameConfig, TakesFile: true, Destination: &s.File, EnvVars: []string{"CONCUR_CONFIG"},
		DefaultText: "concur.yaml, if it exists",
		Usage:       "configuration `FILE`",
	}
}

// ReportOptions holds the flags of a report on a run.
type ReportOptions struct {
	TableOptions
	ComparisonOptions
	ResultOptions

	Partial  bool
	Baseline string // a configuration of an ablation, or a file of accepted runs
}

// TracesOptions holds the flags of commands that run traces of a dataset.
type TracesOptions struct {
	Arguments
	Settings
	RunningOptions
	FilterOptions
	ReportOptions

	Seed           *int64
	Dataset, Shard string
	Hub            HubOptions
}

func kCurveFlag(at *bool) cli.Flag {
	return &cli.BoolFlag{
		Name: NameKCurve, Destination: at,
		Usage: "show the result for every k up to K: is K=1 enough?",
	}
}

func stepsFlag(at *bool) cli.Flag {
	return &cli.BoolFlag{
		Name: NameSteps, Destination: at,
		Usage: "compare the steps and calls of correct traces with the smallest number that one needed",
	}
}

func toolUseFlag(at *bool) cli.Flag {
	return &cli.BoolFlag{
		Name: NameToolUse, Destination: at,
		Usage: "show calls, failures, seconds and tokens of each tool, and right traces with and without a call of it",
	}
}

func confidenceFlag(at *bool) cli.Flag {
	return &cli.BoolFlag{
		Name: NameConfidence, Destination: at,
		Usage: "show how often a query is right at each level of agreement",
	}
}

func byCategoryFlag(at *bool) cli.Flag {
	return &cli.BoolFlag{Name: NameByCategory, Destination: at, Usage: "show correct queries by category"}
}

func allFlag(at *bool) cli.Flag {
	return &cli.BoolFlag{Name: flagAll, Destination: at, Usage: "show every query, first those that are not right"}
}

func wideFlag(at *bool) cli.Flag {
	return &cli.BoolFlag{Name: NameWide, Destination: at, Usage: "show every column, even if the table becomes wide"}
}

func rowsFlag(at *string) cli.Flag {
	return Choice(at, &cli.StringFlag{
		Name:  flagRows,
		Usage: "print `ROWS`: configurations, or queries with expected answer, answer, votes and verdict",
	}, "configurations", RowsOfQueries)
}
