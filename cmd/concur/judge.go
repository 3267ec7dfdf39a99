package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/judge/agreement"
	"github.com/seed-5817661a/concur/reports"
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

Examples:
  concur judge calibrate labelled.jsonl --judge openai:gpt-4o
  concur judge calibrate labelled.jsonl --format json --out judge.json
  concur run --judge openai:gpt-4o --calibration judge.json --pass correctness`,
			Flags:  slices.Concat(judgingFlags("the configuration's", "model", "judge"), outputFlags(plainFormats()), []cli.Flag{configFlag(), quietFlag()}),
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
func (c *console) readFile(ctx *cli.Context, read func(name string, r io.Reader) error) error {
	if ctx.NArg() != 1 {
		return usagef("%s takes one file, or - for standard input, and was given %d", ctx.Command.HelpName, ctx.NArg())
	}
	name := ctx.Args().First()
	if name == "-" {
		return read("standard input", c.in)
	}
	f, err := os.Open(name)
	if err != nil {
		return usagef("%w", err)
	}
	defer f.Close()
	return read(name, f)
}

func (c *console) calibrateAction(ctx *cli.Context, o *output) error {
	var list []agreement.Labelled
	if err := c.readFile(ctx, func(name string, r io.Reader) (err error) {
		list, err = agreement.ReadLabelled(name, r)
		return err
	}); err != nil {
		return usagef("%w", err)
	}
	conf, err := c.configuration(ctx, "")
	if err != nil {
		return err
	}
	overrideJudging(ctx, &conf)
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
	return o.write(func() error {
		if o.format == formatJSON {
			return reports.JSON(o, found)
		}
		return reports.Calibration(o, found, o.screen(false))
	})
}

func (c *console) judgeScoreAction(ctx *cli.Context, o *output) error {
	var found *agreement.Recording
	if err := c.readFile(ctx, func(name string, r io.Reader) (err error) {
		found, err = agreement.ReadRecording(name, r)
		return err
	}); err != nil {
		return usagef("%w", err)
	}
	return o.write(func() error {
		if o.format == formatJSON {
			return reports.JSON(o, found)
		}
		return reports.JudgeScore(o, found, o.screen(false))
	})
}
