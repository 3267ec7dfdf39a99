package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
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

func (c *console) scoreAction(ctx *cli.Context, o *output) error {
	how := reporting(ctx)
	options := score.Options{
		Fields: score.Fields{ID: ctx.String("id"), Gold: ctx.String("gold"), Answers: ctx.String("answers"), Correct: ctx.String("correct")},
		Type:   answer.Type(ctx.String("type")), Norm: score.Norm(ctx.String("norm")), Nulls: score.Nulls(ctx.String("nulls")),
		Quorum: consensus.Quorum(ctx.String("quorum")), Partial: ctx.Bool(flagPartial), Records: ctx.IsSet("gate"),
	}
	switch {
	case options.Records && ctx.NArg() != 1:
		return usagef("--gate takes one file, and was given %d", ctx.NArg())
	case !options.Records && ctx.Bool("add"), !ctx.Bool("add") && ctx.IsSet("override"):
		return usagef("--add needs --gate FILE, and --override needs both")
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

// gateScore decides on recorded answers, and accepts them where that is asked for.
func (c *console) gateScore(ctx *cli.Context, o *output, s *score.Score) error {
	written := time.Now()
	if info, err := os.Stat(ctx.Args().First()); err == nil { // else standard input
		written = info.ModTime()
	}
	file, adding := ctx.String("gate"), ctx.Bool("add")
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
		return usagef("read baseline: %w; begin one with `concur score FILE --gate %s --add`", err, file)
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
	if reason := ctx.String("override"); reason != "" {
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
