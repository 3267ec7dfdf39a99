package running

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/cmd/concur/hubbing"
	"github.com/seed-5817661a/concur/cmd/concur/reading"
	"github.com/seed-5817661a/concur/cmd/concur/weighing"
	"github.com/seed-5817661a/concur/internal/stdlog"
	"github.com/seed-5817661a/concur/reports/otel/live"
	"github.com/seed-5817661a/concur/reports/planning"
	"github.com/seed-5817661a/concur/reports/progress"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/runfiles"
)

const drainGrace = 10 * time.Second // time for active traces after the first signal

// Begin runs a new draft in a new folder, or shows the plan.
func Begin(ctx context.Context, c *console.Console, given *flags.TracesOptions, draft runner.Draft,
	o *console.Output) error {
	defer draft.Dataset.Close() // a temporary file that cannot be removed is no reason to fail
	if err := o.SpareInputs(draft.Manifest); err != nil {
		return err
	}
	if !given.Quiet {
		c.TellReading(draft.Dataset.Notes)
	}
	tellShard(c, draft, given.Quiet)
	if given.DryRun {
		return forecast(c, o, draft, nil)
	}
	sends, err := telemetryOf(c, &given.Settings)
	if err != nil {
		return err
	}
	options := given.Hub.Options(assemble.Options{})
	return c.Assembler.While(ctx, draft, options, func(running context.Context, s *assemble.Session) error {
		if err := hubbing.Check(&given.Hub, s); err != nil {
			return err
		}
		if err := c.Confirm(given.Yes, s); err != nil {
			return err
		}
		if err := hubbing.Try(running, c, &given.Hub); err != nil {
			return err
		}
		out, err := store.Create(given.RunsDir, s.Manifest())
		if err != nil {
			return err
		}
		return Execute(running, c, s, out, nil, o,
			Execution{given.Quiet, reading.Reporting(&given.ReportOptions), &given.Hub, sends})
	})
}

// tellShard prints which part of a run a shard is.
func tellShard(c *console.Console, draft runner.Draft, quiet bool) {
	if note := draft.ShardNote(); note != "" && !quiet {
		fmt.Fprintf(c.Err, "concur: %s\n", note)
	}
}

func forecast(c *console.Console, o *console.Output, draft runner.Draft, prior *store.Prior) error {
	if o.Format != console.FormatTable && o.Format != console.FormatJSON {
		return console.Usagef("--dry-run shows a plan, and --format %s is a form of results: give --format table or json, "+
			"or "+
			"leave it out", o.Format)
	}
	f, err := c.Assembler.Forecast(draft, prior)
	if err != nil {
		return err
	}
	return console.WriteValue(o, f, planning.WriteForecast)
}

// Execute runs the missing part of a run into its folder, and reports on the run.
func Execute(running context.Context, c *console.Console, s *assemble.Session, out *store.Writer, prior *store.Prior,
	o *console.Output, e Execution) error {
	for _, word := range e.Hub.Again() {
		e.How.Hub += " " + store.ShellQuoted(word)
	}
	if err := Conduct(running, c, s, out, prior, e, o.Signals,
		store.ResumeCommand(out.Dir(), s.Draft.Manifest)+e.How.Hub); err != nil {
		return err
	}
	o.Ran = out.Dir()
	if !s.Replays() { // a replay needs no network
		if err := weighing.ScoreRun(running, c, out.Dir(), e.Quiet); err != nil {
			c.Tell(fmt.Errorf("the worth of the calls is not in the report: %w", err))
		}
	}
	s.Draft.Dataset.Close() // the report reads the folder, and does not need the memory of the queries
	return reading.ReportOn(c, out.Dir(), o, true, e.How)
}

// Execution describes how a run is shown: with or without progress, and with which report. Hub is the hub whose
// workers make the traces; it may be nil. Telemetry says where the spans of the run are sent; nil sends none.
type Execution struct {
	Quiet     bool
	How       reading.Report
	Hub       *flags.HubOptions
	Telemetry *live.Options
}

// Conduct runs the missing part of a run into its folder, and closes the folder. resume is the command that
// finishes the run after an interruption; "" for an attack, which cannot be resumed.
func Conduct(running context.Context, c *console.Console, s *assemble.Session, out *store.Writer, prior *store.Prior,
	e Execution, signals *console.Listener, resume string) error {
	if err := s.KeepFiles(out.Dir()); err != nil {
		return err
	}
	goOn := func(err error) string {
		if resume == "" {
			return attackAgain(err)
		}
		return "go on with: " + runner.GoOn(resume, err)
	}
	e.tellTelemetry(c)
	shown := progress.Start(c.Progress(e.Quiet), out, s.Draft, s.Plan, prior)
	defer stdlog.To(shown.Note)()
	signals.Began.Store(new(func(s os.Signal) {
		shown.Warn(fmt.Sprintf("%s: no new traces; those in flight have %s, then they are cancelled. A second signal ends "+
			"at once.\nThe run is kept in %s; %s", s, drainGrace, out.Dir(), goOn(nil)))
	}))
	s.LogTo(shown.Note, shown.Warn)
	if s.Draft.OtherSearch != "" {
		shown.Warn("the traces that are missing or run again search otherwise than the others of this run: " +
			s.Draft.OtherSearch)
	}
	for _, warning := range s.Warnings() {
		shown.Warn(warning)
	}
	hub, runErr := hubbing.Coordinate(running, c, e.Hub, s, out, prior, shown)
	if runErr == nil {
		unwatch := s.Watch(shown.Wait)
		control := runner.Control{
			Prior: prior, Drain: signals.Drain, Grace: drainGrace, Clock: time.Now,
			Executor: hub.Executor(), Outputs: []runner.Output{shown},
		}
		e.sendTo(&control, s, out, shown)
		runErr = s.Run(running, out, control)
		unwatch()
	}
	s.LogPlaybooks()

	state := runner.StateAfter(runErr)
	err := out.Finish(state, time.Now())
	hub.Finish(running, err == nil && state == store.Complete, c.Err)
	if errors.Is(err, runfiles.ErrVanished) && resume != "" {
		return console.WithCode(console.ExitInvalid,
			fmt.Errorf("%w\nthe run is not complete; if the folder was moved, continue "+
				"with `%s` in its new place; otherwise begin a new run", err, resume))
	} else if err != nil {
		return console.WithCode(console.ExitInvalid, fmt.Errorf("%w\nthe run is not complete; fix that, then %s", err,
			goOn(nil)))
	}
	switch {
	case runErr == nil:
		return nil
	case runner.GivenUp(runErr) && s.Replays():
		return console.WithCode(console.ExitInvalid, runErr)
	case runner.IsWiring(runErr):
		return console.WithCode(console.ExitInvalid,
			fmt.Errorf("%w\nfix the agent and run again; the traces that failed are kept in "+
				"%s", runErr, out.Dir()))
	case runner.NeverAnswered(runErr):
		return console.WithCode(console.ExitInvalid,
			fmt.Errorf("%w\ncorrect that, and run again; the unfinished run is kept in "+
				"%s", runErr, out.Dir()))
	case runner.GivenUp(runErr):
		return console.WithCode(console.ExitInvalid, fmt.Errorf("%w\nwhat is finished is kept; %s", runErr, goOn(runErr)))
	case state == store.Interrupted:
		return console.WithCode(console.ExitInterrupted, fmt.Errorf("interrupted; what is finished is kept in %s; %s",
			out.Dir(), goOn(nil)))
	}
	return fmt.Errorf("%w; what is finished is kept; %s", runErr, goOn(nil))
}
