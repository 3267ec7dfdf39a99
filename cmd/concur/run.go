package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/model/limit"
	"github.com/seed-5817661a/concur/runner/replay"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/tool"
)

// drainGrace is how long traces in flight may go on after the first signal.
const drainGrace = 10 * time.Second

// defaultDataset is what run takes without an argument.
const defaultDataset = "gold29"

func (c *console) runCommand() *cli.Command {
	flags := append(configurationFlags(),
		seedFlag(),
		&cli.StringFlag{Name: flagResume, Usage: "finish what is missing of `RUN`, a run folder, its name, or latest", DefaultText: "a new run"},
		&cli.BoolFlag{Name: flagRetryFailed, Usage: "with --resume: run traces again that failed through the infrastructure"},
		&cli.StringFlag{Name: flagReplay, Usage: "run `RUN` again from its recording: no model and no search is asked", DefaultText: "ask them"},
		&cli.BoolFlag{Name: flagCheck, Usage: "with --replay: exit 1 where a verdict is not the recording's"},
		&cli.BoolFlag{Name: flagRecordMissing, Usage: "with --replay: ask for what the recording does not hold"},
		&cli.BoolFlag{Name: flagYes, Usage: "run without asking, whatever it may cost", EnvVars: []string{"CONCUR_YES"}},
		&cli.BoolFlag{Name: "dry-run", Usage: "show the plan and run nothing"},
		&cli.BoolFlag{Name: flagQuiet, Usage: "no progress on standard error", EnvVars: []string{"CONCUR_QUIET"}},
		runsDirFlag(), configFlag(),
	)
	flags = slices.Concat(flags, filterFlags(), sectionFlags())
	return &cli.Command{
		Name:      "run",
		Usage:     "run K traces for every query of a dataset, and judge what they agree on",
		ArgsUsage: "[DATASET]",
		Description: `DATASET is a built-in name (` + strings.Join(datasets.Builtin(), ", ") + `) or a file (YAML, JSONL, CSV); without it,
the dataset of concur.yaml, else gold29.

Examples:
  concur run
  concur run -k 5 --temperature 0.3
  concur run --without calc --category calculation
  concur run my-queries.yaml --corpus ./docs --format json --out result.json
  concur run --resume latest
  concur run --resume latest --retry-failed
  concur run --replay latest`,
		Flags:        append(flags, outputFlags(runFormats())...),
		OnUsageError: usageError,
		Action: func(ctx *cli.Context) error {
			return c.withOutput(ctx, runFormats(), func(o *output) error { return c.runAction(ctx, o) })
		},
	}
}

func (c *console) runAction(ctx *cli.Context, o *output) error {
	signals := c.listen()
	defer signals.stop()
	if ctx.IsSet(flagResume) && ctx.IsSet(flagReplay) {
		return usagef("--%s and --%s do not go together: finish the run first", flagResume, flagReplay)
	}
	if ctx.IsSet(flagResume) {
		return c.resumeAction(ctx, o, signals, func(ctx *cli.Context, m store.Manifest) (*runPlan, error) {
			return c.planOf(ctx, m, flagResume)
		})
	}
	if ctx.IsSet(flagReplay) {
		return c.replayAction(ctx, o, signals)
	}
	for _, name := range []string{flagRecordMissing, flagCheck} {
		if ctx.IsSet(name) {
			return usagef("--%s goes with --%s RUN", name, flagReplay)
		}
	}
	if ctx.IsSet(flagRetryFailed) {
		return usagef("--%s goes with --%s RUN: it names the run whose failures are to be run again", flagRetryFailed, flagResume)
	}
	plan, err := c.planFrom(ctx)
	if err != nil {
		return err
	}
	return c.begin(ctx, plan, o, signals)
}

// spareInputs refuses a result file that would replace what the plan reads.
func (p *runPlan) spareInputs(o *output) error {
	for _, a := range p.Arms {
		if err := o.spare(a.Configuration.Search.Corpus, p.source, a.Configuration.Prices); err != nil {
			return err
		}
	}
	return nil
}

// begin runs a plan from its start, in a folder of its own, or shows what it would run.
func (c *console) begin(ctx *cli.Context, plan *runPlan, o *output, signals *listener) error {
	if err := plan.spareInputs(o); err != nil {
		return err
	}
	if ctx.Bool("dry-run") {
		return o.write(func() error { return plan.describe(o) })
	}
	return plan.whileOpen(ctx.Context, func(running context.Context) error {
		if err := c.confirm(ctx, plan); err != nil {
			return err
		}
		out, err := store.Create(ctx.String(flagRunsDir), plan.manifest())
		if err != nil {
			return notWritten(err)
		}
		return c.execute(ctx, running, plan, out, nil, o, signals)
	})
}

// execute runs what is missing of a plan into its folder and reports on it.
func (c *console) execute(ctx *cli.Context, running context.Context, plan *runPlan, out *store.Writer, prior *store.Prior, o *output, signals *listener) error {
	if err := c.conduct(running, plan, out, prior, ctx.Bool(flagQuiet), signals, resumeCommand(out.Dir(), plan.manifest())); err != nil {
		return err
	}
	return c.reportOn(out.Dir(), o, fresh, reporting(ctx))
}

// conduct runs what is missing of a plan into its folder, and closes it. resume is the
// command with which somebody goes on where it does not come to its end.
func (c *console) conduct(running context.Context, plan *runPlan, out *store.Writer, prior *store.Prior, quiet bool, signals *listener, resume string) error {
	progress := c.newProgress(out, plan, prior, quiet)
	signals.kept(out.Dir(), resume, progress.say)
	plan.session.LogTo(progress.note)
	if plan.searchChanged != "" {
		progress.say("the traces that are missing or run again search otherwise than the others of this run: " + plan.searchChanged)
	}
	unwatch := plan.session.Watch(progress.waits)
	runErr := plan.Run(running, out, runner.Control{
		Prior: prior, Drain: signals.drain, Grace: drainGrace, Clock: time.Now,
		OnTrace: progress.trace, OnRecord: progress.record,
	})
	unwatch()
	progress.end(runErr)

	state := store.Complete
	switch {
	case errors.Is(runErr, runner.ErrDrained), givenUp(runErr):
		state = store.Interrupted
	case runErr != nil:
		state = store.Failed
	}
	if err := out.Finish(state, time.Now()); errors.Is(err, store.ErrVanished) {
		return &exitError{exitInvalid, fmt.Errorf("%w\nthe run is not complete; if the folder was moved, go on as with `%s`, in its new place, else begin a new run", err, resume)}
	} else if err != nil {
		return &exitError{exitInvalid, fmt.Errorf("%w\nthe run is not complete; once that is mended, go on with: %s", err, resume)}
	}
	switch {
	case plan.replay != nil && givenUp(runErr):
		return &exitError{exitInvalid, runErr}
	case givenUp(runErr):
		return &exitError{exitInvalid, fmt.Errorf("%w\nwhat is finished is kept; go on with: %s%s", runErr, resume, retryHint(runErr))}
	case state == store.Interrupted:
		return &exitError{exitInterrupted, fmt.Errorf("interrupted; what is finished is kept in %s; go on with: %s", out.Dir(), resume)}
	case state == store.Failed:
		return fmt.Errorf("%w; what is finished is kept; go on with: %s", runErr, resume)
	}
	return nil
}

// givenUp reports whether a run was ended because its endpoint or every search is down, or its budget spent.
func givenUp(err error) bool {
	_, down := errors.AsType[*limit.OpenError](err)
	_, spent := errors.AsType[*limit.SpentError](err)
	_, unsearchable := errors.AsType[*tool.OutageError](err)
	return down || spent || unsearchable || replay.Left(err) != nil
}

// retryHint makes the command to go on with take up what failed while the endpoint was
// found to be down.
func retryHint(err error) string {
	_, down := errors.AsType[*limit.OpenError](err)
	if _, unsearchable := errors.AsType[*tool.OutageError](err); down || unsearchable {
		return " --" + flagRetryFailed
	}
	return ""
}

// gitCommit is the commit of the working directory, nil where there is none.
func gitCommit(ctx context.Context) *string {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	raw, err := exec.CommandContext(ctx, "git", "rev-parse", "HEAD").Output()
	if err != nil {
		return nil
	}
	sha := strings.TrimSpace(string(raw))
	return &sha
}

func summaryPath(dir string) string { return filepath.Join(dir, "summary.json") }
