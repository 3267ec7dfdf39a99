package reading

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations"
	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/ablations/usefulness"
	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model/lapse"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/page"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/offline"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/runlist"
)

func reportAction(c *console.Console, given *reportCommandOptions, o *console.Output) error {
	run, err := runlist.Find(given.runsDir, given.Word(0))
	if err != nil {
		return err
	}
	if err := cmp.Or(given.TableOptions.Check(&given.Arguments),
		ComparesNothing(&given.Arguments, run.Manifest)); err != nil {
		return err
	}
	if err := ReportOn(c, run.Dir, o, false, Reporting(&given.ReportOptions)); err != nil {
		return err
	}
	for _, wrong := range run.CheckFiles() { // of a report that did not need them
		fmt.Fprintf(c.Err, "concur: run %s: the report is right, and a file of the run is damaged: %v\n", run.Manifest.Run,
			wrong)
	}
	return nil
}

// Report describes which parts of a run are shown.
type Report struct {
	show     reports.Options // screen and records are not set
	queries  bool            // a row per query in place of one per configuration
	partial  bool            // also for a run that is not complete
	baseline string          // "" means the run's own
	// Hub has the flags of the hub that commands which run the rest need; "" without one.
	Hub string
	ablations.Options
}

// Reporting returns the report that flags request.
func Reporting(given *flags.ReportOptions) Report {
	return Report{
		show: reports.Options{
			Notes: modelNotes(), All: given.All, Wide: given.Wide, Explain: given.Explain,
			Show: reports.Sections{
				Flips: given.Flips, ByCategory: given.ByCategory, KCurve: given.KCurve, Steps: given.Steps,
				Confidence: given.Confidence, ToolUse: given.ToolUse,
			},
		},
		queries:  given.Rows == flags.RowsOfQueries,
		partial:  given.Partial,
		baseline: given.Baseline,
		Options:  ablations.Options{Margin: given.Share(), NotWorse: given.NotWorse},
	}
}

// ReportOn computes the figures of a run from its records and prints them. For a run that has just ended, fresh
// is set: it also writes summary.json, and the exit code says whether the run is valid.
func ReportOn(c *console.Console, dir string, o *console.Output, fresh bool, how Report) error {
	run, err := store.Open(dir)
	if err != nil {
		return err
	}
	m := run.Manifest
	if m.State != store.Complete && !how.partial && m.IsAttack() {
		return console.Usagef("run %s is an attack that is not complete (state: %s), and an attack cannot be resumed: run "+
			"`%s` "+
			"again, or add --partial to see bounds", m.Run, m.State, store.ResumeCommand(run.Dir, m))
	}
	if m.State != store.Complete && !how.partial {
		return console.Usagef("run %s is not complete (state: %s), and a table of a part of it would mislead: finish it "+
			"with "+
			"`%s`, or add --partial to see bounds", m.Run, m.State, store.ResumeCommand(run.Dir, m))
	}
	rows := run.Rows() // from the same opening of the run
	r, err := ablations.Summarize(m, rows.Reading(how.lists(o, m, &how.show.Right)), how.baseline, how.Options)
	if err != nil {
		return err
	}
	if err := usefulness.AddKept(run, r); err != nil {
		return err
	}
	err = o.Deliver(func() error { return writeReport(o, run, r, rows, how) })
	if fresh {
		err = errors.Join(err, derive(run, r))
	}
	if err == nil && fresh && r.Invalid() && m.Configurations[0].Configuration.Agent.External.Imported == "" {
		return console.WithCode(console.ExitInvalid, noEvidence(run, r, how.Hub))
	}
	if err == nil && fresh && mayRetry(m) && tooManyLost(r) {
		c.Note("run the failed traces again, so that the run can be compared: " + retry(run, how.Hub))
	}
	return err
}

// ForScreen returns the options of the report for the screen of the output.
func (how Report) ForScreen(o *console.Output) reports.Options {
	how.show.Screen = o.Screen(how.show.Wide)
	return how.show
}

// lists returns the condition for records that the report may show; nil means all. The records that it excludes
// need no memory. If the report says how many right records it does not show, they are counted in right.
func (how Report) lists(o *console.Output, m store.Manifest, right *int) func(store.Record) bool {
	inTable := o.Format == string(document.FormatTable) || o.Format == string(document.FormatMarkdown)
	switch {
	case o.Format == string(document.FormatJUnit), how.queries, inTable && how.show.All:
		return nil
	case inTable && len(m.Configurations) == 1:
		return func(r store.Record) bool {
			if r.Verdict.Verdict == judge.Correct {
				*right++
				return false
			}
			return true
		}
	}
	return func(store.Record) bool { return false }
}

// writeReport prints the figures of a run, and its queries if they are few.
func writeReport(o *console.Output, run *store.Run, r *result.Result, rows *store.Rows, how Report) error {
	if o.Format == console.FormatHTML {
		if how.queries {
			return console.Usagef("--rows queries is not for --format html: the page has a row per query already, so leave " +
				"--rows out")
		}
		return page.Page{Result: r, Runs: []*store.Run{run}}.Write(o)
	}
	show := how.ForScreen(o)
	show.Records = rows
	if how.queries {
		return reports.WriteRows(o, document.Format(o.Format), r.Run, rows, show.Screen)
	}
	if o.Format == string(document.FormatJUnit) {
		return reports.WriteJUnit(o, r, rows)
	}
	return reports.Write(o, document.Format(o.Format), r, show)
}

// derive writes summary.json from a run's records. It is called after the result is delivered, so that a full
// disk loses only a file that can be made again.
func derive(run *store.Run, r *result.Result) error {
	var summary bytes.Buffer
	err := document.WriteJSON(&summary, r)
	if err == nil {
		err = store.WriteFile(result.Path(run.Dir), summary.Bytes())
	}
	if err != nil {
		return console.WithCode(console.ExitInvalid,
			fmt.Errorf("%w; the records are whole, and `concur report latest` shows them", err))
	}
	return nil
}

// modelNotes returns the notes that are printed below tables with certain models.
func modelNotes() []reports.ModelNote {
	text := offline.Footnote + " Its verifier and judges are rule-based; its quality judge grades form only."
	return []reports.ModelNote{
		{ModelPrefix: config.DefaultModel + "?lapse=", Text: text + " " + lapse.Footnote, FormOnly: true},
		{ModelPrefix: config.OfflineProvider + ":", Text: text, FormOnly: true},
		{ModelPrefix: "openai:" + config.OfflineProvider + ":", Text: text, FormOnly: true}, // served by concur serve
	}
}

//go:embed help/report.txt
var reportHelp string

// reportCommandOptions holds the arguments and flags of concur report.
type reportCommandOptions struct {
	flags.Arguments
	flags.ReportOptions

	runsDir string
}

// ReportCommand returns the command `concur report`.
func ReportCommand(c *console.Console) *cli.Command {
	var given reportCommandOptions
	return &cli.Command{
		Name: "report", ArgsUsage: "RUN", Description: flags.Described(reportHelp),
		Usage: "show a finished run again",
		Flags: slices.Concat(
			flags.ResultGroup(&given.ResultOptions),
			flags.TableGroup(&given.TableOptions),
			flags.ComparisonGroup(&given.ComparisonOptions),
			[]cli.Flag{
				flags.RunsDir(&given.runsDir),
				&cli.StringFlag{
					Name: flags.NameBaseline, Destination: &given.Baseline, DefaultText: "the spec's baseline",
					Usage: "compare the configurations of an ablation with `NAME`",
				},
				&cli.BoolFlag{
					Name: "partial", Destination: &given.Partial,
					Usage: "show an incomplete run, with bounds for the missing queries",
				},
			},
		),
		Action: flags.Takes(&given.Arguments, "", flags.WithOutput(c, &given.Arguments, &given.ResultOptions,
			func(_ context.Context, o *console.Output) error {
				return reportAction(c, &given, o)
			}, &given.Baseline)),
	}
}

// ComparesNothing returns an error if flags of a comparison are given but the run has only one configuration.
func ComparesNothing(given *flags.Arguments, m store.Manifest) error {
	if len(m.Configurations) > 1 {
		return nil
	}
	return given.Idle("on a run of one configuration, as "+m.Run+" is", flags.NameFlips, flags.NameMargin)
}

// SummarizeAgain writes the figures of a run after labels were given.
func SummarizeAgain(run *store.Run) error {
	r, err := ablations.Summarize(run.Manifest, run.Records(), "", ablations.Options{Margin: ablations.DefaultMargin})
	if err != nil {
		return err
	}
	return derive(run, r)
}
