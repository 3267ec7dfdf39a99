package main

import (
	"cmp"
	"fmt"
	"os"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/ablations/confirm"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/ablations/score"
	"github.com/seed-5817661a/concur/reports"
)

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
