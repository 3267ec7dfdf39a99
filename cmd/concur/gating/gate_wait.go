package gating

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/ablations/confirm"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/reports/gatereport"
	"github.com/seed-5817661a/concur/runner/store"
)

// defaultSpacing is the time after the run at which another session of the provider begins, if the gate itself
// asks for one.
const defaultSpacing = 30 * time.Minute

// again returns the command that asks the gate the same question about the same run. The command has the name
// of the run, because latest will mean another run later.
func again(given *gateOptions, run *store.Run) string {
	words := []string{"concur", "gate", run.Dir}
	if runs, err := filepath.Abs(given.runsDir); err == nil && console.SameFile(runs, filepath.Dir(run.Dir)) {
		words[2] = run.Manifest.Run
	}
	named := slices.SortedFunc(slices.Values(given.Flags), func(a, b flags.LineFlag) int {
		return cmp.Compare(a.Name,
			b.Name)
	})
	for _, f := range named {
		switch value := f.Value.(type) {
		case bool:
			if value && !slices.Contains([]string{flags.NameWait, flags.NameNoConfirm, flags.NameQuiet, flags.NameExplain},
				f.Name) {
				words = append(words, "--"+f.Name)
			}
		default:
			if !slices.Contains([]string{flags.NameOut, flags.NameFormat, flags.NameJunit, flags.NameMarkdown,
				flags.NameSimulations}, f.Name) {
				words = append(words, "--"+f.Name, fmt.Sprint(value))
			}
		}
	}
	for i, word := range words {
		words[i] = store.ShellQuoted(word)
	}
	return strings.Join(words, " ")
}

// wait waits for another session of the provider, and shows a countdown.
func (g *gateService) wait(ctx context.Context, until time.Time) error {
	command := again(g.given, g.run)
	began := func(s os.Signal) {
		fmt.Fprintf(g.Err, "concur: %s: the wait is over; `%s` goes on\n", s, command)
	}
	g.signals.Began.Store(&began)
	waiting, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-g.signals.Drain:
			cancel()
		case <-waiting.Done():
		}
	}()
	stop := g.Progress(g.given.quiet).Countdown("the gate waits for another session of the provider", until)
	defer stop()
	if err := confirm.Until(waiting, until); err != nil {
		return console.WithCode(console.ExitInterrupted, errors.New("interrupted; `"+command+"` goes on"))
	}
	return nil
}

// finishOpen decides the gates of earlier runs that wait for another session of the provider, each with its own
// question: the session is now another one. It warns of runs that stay undecided.
func (g *gateService) finishOpen(ctx context.Context) error {
	file := g.question.Baseline
	open, err := g.Undecided(g.run.Dir, file)
	if err != nil {
		return err
	}
	if g.options.NoFresh == "" && g.question.As == "" {
		for _, o := range slices.Backward(open) { // the oldest first
			if !o.Waits {
				continue
			}
			decision, err := g.finish(ctx, o)
			if err != nil && console.ExitCode(err) == console.ExitInterrupted {
				return err
			}
			name := o.Run.Manifest.Run
			said := string(decision)
			switch {
			case err != nil:
				said = "it cannot be decided: " + err.Error()
			case decision == gate.Pass:
				said += "; accept the run with `concur baseline add " + store.ShellQuoted(name) + "`"
			}
			fmt.Fprintf(g.Err, "concur: %s, whose gate waited for another session, is decided first: %s\n", name, said)
		}
		if open, err = g.Undecided(g.run.Dir, file); err != nil {
			return err
		}
	}
	if warning := confirm.LeftOut(open); warning != "" {
		g.Evidence.Warnings = append(g.Evidence.Warnings, warning)
	}
	return nil
}

// finish continues the gate of another run.
func (g *gateService) finish(ctx context.Context, o confirm.OpenRun) (gate.Decision, error) {
	dir, err := filepath.Abs(o.Run.Dir)
	if err != nil {
		return "", err
	}
	o.Run.Dir = dir
	options := gate.Options{Alpha: o.Alpha, Strict: o.Strict, Spaced: g.options.Spaced, Thresholds: o.Thresholds}
	other, err := newGateService(ctx, g.Console, g.given, o.Run, gateQuestion{options, o.As, o.Frozen, o.PoolRuns})
	if err != nil {
		return "", err
	}
	other.signals = g.signals
	out, err := other.decide(ctx)
	if err != nil {
		return "", err
	}
	report := gatereport.New(other.Case, other.folders.Passes, out)
	report.Baseline = other.question.Baseline
	return out.Decision, other.keep(report)
}
