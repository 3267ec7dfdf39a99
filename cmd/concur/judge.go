package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/labels"
	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/internal/lines"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/judge/agreement"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

func (c *console) judgeCommand() *cli.Command {
	return &cli.Command{
		Name:   "judge",
		Usage:  "find out how far a judge can be believed",
		Action: group,
		Subcommands: []*cli.Command{{
			Name:      "calibrate",
			Usage:     "compare a judge's verdicts with people's labels",
			ArgsUsage: "FILE",
			Description: `FILE is JSONL, compressed or not, or - for standard input: query, gold, answer and label (true,
false, correct, incorrect) a line; also id, type, aliases, condition, and score, a person's 1 to
5. Take 50 answers or more, of both kinds. The judge, or panel, of concur.yaml is asked, or the
one of --judge. Its JSON form is what judge.calibration refers to.

In place of FILE, --from RUN takes the answers of a run that people labelled with concur label,
each weighed by 1/chance of its draw, and the judge of that run unless you name another.

Examples:
  concur judge calibrate labelled.jsonl --judge openai:gpt-4o
  concur judge calibrate labelled.jsonl --format json --out judge.json
  concur judge calibrate --from latest --format json --out judge.json
  concur run --judge openai:gpt-4o --calibration judge.json --pass correctness`,
			Flags: slices.Concat(flagsNamed("judge", "threshold", "repeats"), outputFlags(plainFormats()), []cli.Flag{
				&cli.StringFlag{Name: flagFrom, Usage: "take the answers that people labelled in `RUN`, in place of FILE"},
				&cli.StringFlag{Name: flagDataset, Usage: "with --from: `FILE` where the run's queries are now", DefaultText: "the run's"},
				runsDirFlag(), configFlag(), quietFlag()}),
			Action: c.withOutput(plainFormats(), c.calibrateAction),
		}, {
			Name:      "score",
			Usage:     "compare recorded verdicts of judges with labels; no model is asked",
			ArgsUsage: "FILE",
			Description: `FILE is JSONL, compressed or not, or - for standard input: label, and the verdicts of each
judge: true, false, null where it gave none, or a list of them where it was asked repeatedly. Where
a judge chose between two options in both orders, orders has its two verdicts: true where the
option that was shown first won.

  {"id": "1", "label": true, "verdicts": {"a": true, "b": [true, false, true]}}
  {"id": "2", "label": false, "verdicts": {"a": null}, "orders": {"a": [true, false]}}

Examples:
  concur judge score verdicts.jsonl
  concur judge score verdicts.jsonl.gz --format json`,
			Flags:  outputFlags(plainFormats()),
			Action: c.withOutput(plainFormats(), c.judgeScoreAction),
		}},
	}
}

// readFile reads the one file that a command takes.
func readFile[T any](c *console, ctx *cli.Context, read func(name string, r io.Reader) (T, error)) (out T, err error) {
	if ctx.NArg() != 1 {
		return out, usagef("%s takes one file, or - for standard input, and was given %d", ctx.Command.HelpName, ctx.NArg())
	}
	in, name, err := lines.Open(ctx.Args().First(), c.in)
	if err == nil {
		defer in.Close()
		out, err = read(name, in)
	}
	if err != nil {
		return out, usagef("%w", err)
	}
	return out, nil
}

// labelled gives the labelled answers of a file, or of a run, and the configuration whose judge
// is calibrated.
func (c *console) labelled(ctx *cli.Context) (list []agreement.Labelled, conf config.Configuration, err error) {
	if !ctx.IsSet(flagFrom) {
		if list, err = readFile(c, ctx, agreement.ReadLabelled); err == nil {
			conf, err = c.configuration(ctx, "")
		}
		return list, conf, err
	}
	if ctx.NArg() > 0 {
		return nil, conf, usagef("--%s takes its answers from a run: leave %s out", flagFrom, ctx.Args().First())
	}
	run, err := store.Find(ctx.String(flagRunsDir), ctx.String(flagFrom))
	if err != nil {
		return nil, conf, err
	}
	records, err := run.Sorted()
	if err != nil {
		return nil, conf, err
	}
	change, wrong := judgingOf(ctx)
	data, _, err := runner.Reopen(run.Manifest, ctx.String(flagDataset))
	if err = cmp.Or(wrong, err); err == nil {
		list, err = labels.Labelled(run.Manifest.Run, records, data)
	}
	if err != nil {
		return nil, conf, usagef("%w", err)
	}
	conf = run.Manifest.Configurations[0].Configuration
	change(&conf)
	return list, conf, nil
}

func (c *console) calibrateAction(ctx *cli.Context, o *output) error {
	list, conf, err := c.labelled(ctx)
	if err != nil {
		return err
	}
	if err := conf.Validate(); err != nil {
		return usagef("%w", err)
	}
	if len(conf.CorrectnessModels()) == 0 {
		return usagef("no correctness judge is configured: name one with --judge, or as judge.correctness")
	}
	rule := conf.Judge.Panel.Rule
	conf.Judge.Calibration, conf.Judge.Panel.Rule = "", "" // which rest on the calibration that is made here
	set, stop := c.progress(ctx.Bool(flagQuiet)).Bar("ask the judge")
	var found *judge.Calibration
	err = c.assembler.WithJudges(ctx.Context, conf, "", conf.Judge.Correctness, func(within context.Context, _ *consensus.Verifier, j *judge.Correctness) error {
		if j.Panel != nil && rule != "" {
			j.Panel.Rule = rule
		}
		found, err = agreement.Calibrate(within, j, list, conf.Limits.Traces(), set)
		return err
	})
	stop()
	if err != nil {
		return fmt.Errorf("%w; nothing was written: once that is mended, calibrate again", err)
	}
	return writeValue(o, found, reports.Calibration)
}

func (c *console) judgeScoreAction(ctx *cli.Context, o *output) error {
	found, err := readFile(c, ctx, agreement.ReadRecording)
	if err != nil {
		return err
	}
	return writeValue(o, found, reports.JudgeScore)
}
