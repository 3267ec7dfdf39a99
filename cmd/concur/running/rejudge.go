package running

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/cmd/concur/reading"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/replay"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/copying"
	"github.com/seed-5817661a/concur/runner/store/runlist"
)

func rejudgeAction(ctx context.Context, c *console.Console, given *rejudgeOptions, o *console.Output) error {
	var draft runner.Draft
	var old, run *store.Run // run is nil until its folder is made
	var err error
	if err := given.TableOptions.Check(&given.Arguments); err != nil {
		return err
	}
	if given.resume != "" {
		run, old, draft, err = halfJudged(c, given)
	} else if old, err = c.FindRun(given.runsDir, given.Word(0)); err == nil {
		var changed []string
		r := runner.Rejudge{Run: old, Source: given.dataset, Now: time.Now()}
		if r.Change, err = flags.JudgingOf(&given.Settings); err == nil {
			draft, changed, err = r.Draft()
		}
		if err == nil {
			fmt.Fprintf(c.Err, "rejudge: %s, %s\n", document.Printable(old.Manifest.Run),
				document.Printable(strings.Join(append(changed, "answers as they were"), "; ")))
		}
	}
	if err == nil {
		err = reading.ComparesNothing(&given.Arguments, old.Manifest)
	}
	if err != nil {
		return err
	}
	defer draft.Dataset.Close()
	recorded, err := old.Recording()
	if err != nil {
		return err
	}
	defer recorded.Close() // opened only for reading
	checked, err := runner.CheckedBy(old, draft.Dataset)
	if err != nil {
		return err
	}
	executed, err := runner.ExecutedBy(old, draft.Dataset)
	if err != nil {
		return err
	}
	return c.Assembler.WhileJudging(ctx, draft, replay.New(recorded), checked, executed,
		func(running context.Context, s *assemble.Session) error {
			scope := draft.Scope(false)
			scope.Ends = !s.NeedsEvents()
			if run == nil {
				if run, err = copying.Traces(old, given.runsDir, s.Manifest()); err != nil {
					return err
				}
			}
			out, prior, err := run.Resume(time.Now(), scope)
			if err != nil {
				return err
			}
			if err := s.CheckWhole(prior); err != nil {
				return errors.Join(err, out.Finish(store.Failed, time.Now()))
			}
			return Execute(running, c, s, out, prior, o,
				Execution{Quiet: given.quiet, How: reading.Reporting(&given.ReportOptions)})
		})
}

// halfJudged returns a run whose judging was interrupted, the run that it judges, and its draft.
func halfJudged(c *console.Console, given *rejudgeOptions) (run, old *store.Run, d runner.Draft,
	err error) {
	if run, err = runlist.Find(given.runsDir, given.resume); err != nil {
		return nil, nil, d, err
	}
	m := run.Manifest
	switch {
	case m.RejudgeOf == "":
		err = console.Usagef("run %s was not judged again; finish it with `%s`", m.Run, store.ResumeCommand(run.Dir, m))
	case len(given.Words) > 0:
		err = console.Usagef("--resume keeps the settings of the run: leave %s out", strings.Join(given.Words, " "))
	case given.Has(flags.NameConfig):
		err = given.Idle("with --resume, which keeps the settings of the run", flags.NameConfig)
	default:
		var set []string
		for _, key := range given.Agent() {
			set = append(set, key.Flag)
		}
		if err = given.Idle("with --resume, which keeps the settings of the run", set...); err == nil {
			old, err = runlist.Find(given.runsDir, m.RejudgeOf)
		}
	}
	if err == nil {
		settings := m.Configurations[0].Configuration
		given.Override(&settings)
		asked := settings.Limits
		settings = m.Configurations[0].Configuration
		settings.Limits = asked
		d, err = runner.Retake{Settings: settings, Source: given.dataset, Versions: c.Assembler.Versions,
			Now: time.Now()}.Draft(m)
	}
	return run, old, d, err
}

//go:embed help/rejudge.txt
var rejudgeHelp string

// rejudgeOptions holds the arguments and flags of concur rejudge.
type rejudgeOptions struct {
	flags.Arguments
	flags.Settings
	flags.ReportOptions

	dataset, resume, runsDir string
	quiet                    bool
}

// RejudgeCommand returns the command `concur rejudge`.
func RejudgeCommand(c *console.Console) *cli.Command {
	var given rejudgeOptions
	return &cli.Command{
		Name: "rejudge", ArgsUsage: "RUN", Description: flags.Described(rejudgeHelp),
		Usage: "read, vote on and judge the traces of a run again; no agent runs",
		Flags: slices.Concat(
			flags.WithDefault("the run's", slices.Concat(
				[]cli.Flag{
					flags.Extract(&given.Settings), flags.Extractor(&given.Settings), flags.Judge(&given.Settings),
					flags.Calibration(&given.Settings), flags.Pass(&given.Settings),
				},
				flags.LimitGroup(&given.Settings),
				[]cli.Flag{
					flags.Threshold(&given.Settings), flags.Repeats(&given.Settings), flags.Stages(&given.Settings),
					flags.Quorum(&given.Settings), flags.Verifier(&given.Settings),
				},
			)...),
			[]cli.Flag{
				&cli.StringFlag{
					Name: flags.NameConfig, TakesFile: true, Destination: &given.File, DefaultText: "the run's",
					Usage: "use extract, extractor, judge, verifier, consensus and pass of `FILE`",
				},
				&cli.StringFlag{
					Name: flags.NameDataset, TakesFile: true, Destination: &given.dataset, DefaultText: "the run's",
					Usage: "`FILE` with the run's queries and changed golds",
				},
				&cli.StringFlag{
					Name: flags.NameResume, TakesFile: true, Destination: &given.resume,
					Usage: "finish `RUN`, an interrupted rejudge",
				},
				flags.RunsDir(&given.runsDir),
				flags.Quiet(&given.quiet),
			},
			flags.TableGroup(&given.TableOptions),
			flags.ComparisonGroup(&given.ComparisonOptions),
			flags.ResultGroup(&given.ResultOptions),
		),
		Action: flags.Takes(&given.Arguments, "", flags.WithRun(c, &given.Arguments, &given.ResultOptions,
			func(ctx context.Context, o *console.Output) error {
				return rejudgeAction(ctx, c, &given, o)
			}, &given.File, &given.dataset), &given.resume),
	}
}
