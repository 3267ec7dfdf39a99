package calibrating

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/labels"
	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/judge/agreement"
	"github.com/seed-5817661a/concur/reports/judging"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/config"
)

// readFile reads the only argument of a command, a file. needs describes the content that the command needs.
func readFile[T any](c *console.Console, file, command, needs string,
	read func(name string, r io.Reader) (T, error)) (out T, err error) {
	if file == "" {
		return out, console.Usagef("judge calibrate takes one file, or - for standard input, or --from RUN")
	}
	in, name, err := lines.Open(file, c.In)
	if err == nil {
		defer in.Close()
		out, err = read(name, in)
	}
	return out, console.OrOther(err, file, command, needs)
}

// labelled returns the labelled answers of a file or of a run, and the configuration of the judge to calibrate.
func labelled(c *console.Console, given *judgeCalibrateOptions) (list []agreement.Labelled,
	conf config.Configuration, err error) {
	if given.from == "" {
		if err := given.Idle("without --from RUN", flags.NameDataset); err != nil {
			return nil, conf, err
		}
		if list, err = readFile(c, given.Word(0), "judge calibrate", "labelled answers as JSONL",
			agreement.ReadLabelled); err == nil {
			conf, err = flags.ReadConfiguration(c, &given.Settings, "")
		}
		return list, conf, err
	}
	if len(given.Words) > 0 {
		return nil, conf, console.Usagef("--from takes its answers from a run: leave %s out", given.Word(0))
	}
	run, err := c.FindRun(given.runsDir, given.from)
	if err != nil {
		return nil, conf, err
	}
	records, unread := run.Sorted()
	change, wrong := flags.JudgingOf(&given.Settings)
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

func calibrateAction(ctx context.Context, c *console.Console, given *judgeCalibrateOptions, o *console.Output) error {
	list, conf, err := labelled(c, given)
	if err != nil {
		return err
	}
	if err := conf.Validate(); err != nil {
		return err
	}
	if len(conf.CorrectnessModels()) == 0 {
		return console.Usagef("no correctness judge is configured: name one with --judge, or as judge.correctness")
	}
	rule := conf.Judge.Panel.Rule
	conf.Judge.Calibration, conf.Judge.Panel.Rule = "", "" // both would need the calibration that is made here
	set, stop := c.Progress(given.quiet).Bar("ask the judge")
	var found *judge.Calibration
	err = c.Assembler.WithJudges(ctx, conf, assemble.Questioners{Correctness: conf.Judge.Correctness},
		func(within context.Context, open runner.Arm) error {
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
	return console.WriteValue(o, found, judging.WriteCalibration)
}

func judgeScoreAction(c *console.Console, given *judgeScoreOptions, o *console.Output) error {
	found, err := readFile(c, given.Word(0), "judge score", "recorded verdicts as JSONL", agreement.ReadRecording)
	if err != nil {
		return err
	}
	return console.WriteValue(o, found, judging.WriteJudgeScore)
}

// JudgeCommand returns the command `concur judge`.
func JudgeCommand(c *console.Console) *cli.Command {
	return &cli.Command{
		Name:   "judge",
		Usage:  "measure how far you can trust a judge",
		Action: flags.ShowCommands,
		Subcommands: []*cli.Command{
			judgeCalibrateCommand(c),
			judgeScoreCommand(c),
		},
	}
}

//go:embed help/judge-calibrate.txt
var judgeCalibrateHelp string

// judgeCalibrateOptions holds the arguments and flags of concur judge calibrate.
type judgeCalibrateOptions struct {
	flags.Arguments
	flags.Settings
	flags.ResultOptions

	from, dataset, runsDir string
	quiet                  bool
}

func judgeCalibrateCommand(c *console.Console) *cli.Command {
	var given judgeCalibrateOptions
	return &cli.Command{
		Name: "calibrate", ArgsUsage: "[FILE]", Description: flags.Described(judgeCalibrateHelp),
		Usage: "compare a judge's verdicts with people's labels",
		Flags: slices.Concat(
			[]cli.Flag{
				flags.Judge(&given.Settings),
			},
			flags.LimitGroup(&given.Settings),
			[]cli.Flag{
				flags.Threshold(&given.Settings),
				flags.Repeats(&given.Settings),
			},
			flags.FigureGroup(&given.ResultOptions),
			[]cli.Flag{
				&cli.StringFlag{
					Name: flags.NameFrom, TakesFile: true, Destination: &given.from,
					Usage: "use the answers that people labelled in `RUN`, in place of FILE",
				},
				&cli.StringFlag{
					Name: flags.NameDataset, TakesFile: true, Destination: &given.dataset, DefaultText: "the run's",
					Usage: "with --from: `FILE` with the run's queries, if it was moved",
				},
				flags.RunsDir(&given.runsDir),
				flags.Config(&given.Settings),
				flags.Quiet(&given.quiet),
			},
		),
		Action: flags.Takes(&given.Arguments, "one file, or - for standard input",
			flags.WithOutput(c, &given.Arguments, &given.ResultOptions, func(ctx context.Context, o *console.Output) error {
				return calibrateAction(ctx, c, &given, o)
			}, &given.dataset, &given.File)),
	}
}

//go:embed help/judge-score.txt
var judgeScoreHelp string

// judgeScoreOptions holds the arguments and flags of concur judge score.
type judgeScoreOptions struct {
	flags.Arguments
	flags.ResultOptions
}

func judgeScoreCommand(c *console.Console) *cli.Command {
	var given judgeScoreOptions
	return &cli.Command{
		Name: "score", ArgsUsage: "FILE", Description: flags.Described(judgeScoreHelp),
		Usage: "compare recorded verdicts of judges with labels; no model is asked",
		Flags: flags.FigureGroup(&given.ResultOptions),
		Action: flags.Takes(&given.Arguments, "one file, or - for standard input",
			flags.WithOutput(c, &given.Arguments, &given.ResultOptions, func(_ context.Context, o *console.Output) error {
				return judgeScoreAction(c, &given, o)
			})),
	}
}
