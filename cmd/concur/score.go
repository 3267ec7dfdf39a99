package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/ablations/confirm"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/ablations/score"
	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/reports"
)

// scoreFormats are those of the figures of recorded answers.
func scoreFormats() []string {
	return []string{string(reports.FormatTable), string(reports.FormatMarkdown), formatJSON}
}

func (c *console) scoreCommand() *cli.Command {
	return &cli.Command{
		Name: "score",
		Flags: slices.Concat(outputFlags(scoreFormats()), comparisonFlags(), scoreGateFlags(), []cli.Flag{
			&cli.StringFlag{Name: "id", Value: "id", Usage: "take the id from `FIELD`; a line without one is named by its number"},
			&cli.StringFlag{Name: "gold", Value: "gold", Usage: "take the right answer, or a list of them, from `FIELD`"},
			&cli.StringFlag{Name: "answers", Value: "answers", Usage: "take the answers, or one answer, from `FIELD`"},
			&cli.StringFlag{Name: "correct", Usage: "take verdicts, true or false for each answer, from `FIELD` in place of the gold"},
			&cli.StringFlag{Name: "type", Usage: "read answers as values of `TYPE`, such as integer or date; implies --norm typed"},
			&cli.StringFlag{Name: "norm", Usage: "answers are the same by `NORM`: none (equal texts), typed, or squad", DefaultText: "none, or typed with --type"},
			&cli.StringFlag{Name: "nulls", Value: string(score.NullsVote), Usage: "an answer that is null or blank will `DO` this: vote as one more answer that is wrong, or abstain"},
			&cli.StringFlag{Name: "quorum", Value: string(consensus.QuorumMajority), Usage: "a verdict needs the majority of all answers, or with none of those that vote: `QUORUM`"},
			&cli.StringFlag{Name: "verify", Usage: "let `PROVIDER:MODEL` merge answers that mean the same, before votes are counted"},
			&cli.StringFlag{Name: "judge", Usage: "let `PROVIDER:MODEL` rule on each different answer that is not equal to the gold"},
			configFlag(),
			&cli.BoolFlag{Name: flagPartial, Usage: "leave out lines that cannot be read, and report them"},
		}),
		Action: c.withOutput(scoreFormats(), c.scoreAction),
	}
}

func (c *console) scoreAction(ctx *cli.Context, o *output) error {
	how := reporting(ctx)
	options := score.Options{
		Fields: score.Fields{ID: ctx.String("id"), Gold: ctx.String("gold"), Answers: ctx.String("answers"), Correct: ctx.String("correct")},
		Type:   answer.Type(ctx.String("type")), Norm: score.Norm(ctx.String("norm")), Nulls: score.Nulls(ctx.String("nulls")),
		Quorum: consensus.Quorum(ctx.String("quorum")), Partial: ctx.Bool(flagPartial), Records: ctx.IsSet(flagGate),
	}
	switch {
	case options.Records && ctx.NArg() != 1:
		return usagef("--%s takes one file, and was given %d", flagGate, ctx.NArg())
	case !options.Records && ctx.Bool(flagAdd), !ctx.Bool(flagAdd) && ctx.IsSet(flagOverride):
		return usagef("--%s needs --%s FILE, and --%s needs both", flagAdd, flagGate, flagOverride)
	}
	var s *score.Score
	read := func(within context.Context, v *consensus.Verifier, j *judge.Correctness) (err error) {
		options.Verifier, options.Judge = v, j
		s, err = score.Files(within, ctx.Args().Slice(), c.in, options, how.Options)
		return err
	}
	var err error
	if verifier, correctness := ctx.String("verify"), ctx.String("judge"); verifier == "" && correctness == "" {
		err = read(ctx.Context, nil, nil)
	} else {
		conf, wrong := c.configuration(ctx, "")
		if wrong != nil {
			return wrong
		}
		options.Parallel = conf.Limits.Traces()
		err = c.assembler.WithJudges(ctx.Context, conf, verifier, correctness, read)
	}
	if err != nil {
		return err
	}
	if options.Records {
		return c.gateScore(ctx, o, s)
	}
	return o.write(func() error { return reports.Score(o, reports.Format(o.format), s, how.options(o)) })
}

const (
	flagGate     = "gate"
	flagAdd      = "add"
	flagOverride = "override"
)

func scoreGateFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: flagGate, Usage: "decide by the accepted recordings in the baseline `FILE`; the exit codes are those of concur gate"},
		&cli.BoolFlag{Name: flagAdd, Usage: "after --gate, accept the recording into that file, as concur baseline add does with a run"},
		&cli.StringFlag{Name: flagOverride, Usage: "with --add, accept it against the decision, for this `REASON`"},
	}
}

// gateScore decides on recorded answers, and accepts them where that is asked for.
func (c *console) gateScore(ctx *cli.Context, o *output, s *score.Score) error {
	written := time.Now()
	if info, err := os.Stat(ctx.Args().First()); err == nil { // else standard input
		written = info.ModTime()
	}
	file, adding := ctx.String(flagGate), ctx.Bool(flagAdd)
	if err := checkOutputs(ctx, file); err != nil {
		return err
	}
	pass, data := s.Pass(written)
	b := &baseline.Baseline{}
	if _, err := os.Stat(file); err == nil {
		if b, err = baseline.Read(file); err != nil {
			return err
		}
	} else if !adding {
		return usagef("read baseline: %w; begin one with `concur score FILE --%s %s --%s`", err, flagGate, file, flagAdd)
	}
	of := confirm.Case{Pass: pass, Data: data, Baseline: b}
	if err := of.Prepare(); err != nil {
		return usagef("gate %s: %w", s.File, err)
	}
	of.Evidence.Retry = "a new recording"
	out := gate.Decide(of.Evidence, gate.Options{Alpha: gate.DefaultAlpha, AnswersOnly: true})
	report := reports.GateOf(of, nil, out)
	report.Baseline = file
	if err := o.write(func() error { return reports.WriteGate(o, reports.Format(o.format), report, o.screen(false)) }); err != nil {
		return err
	}
	if !adding {
		return decided(report)
	}
	candidate := baseline.Candidate{Pass: pass, Decision: out.Decision, Bootstrap: out.Bootstrap}
	if reason := ctx.String(flagOverride); reason != "" {
		candidate.Override = &baseline.Override{Reason: reason, Author: c.author(ctx.Context)}
	}
	b, err := changeBaseline(ctx.Context, file, func(b *baseline.Baseline) error { return b.Add(candidate, data) })
	if err != nil {
		return &exitError{cmp.Or(out.Decision.ExitCode(), exitUsage), err}
	}
	_, err = fmt.Fprintf(c.err, "accepted %s into %s, which has %s of answers graded %s\n", pass.Manifest.Run, file,
		gate.Counted(len(b.Counting(pass.Configuration.Name)), "recording"), pass.Configuration.Name)
	return err
}
