package gating

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/ablations/confirm"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/ablations/sent/accepted"
	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/cmd/concur/reading"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/gatereport"
	"github.com/seed-5817661a/concur/reports/page"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/disk"
	"github.com/seed-5817661a/concur/runner/store/runlist"
)

func gateAction(ctx context.Context, c *console.Console, given *gateOptions, o *console.Output) error {
	report, err := decideGate(ctx, c, given, o)
	if report == nil {
		return noDecision(c, given.Junit, err)
	}
	return err
}

// decideGate decides and reports. The report is nil if an error prevented a decision.
func decideGate(ctx context.Context, c *console.Console, given *gateOptions, o *console.Output) (*gatereport.Report,
	error) {
	options, err := given.options()
	if err != nil {
		return nil, err
	}
	if given.noConfirm {
		idle := []string{flags.NameWait, flags.NameSpaced, flags.NameYes}
		for _, flag := range flags.LimitGroup(&flags.Settings{}) {
			idle = append(idle, flag.Names()[0])
		}
		if err := given.Idle("with --no-confirm, which runs no fresh traces", idle...); err != nil {
			return nil, err
		}
	}
	run, err := gatedRun(given.runsDir, given.Word(0))
	if err != nil {
		return nil, err
	}
	g, err := newGateService(ctx, c, given, run, gateQuestion{options, flags.ValueOr(given.as, ""), given.frozen,
		flags.ValueOr(given.poolRuns, 0)})
	if err != nil {
		return nil, err
	}
	g.signals = o.Signals
	if err := g.finishOpen(ctx); err != nil {
		return nil, err
	}
	rates, cfg := gate.Posterior(g.Evidence, options)
	cfg.Runs, cfg.Seed, cfg.Options.NoFresh = given.simulationCount(len(rates)), 1, ""
	if len(rates) > 0 && cfg.Runs > 0 {
		simulated, err := simulate(ctx, c, given.quiet, rates, cfg)
		if err != nil {
			return nil, err
		}
		g.expected = &simulated
	}
	out, err := g.decide(ctx)
	if err != nil {
		return nil, err
	}
	out.Operating = g.expected
	report := gatereport.New(g.Case, g.folders.Passes, out)
	report.Baseline, report.As, report.Explain = g.question.Baseline, g.question.As, given.explain
	report.Sent, report.SentRun = g.Case.Sent(run, accepted.File(given.baseline), out.Decision.Alarm())
	return &report, g.deliver(o, report)
}

type gateService struct {
	*console.Console
	confirm.Case
	given    *gateOptions
	run      *store.Run
	source   string // where the dataset is now
	options  gate.Options
	folders  *confirm.Folders
	question confirm.Entry // has no decision yet
	signals  *console.Listener
	expected *gate.Operating // nil if not simulated
	approved bool            // a person approved the cost of fresh traces
	begun    bool            // the question is in the log
}

// gateQuestion holds the parts of the question that a run is asked, besides the baseline.
type gateQuestion struct {
	options  gate.Options
	as       string
	frozen   string // file of the frozen baseline
	poolRuns int
}

// newGateService opens the run and its baseline. It returns an error for a run that cannot be compared, and for
// a question that would replace the run's decision.
func newGateService(ctx context.Context, c *console.Console, given *gateOptions, run *store.Run,
	q gateQuestion) (*gateService, error) {
	m, options := run.Manifest, q.options
	refuse := func(err error) error { return console.Usagef("gate run %s: %w", m.Run, err) }
	if err := options.Validate(m.Dataset.Queries); err != nil {
		return nil, err
	}
	if m.State != store.Complete {
		return nil, console.WithCode(console.ExitInvalid,
			fmt.Errorf("gate run %s: it is not complete (state: %s): finish it with `%s`",
				m.Run, m.State, store.ResumeCommand(run.Dir, m)))
	}
	if err := baseline.Evidential(m); err != nil {
		return nil, refuse(err)
	}
	g := &gateService{Console: c, given: given, run: run, options: options}
	var err error
	if g.Pass, err = reading.ReadPass(run, given.configuration); err != nil {
		return nil, err
	}
	log, err := confirm.ReadLog(run, g.Pass.Configuration.Name) // first, because the steps after it take time
	if err != nil {
		return nil, err
	}
	if g.Data, g.source, err = runner.Reopen(m, given.dataset); err != nil {
		return nil, err
	}
	if err := given.ResultOptions.Check(g.source); err != nil {
		return nil, err
	}
	g.PoolRuns = q.poolRuns
	if g.Baseline, err = baseline.Read(given.baseline); err != nil {
		return nil, err
	}
	if q.frozen != "" {
		if g.Release, err = baseline.Read(q.frozen); err != nil {
			return nil, console.Usagef("--frozen, a copy of a baseline with ten runs or more, as it was at a release: %w", err)
		}
	}
	g.folders = &confirm.Folders{Pass: g.Pass, Dir: run.Dir, ReadOnly: true}
	state, err := g.folders.State(ctx)
	if err != nil {
		return nil, console.WithCode(console.ExitInvalid, err)
	}
	file := filepath.Clean(given.baseline)
	if begun, ok := confirm.Begun(log, q.as, state); ok && begun.Baseline == file && begun.Frozen == q.frozen &&
		begun.PoolRuns == q.poolRuns {
		g.Begun = &begun
	}
	if err := g.Prepare(); err != nil {
		return nil, refuse(err)
	}
	g.question = confirm.Entry{As: q.as, Question: g.Question(options, file, q.frozen)}
	if err := confirm.Allow(log, g.question.As, g.question.Question, state); err != nil {
		return nil, refuse(err)
	}
	return g, nil
}

// gatedRun opens the run of the argument, or the newest run. It resolves links in the path, because fresh
// traces are searched beside the run's folder.
func gatedRun(folder, name string) (*store.Run, error) {
	run, err := runlist.Find(folder, cmp.Or(name, runlist.Latest))
	if err != nil {
		return nil, err
	}
	real, err := filepath.EvalSymlinks(run.Dir)
	if err == nil {
		run.Dir, err = filepath.Abs(real)
	}
	return run, err
}

func (g *gateService) decide(ctx context.Context) (out gate.Outcome, err error) {
	g.folders.Agent, g.folders.ReadOnly = g, g.options.NoFresh != ""
	s := confirm.Service{
		Fresh: g.folders, Before: g.begin, Spaced: flags.ValueOr(g.given.spaced, 0), Again: again(g.given, g.run),
	}
	if g.run.Manifest.End != nil {
		s.Ended = *g.run.Manifest.End
	}
	if g.given.spaced == nil && g.Evidence.Dependent().Spaced {
		s.Spaced = defaultSpacing
	}
	if g.given.wait {
		s.Wait = g.wait
	}
	g.Evidence, out, err = s.Decide(ctx, g.Evidence, g.options)
	if errors.Is(err, confirm.ErrRefused) {
		err = console.WithCode(console.ExitInvalid, err)
	}
	return out, err
}

// begin asks a person before a round of fresh traces. Before the first round it writes the question to the log,
// so that a gate that is killed leaves it there.
func (g *gateService) begin(r confirm.Round) error {
	if err := g.approve(r); err != nil || g.begun {
		return err
	}
	g.begun = true
	return g.question.Write(g.run, g.Pass.Configuration.Name)
}

// deliver writes the decision to all requested places, and keeps it in the run's folder with its question. The
// error has the exit code of the decision.
func (g *gateService) deliver(o *console.Output, report gatereport.Report) error {
	err := o.Deliver(func() error {
		if o.Format == console.FormatHTML {
			return page.WriteGate(o, g.run, report)
		}
		return gatereport.Write(o, document.Format(o.Format), report, o.Screen(false))
	})
	for file, format := range map[string]document.Format{g.given.Junit: document.FormatJUnit,
		g.given.Markdown: document.FormatMarkdown} {
		if file != "" {
			err = errors.Join(err, writeGate(file, format, report))
		}
	}
	if err = errors.Join(err, g.keep(report), tellGitHub(g.Console, report)); err != nil {
		return console.WithCode(console.ExitInvalid, err)
	}
	return decided(report)
}

// keep writes the decision with its question into the run's folder.
func (g *gateService) keep(report gatereport.Report) error {
	name, entry := g.Pass.Configuration.Name, g.question
	err := writeGate(confirm.DecisionFile(g.run, name, entry.As), document.FormatJSON, report)
	entry.Decision, entry.Bootstrap, entry.Waits = report.Decision, report.Bootstrap, report.GoOn != nil
	for _, q := range report.Queries {
		entry.Fresh += q.Fresh.All()
	}
	return errors.Join(err, entry.Write(g.run, name))
}

func decided(report gatereport.Report) error {
	if code := report.Decision.ExitCode(); code != console.ExitOK {
		return console.WithCode(code, fmt.Errorf("%s: %s", report.Decision,
			document.Clean(cmp.Or(slices.Concat(report.Reasons, []string{"see above"})...))))
	}
	return nil
}

func writeGate(file string, format document.Format, g gatereport.Report) error {
	var b bytes.Buffer
	if err := gatereport.Write(&b, format, g, document.Screen{}); err != nil {
		return err
	}
	return disk.Deliver(file, b.Bytes())
}

// tellGitHub annotates the page of the workflow run; outside GitHub Actions it does nothing.
func tellGitHub(c *console.Console, g gatereport.Report) error {
	if c.Environ("GITHUB_ACTIONS") != "true" {
		return nil
	}
	err := gatereport.Annotations(c.Err, g)
	if summary := c.Environ("GITHUB_STEP_SUMMARY"); summary != "" {
		f, openErr := os.OpenFile(summary, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		if openErr != nil {
			return errors.Join(err, fmt.Errorf("write step summary: %w", openErr))
		}
		err = errors.Join(err, gatereport.Write(f, document.FormatMarkdown, g, document.Screen{}), f.Close())
	}
	return err
}

// noDecision reports an error that prevented a decision, so that a CI shows it: on the page of the workflow run
// and, if the gate is INVALID and a JUnit file was requested, in that file.
func noDecision(c *console.Console, junit string, err error) error {
	if err = console.ExplainDisk(err); err == nil || console.ExitCode(err) == console.ExitInterrupted {
		return err
	}
	g := gatereport.Report{Outcome: gate.Outcome{Reasons: []string{err.Error()}}}
	if junit != "" && console.ExitCode(err) == console.ExitInvalid {
		err = errors.Join(err, writeGate(junit, document.FormatJUnit, g))
	}
	return errors.Join(err, tellGitHub(c, g))
}
