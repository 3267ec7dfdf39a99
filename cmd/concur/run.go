package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/urfave/cli/v2"
	"golang.org/x/term"

	"github.com/seed-5817661a/concur/internal/stdlog"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/reports/progress"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

const drainGrace = 10 * time.Second // for traces in flight after the first signal

func (c *console) runAction(ctx *cli.Context, o *output) error {
	switch {
	case ctx.IsSet(flagName) && (ctx.IsSet(flagResume) || ctx.IsSet("replay")):
		return usagef("--name is for a new run: one that is resumed or replayed keeps its name")
	case ctx.IsSet(flagResume) && ctx.IsSet("replay"):
		return usagef("--resume and --replay do not go together: finish the run first")
	case ctx.IsSet(flagResume):
		return c.resumeAction(ctx, o)
	case ctx.IsSet("replay"):
		return c.replayAction(ctx, o)
	}
	for name, of := range map[string]string{"record-missing": "replay", "check": "replay", flagRetryFailed: flagResume} {
		if ctx.IsSet(name) {
			return usagef("--%s goes with --%s RUN", name, of)
		}
	}
	if err := checkName(ctx); err != nil {
		return err
	}
	source := datasetOr(ctx, ctx.Args().First())
	conf, err := c.configuration(ctx, source)
	if err != nil {
		return err
	}
	draft, err := newDraft(ctx, source, []config.Configuration{conf})
	if err != nil {
		return err
	}
	draft.Manifest.Title = ctx.String(flagName)
	return c.begin(ctx, draft, o)
}

// maxName is the number of characters of a run's name for people.
const maxName = 60

// checkName refuses a --name that a table could not show, or that would stand for another run.
func checkName(ctx *cli.Context) error {
	name := ctx.String(flagName)
	switch {
	case !ctx.IsSet(flagName):
		return nil
	case strings.TrimSpace(name) != name || name == "" || utf8.RuneCountInString(name) > maxName || reports.Clean(name) != name:
		return usagef("--name %q: give 1 to %d printable characters, without spaces at the ends", name, maxName)
	case strings.HasPrefix(name, store.Latest) || strings.ContainsAny(name, `/\`):
		return usagef("--name %q would be taken for another run or a folder: leave out / and \\, and begin otherwise than with %s", name, store.Latest)
	}
	return nil
}

// begin runs a draft from its start, in a folder of its own, or shows what it would run.
func (c *console) begin(ctx *cli.Context, draft runner.Draft, o *output) error {
	if err := o.spareInputs(draft.Manifest); err != nil {
		return err
	}
	if !ctx.Bool(flagQuiet) {
		c.tellReading(draft.Dataset.Notes)
	}
	if ctx.Bool("dry-run") {
		return c.forecast(o, draft, nil)
	}
	return c.assembler.While(ctx.Context, draft, assemble.Options{}, func(running context.Context, s *assemble.Session) error {
		if err := c.confirm(ctx, s); err != nil {
			return err
		}
		out, err := store.Create(ctx.String(flagRunsDir), s.Manifest())
		if err != nil {
			return err
		}
		return c.execute(ctx, running, s, out, nil, o)
	})
}

func (c *console) forecast(o *output, draft runner.Draft, prior *store.Prior) error {
	if o.format != formatTable && o.format != formatJSON {
		return usagef("--dry-run shows a plan, and --format %s is a form of results: give --format table or json, or leave it out", o.format)
	}
	f, err := c.assembler.Forecast(draft, prior)
	if err != nil {
		return err
	}
	return writeValue(o, f, reports.Forecast)
}

// execute runs what is missing of a run into its folder and reports on it.
func (c *console) execute(ctx *cli.Context, running context.Context, s *assemble.Session, out *store.Writer, prior *store.Prior, o *output) error {
	if err := c.conduct(running, s, out, prior, ctx.Bool(flagQuiet), o.signals, store.ResumeCommand(out.Dir(), s.Draft.Manifest)); err != nil {
		return err
	}
	return c.reportOn(out.Dir(), o, true, reporting(ctx))
}

// conduct runs what is missing of a run into its folder, and closes it. resume is the command
// that finishes the run if this one is interrupted.
func (c *console) conduct(running context.Context, s *assemble.Session, out *store.Writer, prior *store.Prior, quiet bool, signals *listener, resume string) error {
	if err := s.KeepPlaybooks(out.Dir()); err != nil {
		return err
	}
	shown := progress.Start(c.progress(quiet), out, s.Draft, s.Plan, prior)
	defer stdlog.To(shown.Note)()
	signals.began.Store(new(func(s os.Signal) {
		shown.Warn(fmt.Sprintf("%s: no new traces; those in flight have %s, then they are cancelled. A second signal ends at once.\nThe run is kept in %s; go on with: %s", s, drainGrace, out.Dir(), resume))
	}))
	s.LogTo(shown.Note, shown.Warn)
	if s.Draft.OtherSearch != "" {
		shown.Warn("the traces that are missing or run again search otherwise than the others of this run: " + s.Draft.OtherSearch)
	}
	for _, warning := range s.Warnings() {
		shown.Warn(warning)
	}
	unwatch := s.Watch(shown.Wait)
	runErr := s.Run(running, out, runner.Control{
		Prior: prior, Drain: signals.drain, Grace: drainGrace, Clock: time.Now,
		OnTrace: shown.Trace, OnRecord: shown.Record, OnProgress: shown.Progress,
	})
	unwatch()
	s.LogPlaybooks()
	shown.End(runErr)

	state := runner.StateAfter(runErr)
	if err := out.Finish(state, time.Now()); errors.Is(err, store.ErrVanished) {
		return &exitError{exitInvalid, fmt.Errorf("%w\nthe run is not complete; if the folder was moved, go on as with `%s`, in its new place, else begin a new run", err, resume)}
	} else if err != nil {
		return &exitError{exitInvalid, fmt.Errorf("%w\nthe run is not complete; once that is mended, go on with: %s", err, resume)}
	}
	switch {
	case runErr == nil:
		return nil
	case runner.GivenUp(runErr) && s.Replays():
		return &exitError{exitInvalid, runErr}
	case runner.IsWiring(runErr):
		return &exitError{exitInvalid, fmt.Errorf("%w\nmend the agent and run again; the traces that failed are kept in %s", runErr, out.Dir())}
	case runner.NeverAnswered(runErr):
		return &exitError{exitInvalid, fmt.Errorf("%w\ncorrect that, and run again; what there is of the run is kept in %s", runErr, out.Dir())}
	case runner.GivenUp(runErr):
		return &exitError{exitInvalid, fmt.Errorf("%w\nwhat is finished is kept; go on with: %s", runErr, runner.GoOn(resume, runErr))}
	case state == store.Interrupted:
		return &exitError{exitInterrupted, fmt.Errorf("interrupted; what is finished is kept in %s; go on with: %s", out.Dir(), resume)}
	}
	return fmt.Errorf("%w; what is finished is kept; go on with: %s", runErr, resume)
}

// confirm asks before a run that may cost more than limits.confirm_usd, and refuses one
// that a judge of form alone would decide.
func (c *console) confirm(ctx *cli.Context, s *assemble.Session) error {
	if ctx.Bool(flagYes) {
		return nil
	}
	if err := s.Draft.CheckJudges(); err != nil {
		return err
	}
	most := s.Draft.First().Limits.ConfirmUSD
	f, err := s.Draft.Forecast(nil, s.Price)
	if err != nil || most == 0 || f.Guess.USD == nil || *f.Guess.USD <= most {
		return err
	}
	what := fmt.Sprintf("this run may cost about $%.2f (%d tokens, guessed at %d turns a trace), more than limits.confirm_usd, %.2f", *f.Guess.USD, f.Guess.Tokens, f.Guess.TurnsPerTrace, most)
	return c.ask(what, "Run it?", "add --"+flagYes+" to run it, or set a budget with --budget-usd")
}

// ask asks whether to do something, on a terminal; elsewhere it is an error that says how to
// do it without being asked. So is any answer but yes.
func (c *console) ask(what, question, otherwise string) error {
	in, ok := c.in.(*os.File)
	if !ok || !term.IsTerminal(int(in.Fd())) {
		return usagef("%s: %s", what, otherwise)
	}
	fmt.Fprintf(c.err, "concur: %s\n%s [y/N] ", what, question)
	line, err := bufio.NewReader(in).ReadString('\n')
	if answer := strings.ToLower(strings.TrimSpace(line)); err != nil || answer != "y" && answer != "yes" {
		return usagef("nothing was done")
	}
	return nil
}
