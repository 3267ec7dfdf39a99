package main

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations"
	"github.com/seed-5817661a/concur/ablations/labels"
	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/judge/agreement"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/reports/labelling"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/replay"
	"github.com/seed-5817661a/concur/runner/store"
)

// readFile reads the one file of what a command needs.
func readFile[T any](c *console, file, command, needs string, read func(name string, r io.Reader) (T, error)) (out T, err error) {
	if file == "" {
		return out, usagef("judge calibrate takes one file, or - for standard input, or --from RUN")
	}
	in, name, err := lines.Open(file, c.in)
	if err == nil {
		defer in.Close()
		out, err = read(name, in)
	}
	return out, orOther(err, file, command, needs)
}

// labelled gives the labelled answers of a file, or of a run, and the configuration whose judge is calibrated.
func (c *console) labelled(ctx context.Context, given *judgeCalibrateOptions) (list []agreement.Labelled, conf config.Configuration, err error) {
	if given.from == "" {
		if err := given.idle("without --from RUN", flagDataset); err != nil {
			return nil, conf, err
		}
		if list, err = readFile(c, given.word(0), "judge calibrate", "labelled answers as JSONL", agreement.ReadLabelled); err == nil {
			conf, err = c.configuration(&given.settings, "")
		}
		return list, conf, err
	}
	if len(given.words) > 0 {
		return nil, conf, usagef("--from takes its answers from a run: leave %s out", given.word(0))
	}
	run, err := c.findRun(given.runsDir, given.from)
	if err != nil {
		return nil, conf, err
	}
	records, unread := run.Sorted()
	change, wrong := judgingOf(&given.settings)
	data, _, err := runner.Reopen(run.Manifest, given.dataset)
	if err = cmp.Or(unread, wrong, err); err == nil {
		list, err = labels.Labelled(run.Manifest.Run, records, data)
	}
	if err != nil {
		return nil, conf, err
	}
	conf = run.Manifest.Configurations[0].Configuration
	change(&conf)
	return list, conf, nil
}

func (c *console) calibrateAction(ctx context.Context, given *judgeCalibrateOptions, o *output) error {
	list, conf, err := c.labelled(ctx, given)
	if err != nil {
		return err
	}
	if err := conf.Validate(); err != nil {
		return err
	}
	if len(conf.CorrectnessModels()) == 0 {
		return usagef("no correctness judge is configured: name one with --judge, or as judge.correctness")
	}
	rule := conf.Judge.Panel.Rule
	conf.Judge.Calibration, conf.Judge.Panel.Rule = "", "" // which rest on the calibration that is made here
	set, stop := c.progress(given.quiet).Bar("ask the judge")
	var found *judge.Calibration
	err = c.assembler.WithJudges(ctx, conf, assemble.Questioners{Correctness: conf.Judge.Correctness}, func(within context.Context, open runner.Arm) error {
		j := open.Correctness
		if j.Panel != nil && rule != "" {
			j.Panel.Rule = rule
		}
		found, err = agreement.Calibrate(within, j, list, conf.Limits.Traces(), set)
		return err
	})
	stop()
	if err != nil {
		return fmt.Errorf("%w; nothing was written; fix that, then calibrate again", err)
	}
	return writeValue(o, found, reports.Calibration)
}

func (c *console) judgeScoreAction(ctx context.Context, given *judgeScoreOptions, o *output) error {
	found, err := readFile(c, given.word(0), "judge score", "recorded verdicts as JSONL", agreement.ReadRecording)
	if err != nil {
		return err
	}
	return writeValue(o, found, reports.JudgeScore)
}

func (c *console) rejudgeAction(ctx context.Context, given *rejudgeOptions, o *output) error {
	var draft runner.Draft
	var old, run *store.Run // run is nil until its folder is made
	var err error
	if err := given.tableOptions.check(&given.arguments); err != nil {
		return err
	}
	if given.resume != "" {
		run, old, draft, err = c.halfJudged(ctx, given)
	} else if old, err = c.findRun(given.runsDir, given.word(0)); err == nil {
		var changed []string
		r := runner.Rejudge{Run: old, Source: given.dataset, Now: time.Now()}
		if r.Change, err = judgingOf(&given.settings); err == nil {
			draft, changed, err = r.Draft()
		}
		if err == nil {
			fmt.Fprintf(c.err, "rejudge: %s, %s\n", reports.Printable(old.Manifest.Run), reports.Printable(strings.Join(append(changed, "answers as they were"), "; ")))
		}
	}
	if err == nil {
		err = comparesNothing(&given.arguments, old.Manifest)
	}
	if err != nil {
		return err
	}
	recorded, err := old.Recording()
	if err != nil {
		return err
	}
	defer recorded.Close() // only read
	return c.assembler.WhileJudging(ctx, draft, replay.New(recorded), func(running context.Context, s *assemble.Session) error {
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
		return c.execute(running, s, out, prior, o, execution{given.quiet, given.reporting()})
	})
}

// halfJudged is a run whose judging was interrupted, the run that it judges, and its draft.
func (c *console) halfJudged(ctx context.Context, given *rejudgeOptions) (run, old *store.Run, d runner.Draft, err error) {
	if run, err = store.Find(given.runsDir, given.resume); err != nil {
		return nil, nil, d, err
	}
	m := run.Manifest
	switch {
	case m.RejudgeOf == "":
		err = usagef("run %s was not judged again; finish it with `%s`", m.Run, store.ResumeCommand(run.Dir, m))
	case len(given.words) > 0:
		err = usagef("--resume finishes a run as it was begun: leave %s out", strings.Join(given.words, " "))
	case given.has(flagConfig):
		err = given.idle("with --resume, which finishes a run as it was begun", flagConfig)
	default:
		var set []string
		for _, key := range given.agent() {
			set = append(set, key.flag)
		}
		if err = given.idle("with --resume, which finishes a run as it was begun", set...); err == nil {
			old, err = store.Find(given.runsDir, m.RejudgeOf)
		}
	}
	if err == nil {
		settings := m.Configurations[0].Configuration
		given.override(&settings)
		asked := settings.Limits
		settings = m.Configurations[0].Configuration
		settings.Limits = asked
		d, err = runner.Retake{Settings: settings, Source: given.dataset, Versions: c.assembler.Versions, Now: time.Now()}.Draft(m)
	}
	return run, old, d, err
}

// judgingOf is the change of a configuration that flags and a file ask for.
func judgingOf(given *settings) (func(*config.Configuration), error) {
	file, wrong := given.fromFile(config.New())
	named := given.file != ""
	if named && wrong != nil {
		return nil, usagef("%w", wrong)
	}
	return func(c *config.Configuration) {
		if named {
			c.Extract, c.Extractor = file.Extract, file.Extractor
			c.Judge, c.Verifier, c.Consensus, c.Pass = file.Judge, file.Verifier, file.Consensus, file.Pass
		}
		given.override(c)
		for _, spec := range []*string{&c.Judge.Correctness, &c.Judge.Quality} {
			if *spec == "" && !named { // the run's own choice, which no default fills
				*spec = config.NoModel
			}
		}
		*c = c.Completed()
	}, nil
}

func (c *console) labelAction(ctx context.Context, given *labelOptions) error {
	run, err := c.findRun(given.runsDir, given.word(0))
	if err != nil {
		return err
	}
	if run.Manifest.State != store.Complete {
		return usagef("run %s is not complete (state: %s): finish it first with `%s`", run.Manifest.Run, run.Manifest.State, store.ResumeCommand(run.Dir, run.Manifest))
	}
	records, err := chosen(given.configuration, run)
	if err != nil {
		return err
	}
	s := &labelling.Session{
		Run: run, In: c.in, Out: c.out, Err: c.err, Screen: screenOf(c.err, c.environ, usualWidth),
		Author: cmp.Or(given.author, c.author(ctx)),
	}
	switch len(given.words) {
	case 1:
		if err := given.idle("without a QUERY", flagReason); err != nil {
			return err
		}
		order, wrong := labels.Order(records, run.Manifest.Seed, given.uniform)
		if wrong != nil {
			return usagef("label run %s: %w", run.Manifest.Run, wrong)
		}
		err = s.Ask(ctx, order, given.limit)
	case 3:
		if err := given.idle("with a QUERY", flagLimit, flagUniform); err != nil {
			return err
		}
		err = s.One(ctx, records, given.word(1), judge.Ruling(given.word(2)), given.reason)
	default:
		return usagef("label takes RUN, or RUN QUERY correct|incorrect")
	}
	if err != nil || s.Given == 0 {
		return err
	}
	r, err := ablations.Summarize(run.Manifest, run.Records(), "", ablations.Options{Margin: ablations.DefaultMargin})
	if err != nil {
		return err
	}
	return c.derive(run, r)
}

//go:embed help/rejudge.txt
var rejudgeHelp string

// rejudgeOptions are the arguments and flags of concur rejudge.
type rejudgeOptions struct {
	arguments
	settings
	reportOptions

	dataset, resume, runsDir string
	quiet                    bool
}

func rejudgeCommand(c *console) *cli.Command {
	var given rejudgeOptions
	return &cli.Command{
		Name: "rejudge", ArgsUsage: "RUN", Description: described(rejudgeHelp),
		Usage: "read, decide and judge the traces of a run again; no agent runs",
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
					Usage: "take extract, extractor, judge, verifier, consensus and pass from `FILE`",
				},
				&cli.StringFlag{
					Name: flagDataset, TakesFile: true, Destination: &given.dataset, DefaultText: "the run's",
					Usage: "`FILE` with the run's queries, where their golds are other ones now",
				},
				&cli.StringFlag{
					Name: flagResume, TakesFile: true, Destination: &given.resume,
					Usage: "finish `RUN`, which was interrupted while it was judged again",
				},
				runsDirFlag(&given.runsDir),
				quietFlag(&given.quiet),
			},
			tableFlags(&given.tableOptions),
			comparisonFlags(&given.comparisonOptions),
			resultFlags(&given.resultOptions),
		),
		Action: takes(&given.arguments, "", c.withRun(&given.arguments, &given.resultOptions, func(ctx context.Context, o *output) error {
			return c.rejudgeAction(ctx, &given, o)
		}, &given.file, &given.dataset), &given.resume),
	}
}

//go:embed help/label.txt
var labelHelp string

// labelOptions are the arguments and flags of concur label.
type labelOptions struct {
	arguments

	author, reason, configuration, runsDir string
	limit                                  int
	uniform                                bool
}

func labelCommand(c *console) *cli.Command {
	var given labelOptions
	return &cli.Command{
		Name: "label", ArgsUsage: "RUN [QUERY correct|incorrect]", Description: described(labelHelp),
		Usage: "say yourself which answers of a run are right",
		Flags: []cli.Flag{
			&cli.StringFlag{
				Name: "author", Destination: &given.author, EnvVars: []string{"CONCUR_AUTHOR"}, DefaultText: "whom git names",
				Usage: "`NAME` of who labels",
			},
			&cli.StringFlag{Name: flagReason, Destination: &given.reason, Usage: "`WHY`, of a label on a QUERY"},
			&cli.IntFlag{
				Name: flagLimit, Destination: &given.limit, DefaultText: "until q",
				Usage: "end after so many `LABELS`",
			},
			&cli.BoolFlag{
				Name: flagUniform, Destination: &given.uniform,
				Usage: "draw every answer with the same chance",
			},
			&cli.StringFlag{
				Name: flagConfiguration, Destination: &given.configuration, DefaultText: "all",
				Usage: "label the configuration `NAME` of an ablation only",
			},
			runsDirFlag(&given.runsDir),
		},
		Action: takes(&given.arguments, "RUN, or RUN QUERY correct|incorrect", func(ctx context.Context) error {
			return c.labelAction(ctx, &given)
		}),
	}
}

func judgeCommand(c *console) *cli.Command {
	return &cli.Command{
		Name:   "judge",
		Usage:  "find out how far a judge can be believed",
		Action: showCommands,
		Subcommands: []*cli.Command{
			judgeCalibrateCommand(c),
			judgeScoreCommand(c),
		},
	}
}

//go:embed help/judge-calibrate.txt
var judgeCalibrateHelp string

// judgeCalibrateOptions are the arguments and flags of concur judge calibrate.
type judgeCalibrateOptions struct {
	arguments
	settings
	resultOptions

	from, dataset, runsDir string
	quiet                  bool
}

func judgeCalibrateCommand(c *console) *cli.Command {
	var given judgeCalibrateOptions
	return &cli.Command{
		Name: "calibrate", ArgsUsage: "[FILE]", Description: described(judgeCalibrateHelp),
		Usage: "compare a judge's verdicts with people's labels",
		Flags: slices.Concat(
			[]cli.Flag{
				judgeKey(&given.settings),
			},
			limitFlags(&given.settings),
			[]cli.Flag{
				thresholdKey(&given.settings),
				repeatsKey(&given.settings),
			},
			figureFlags(&given.resultOptions),
			[]cli.Flag{
				&cli.StringFlag{
					Name: flagFrom, TakesFile: true, Destination: &given.from,
					Usage: "take the answers that people labelled in `RUN`, in place of FILE",
				},
				&cli.StringFlag{
					Name: flagDataset, TakesFile: true, Destination: &given.dataset, DefaultText: "the run's",
					Usage: "with --from: `FILE` where the run's queries are now",
				},
				runsDirFlag(&given.runsDir),
				configFlag(&given.settings),
				quietFlag(&given.quiet),
			},
		),
		Action: takes(&given.arguments, "one file, or - for standard input", c.withOutput(&given.arguments, &given.resultOptions, func(ctx context.Context, o *output) error {
			return c.calibrateAction(ctx, &given, o)
		}, &given.dataset, &given.file)),
	}
}

//go:embed help/judge-score.txt
var judgeScoreHelp string

// judgeScoreOptions are the arguments and flags of concur judge score.
type judgeScoreOptions struct {
	arguments
	resultOptions
}

func judgeScoreCommand(c *console) *cli.Command {
	var given judgeScoreOptions
	return &cli.Command{
		Name: "score", ArgsUsage: "FILE", Description: described(judgeScoreHelp),
		Usage: "compare recorded verdicts of judges with labels; no model is asked",
		Flags: figureFlags(&given.resultOptions),
		Action: takes(&given.arguments, "one file, or - for standard input", c.withOutput(&given.arguments, &given.resultOptions, func(ctx context.Context, o *output) error {
			return c.judgeScoreAction(ctx, &given, o)
		})),
	}
}
