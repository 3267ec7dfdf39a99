package main

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
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/replay"
	"github.com/seed-5817661a/concur/runner/store"
)

func rejudgeAction(ctx context.Context, c *console.Console, given *rejudgeOptions, o *console.Output) error {
	var draft runner.Draft
	var old, run *store.Run // run is nil until its folder is made
	var err error
	if err := given.tableOptions.check(&given.arguments); err != nil {
		return err
	}
	if given.resume != "" {
		run, old, draft, err = halfJudged(c, given)
	} else if old, err = c.FindRun(given.runsDir, given.word(0)); err == nil {
		var changed []string
		r := runner.Rejudge{Run: old, Source: given.dataset, Now: time.Now()}
		if r.Change, err = judgingOf(&given.settings); err == nil {
			draft, changed, err = r.Draft()
		}
		if err == nil {
			fmt.Fprintf(c.Err, "rejudge: %s, %s\n", document.Printable(old.Manifest.Run),
				document.Printable(strings.Join(append(changed, "answers as they were"), "; ")))
		}
	}
	if err == nil {
		err = comparesNothing(&given.arguments, old.Manifest)
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
	return c.Assembler.WhileJudging(ctx, draft, replay.New(recorded), checked,
		func(running context.Context, s *assemble.Session) error {
			scope := draft.Scope(false)
			scope.Ends = !s.NeedsEvents()
			if run == nil {
				if run, err = old.CopyTraces(given.runsDir, s.Manifest()); err != nil {
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
			return execute(running, c, s, out, prior, o, execution{given.quiet, given.reporting()})
		})
}

// halfJudged returns a run whose judging was interrupted, the run that it judges, and its draft.
func halfJudged(c *console.Console, given *rejudgeOptions) (run, old *store.Run, d runner.Draft,
	err error) {
	if run, err = store.Find(given.runsDir, given.resume); err != nil {
		return nil, nil, d, err
	}
	m := run.Manifest
	switch {
	case m.RejudgeOf == "":
		err = console.Usagef("run %s was not judged again; finish it with `%s`", m.Run, store.ResumeCommand(run.Dir, m))
	case len(given.words) > 0:
		err = console.Usagef("--resume keeps the settings of the run: leave %s out", strings.Join(given.words, " "))
	case given.has(flagConfig):
		err = given.idle("with --resume, which keeps the settings of the run", flagConfig)
	default:
		var set []string
		for _, key := range given.agent() {
			set = append(set, key.flag)
		}
		if err = given.idle("with --resume, which keeps the settings of the run", set...); err == nil {
			old, err = store.Find(given.runsDir, m.RejudgeOf)
		}
	}
	if err == nil {
		settings := m.Configurations[0].Configuration
		given.override(&settings)
		asked := settings.Limits
		settings = m.Configurations[0].Configuration
		settings.Limits = asked
		d, err = runner.Retake{Settings: settings, Source: given.dataset, Versions: c.Assembler.Versions,
			Now: time.Now()}.Draft(m)
	}
	return run, old, d, err
}

// judgingOf returns the change of a configuration that flags and a file request.
func judgingOf(given *settings) (func(*config.Configuration), error) {
	file, wrong := given.fromFile(config.New())
	named := given.file != ""
	if named && wrong != nil {
		return nil, console.Usagef("%w", wrong)
	}
	return func(c *config.Configuration) {
		if named {
			c.Extract, c.Extractor = file.Extract, file.Extractor
			c.Judge, c.Verifier, c.Consensus, c.Pass = file.Judge, file.Verifier, file.Consensus, file.Pass
		}
		given.override(c)
		for _, spec := range []*string{&c.Judge.Correctness, &c.Judge.Quality} {
			if *spec == "" && !named { // keep the run's choice and apply no default
				*spec = config.NoModel
			}
		}
		*c = c.Completed()
	}, nil
}

//go:embed help/rejudge.txt
var rejudgeHelp string

// rejudgeOptions holds the arguments and flags of concur rejudge.
type rejudgeOptions struct {
	arguments
	settings
	reportOptions

	dataset, resume, runsDir string
	quiet                    bool
}

func rejudgeCommand(c *console.Console) *cli.Command {
	var given rejudgeOptions
	return &cli.Command{
		Name: "rejudge", ArgsUsage: "RUN", Description: described(rejudgeHelp),
		Usage: "read, vote on and judge the traces of a run again; no agent runs",
		Flags: slices.Concat(
			withDefault("the run's", slices.Concat(
				[]cli.Flag{
					extractKey(&given.settings), extractorKey(&given.settings), judgeKey(&given.settings),
					calibrationKey(&given.settings), passKey(&given.settings),
				},
				limitFlags(&given.settings),
				[]cli.Flag{
					thresholdKey(&given.settings), repeatsKey(&given.settings), stagesKey(&given.settings),
					quorumKey(&given.settings), verifierKey(&given.settings),
				},
			)...),
			[]cli.Flag{
				&cli.StringFlag{
					Name: flagConfig, TakesFile: true, Destination: &given.file, DefaultText: "the run's",
					Usage: "use extract, extractor, judge, verifier, consensus and pass of `FILE`",
				},
				&cli.StringFlag{
					Name: flagDataset, TakesFile: true, Destination: &given.dataset, DefaultText: "the run's",
					Usage: "`FILE` with the run's queries and changed golds",
				},
				&cli.StringFlag{
					Name: flagResume, TakesFile: true, Destination: &given.resume,
					Usage: "finish `RUN`, an interrupted rejudge",
				},
				runsDirFlag(&given.runsDir),
				quietFlag(&given.quiet),
			},
			tableFlags(&given.tableOptions),
			comparisonFlags(&given.comparisonOptions),
			resultFlags(&given.resultOptions),
		),
		Action: takes(&given.arguments, "", withRun(c, &given.arguments, &given.resultOptions,
			func(ctx context.Context, o *console.Output) error {
				return rejudgeAction(ctx, c, &given, o)
			}, &given.file, &given.dataset), &given.resume),
	}
}
