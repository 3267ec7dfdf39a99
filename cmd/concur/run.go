package main

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/internal/stdlog"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/planning"
	"github.com/seed-5817661a/concur/reports/progress"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

const drainGrace = 10 * time.Second // time for active traces after the first signal

func (c *console) runAction(ctx context.Context, given *runOptions, o *output) error {
	switch {
	case given.name != nil && (given.resume != "" || given.replay != ""):
		return usagef("--name is for a new run: one that is resumed or replayed keeps its name")
	case given.resume != "" && given.replay != "":
		return usagef("--resume and --replay do not go together: finish the run first")
	}
	if err := given.idles(); err != nil {
		return err
	}
	switch {
	case given.resume != "":
		return c.resumeAction(ctx, &given.tracesOptions, o)
	case given.replay != "":
		return c.replayAction(ctx, given, o)
	}
	if err := checkName(given.name); err != nil {
		return err
	}
	source := given.datasetOr(given.word(0))
	conf, err := c.configuration(&given.settings, source)
	if err != nil {
		return err
	}
	draft, err := c.newDraft(ctx, &given.tracesOptions, source, []config.Configuration{conf})
	if err != nil {
		return err
	}
	draft.Manifest.Title = valueOr(given.name, given.prompt)
	if !given.quiet {
		c.noteNamesake(given.runsDir, valueOr(given.name, ""))
	}
	return c.begin(ctx, &given.tracesOptions, draft, o)
}

// idles returns an error for flags that have no effect on this kind of run: new, resumed or replayed.
func (given *runOptions) idles() error {
	err := given.tableOptions.check(&given.arguments)
	switch {
	case err != nil:
	case given.replay == "" && given.recordMissing:
		err = usagef("--record-missing goes with --replay RUN: add it, or leave the flag out")
	case given.replay == "" && given.check:
		err = usagef("--check goes with --replay RUN: add it, or leave the flag out")
	case given.resume == "" && given.retryFailed:
		err = usagef("--retry-failed goes with --resume RUN: add it, or leave the flag out")
	}
	if given.resume != "" || given.replay != "" {
		err = cmp.Or(err, given.idle("on a run that was begun before", flagAllowSeen, flagPrompt))
	}
	return err
}

// maxName is the maximum number of characters of a run's name for people.
const maxName = 60

// checkName returns an error for a --name that a table cannot show, or that could mean another run.
func checkName(given *string) error {
	name := valueOr(given, "")
	switch {
	case given == nil:
		return nil
	case strings.TrimSpace(name) != name || name == "" || utf8.RuneCountInString(name) > maxName ||
		document.Clean(name) != name:
		return usagef("--name %q: give 1 to %d printable characters, without spaces at the ends", name, maxName)
	case strings.HasPrefix(name, store.Latest) || strings.ContainsAny(name, `/\`):
		return usagef("--name %q would be taken for another run or a folder: leave out / and \\, and begin otherwise than "+
			"with %s", name, store.Latest)
	}
	return nil
}

// noteNamesake says if a run of the same name exists, because commands then use the newer one.
func (c *console) noteNamesake(runsDir, name string) {
	runs, _, err := store.List(runsDir)
	if err != nil || name == "" {
		return // the creation of the run reports a problem with the folder
	}
	at := slices.IndexFunc(runs, func(r *store.Run) bool {
		return r.Manifest.Title == name && r.Manifest.Kind() == store.KindRun
	})
	if at >= 0 {
		c.note(fmt.Sprintf("--name %s is the name of %s too, and will mean this run: name the older one by its folder",
			document.Printable(name), runs[at].Manifest.Run))
	}
}

// begin runs a new draft in a new folder, or shows the plan.
func (c *console) begin(ctx context.Context, given *tracesOptions, draft runner.Draft, o *output) error {
	defer draft.Dataset.Close() // a temporary file that cannot be removed is no reason to fail
	if err := o.spareInputs(draft.Manifest); err != nil {
		return err
	}
	if !given.quiet {
		c.tellReading(draft.Dataset.Notes)
	}
	c.tellShard(draft, given.quiet)
	if given.dryRun {
		return c.forecast(o, draft, nil)
	}
	return c.assembler.While(ctx, draft, assemble.Options{}, func(running context.Context, s *assemble.Session) error {
		if err := c.confirm(given.yes, s); err != nil {
			return err
		}
		out, err := store.Create(given.runsDir, s.Manifest())
		if err != nil {
			return err
		}
		return c.execute(running, s, out, nil, o, execution{given.quiet, given.reporting()})
	})
}

// tellShard prints which part of a run a shard is.
func (c *console) tellShard(draft runner.Draft, quiet bool) {
	if note := draft.ShardNote(); note != "" && !quiet {
		fmt.Fprintf(c.err, "concur: %s\n", note)
	}
}

func (c *console) forecast(o *output, draft runner.Draft, prior *store.Prior) error {
	if o.format != formatTable && o.format != formatJSON {
		return usagef("--dry-run shows a plan, and --format %s is a form of results: give --format table or json, or "+
			"leave it out", o.format)
	}
	f, err := c.assembler.Forecast(draft, prior)
	if err != nil {
		return err
	}
	return writeValue(o, f, planning.WriteForecast)
}

// execute runs the missing part of a run into its folder, and reports on the run.
func (c *console) execute(running context.Context, s *assemble.Session, out *store.Writer, prior *store.Prior,
	o *output, e execution) error {
	if err := c.conduct(running, s, out, prior, e.quiet, o.signals,
		store.ResumeCommand(out.Dir(), s.Draft.Manifest)); err != nil {
		return err
	}
	o.ran = out.Dir()
	s.Draft.Dataset.Close() // the report reads the folder, and does not need the memory of the queries
	return c.reportOn(out.Dir(), o, true, e.how)
}

// execution describes how a run is shown: with or without progress, and with which report.
type execution struct {
	quiet bool
	how   report
}

// conduct runs the missing part of a run into its folder, and closes the folder. resume is the command that
// finishes the run after an interruption; "" for an attack, which cannot be resumed.
func (c *console) conduct(running context.Context, s *assemble.Session, out *store.Writer, prior *store.Prior,
	quiet bool, signals *listener, resume string) error {
	if err := s.KeepFiles(out.Dir()); err != nil {
		return err
	}
	goOn := func(err error) string {
		if resume == "" {
			return attackAgain(err)
		}
		return "go on with: " + runner.GoOn(resume, err)
	}
	shown := progress.Start(c.progress(quiet), out, s.Draft, s.Plan, prior)
	defer stdlog.To(shown.Note)()
	signals.began.Store(new(func(s os.Signal) {
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
	unwatch := s.Watch(shown.Wait)
	runErr := s.Run(running, out, runner.Control{
		Prior: prior, Drain: signals.drain, Grace: drainGrace, Clock: time.Now,
		Outputs: []runner.Output{shown},
	})
	unwatch()
	s.LogPlaybooks()

	state := runner.StateAfter(runErr)
	if err := out.Finish(state, time.Now()); errors.Is(err, store.ErrVanished) && resume != "" {
		return &exitError{exitInvalid, fmt.Errorf("%w\nthe run is not complete; if the folder was moved, continue "+
			"with `%s` in its new place; otherwise begin a new run", err, resume)}
	} else if err != nil {
		return &exitError{exitInvalid, fmt.Errorf("%w\nthe run is not complete; fix that, then %s", err, goOn(nil))}
	}
	switch {
	case runErr == nil:
		return nil
	case runner.GivenUp(runErr) && s.Replays():
		return &exitError{exitInvalid, runErr}
	case runner.IsWiring(runErr):
		return &exitError{exitInvalid, fmt.Errorf("%w\nfix the agent and run again; the traces that failed are kept in "+
			"%s", runErr, out.Dir())}
	case runner.NeverAnswered(runErr):
		return &exitError{exitInvalid, fmt.Errorf("%w\ncorrect that, and run again; the unfinished run is kept in "+
			"%s", runErr, out.Dir())}
	case runner.GivenUp(runErr):
		return &exitError{exitInvalid, fmt.Errorf("%w\nwhat is finished is kept; %s", runErr, goOn(runErr))}
	case state == store.Interrupted:
		return &exitError{exitInterrupted, fmt.Errorf("interrupted; what is finished is kept in %s; %s",
			out.Dir(), goOn(nil))}
	}
	return fmt.Errorf("%w; what is finished is kept; %s", runErr, goOn(nil))
}

//go:embed help/run.txt
var runHelp string

// runOptions holds the arguments and flags of concur run.
type runOptions struct {
	tracesOptions

	name                 *string
	replay               string
	check, recordMissing bool
	watch                bool
}

func runCommand(c *console) *cli.Command {
	var given runOptions
	return &cli.Command{
		Name: "run", Aliases: []string{"eval"}, ArgsUsage: "[DATASET]", Description: described(runHelp, "{{datasets}}",
			strings.Join(datasets.Builtin(), ", ")),
		Usage: "run K traces for every query of a dataset, and judge the answer on which they agree",
		Flags: slices.Concat(
			configurationFlags(&given.settings),
			[]cli.Flag{
				seedFlag(&given.seed),
				&cli.StringFlag{
					Name: flagName, Action: stored(&given.name), DefaultText: "its model, or its agent's command",
					Usage: "`NAME` of the run for tables, and for every command that takes a RUN",
				},
				&cli.StringFlag{
					Name: flagPrompt, Destination: &given.prompt, EnvVars: []string{"CONCUR_PROMPT"},
					DefaultText: "the first", Usage: "use the prompt `NAME` of concur.yaml's prompts; it is the run's name too",
				},
				&cli.StringFlag{
					Name: flagReplay, TakesFile: true, Destination: &given.replay, DefaultText: "a new run",
					Usage: "repeat `RUN` from its recording, without models and search",
				},
				&cli.BoolFlag{
					Name: flagCheck, Destination: &given.check,
					Usage: "with --replay: exit 1 if a verdict differs from the recording",
				},
				&cli.BoolFlag{
					Name: flagRecordMissing, Destination: &given.recordMissing,
					Usage: "with --replay: send requests that are not in the recording to models and tools",
				},
			},
			runningFlags(&given.runningOptions, &given.settings),
			filterFlags(&given.filterOptions),
			[]cli.Flag{shardFlag(&given.shard), watchFlag(&given.watch,
				"run again when files of agent, prompts, configuration or dataset change, until Ctrl-C")},
			tableFlags(&given.tableOptions),
			resultFlags(&given.resultOptions),
		),
		Action: takes(&given.arguments, "one dataset", c.withRun(&given.arguments, &given.resultOptions,
			func(ctx context.Context, o *output) error {
				if given.watch {
					return c.watchRun(ctx, &given, o)
				}
				return c.runAction(ctx, &given, o)
			}, &given.corpus, &given.file)),
	}
}
