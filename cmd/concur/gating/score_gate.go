package gating

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"time"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/ablations/confirm"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/ablations/score"
	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/gatereport"
)

// gateScore decides on recorded answers, and accepts them if that is requested.
func gateScore(ctx context.Context, c *console.Console, given *scoreOptions, o *console.Output, s *score.Score) error {
	written := time.Now()
	if info, err := os.Stat(given.Word(0)); err == nil { // standard input has no such file
		written = info.ModTime()
	}
	file, adding := given.gate, given.add
	if err := given.ResultOptions.Check(file); err != nil {
		return err
	}
	pass, data := s.Pass(written)
	b := &baseline.Baseline{}
	if _, err := os.Stat(file); err == nil {
		if b, err = baseline.Read(file); err != nil {
			return err
		}
	} else if !adding {
		return console.Usagef("read baseline: %w; begin one with `concur score FILE --gate %s --add`", err, file)
	}
	of := confirm.Case{Pass: pass, Data: data, Baseline: b}
	if err := of.Prepare(); err != nil {
		return console.Usagef("gate %s: %w", s.File, err)
	}
	of.Evidence.Retry = "a new recording"
	out := gate.Decide(of.Evidence, gate.Options{Alpha: gate.DefaultAlpha, AnswersOnly: true})
	report := gatereport.New(of, nil, out)
	report.Baseline, report.Explain = file, given.Explain
	if err := o.Deliver(func() error {
		return gatereport.Write(o, document.Format(o.Format), report,
			o.Screen(false))
	}); err != nil {
		return err
	}
	if !adding {
		return decided(report)
	}
	candidate := baseline.Candidate{Pass: pass, Decision: out.Decision, Bootstrap: out.Bootstrap}
	b, err := accept(ctx, c, flags.ValueOr(given.override, ""), file, candidate, data)
	if err != nil {
		return console.WithCode(cmp.Or(out.Decision.ExitCode(), console.ExitUsage), err)
	}
	_, err = fmt.Fprintf(c.Err, "accepted %s into %s, which has %s of answers graded %s\n", pass.Manifest.Run, file,
		text.Counted(len(b.Counting(pass.Configuration.Name)), "recording"), pass.Configuration.Name)
	return err
}
