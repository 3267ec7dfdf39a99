package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/assemble"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/replay"
	"github.com/seed-5817661a/concur/runner/store"
)

// resumeAction finishes what is missing of a run or an ablation, and reports on the whole.
func (c *console) resumeAction(ctx *cli.Context, o *output) error {
	run, draft, err := c.retake(ctx, o, flagResume)
	if err != nil {
		return err
	}
	scope := draft.Scope(ctx.Bool(flagRetryFailed))
	if dry := ctx.Bool("dry-run"); dry || run.Manifest.State == store.Complete {
		switch prior, err := run.Prior(scope); {
		case dry && err != nil:
			return err
		case dry:
			return c.forecast(o, draft, prior)
		case err == nil && prior.Queries() == len(draft.Dataset.Queries)*len(draft.Manifest.Configurations):
			return c.reportOn(run.Dir, o, true, reporting(ctx))
		} // a run with damaged files is repaired or refused below
	}
	return c.assembler.While(ctx.Context, draft, assemble.Options{Folder: run.Dir}, func(running context.Context, s *assemble.Session) error {
		if err := draft.CheckAgents(s.Plan); err != nil { // opening has computed their hashes again
			return err
		}
		if err := s.Spent(run); err != nil {
			return err
		}
		out, prior, err := run.Resume(time.Now(), scope)
		if err != nil {
			return err
		}
		return c.execute(ctx, running, s, out, prior, o)
	})
}

// replayAction runs a run again from its recording: models and tools answer as they did, without the network.
func (c *console) replayAction(ctx *cli.Context, o *output) error {
	run, draft, err := c.retake(ctx, o, "replay")
	if err != nil {
		return err
	}
	recording, err := run.Recording()
	if err != nil {
		return fmt.Errorf("replay run %s: %w", run.Manifest.Run, err)
	}
	defer recording.Close() // only read
	if ctx.Bool("dry-run") {
		return c.forecast(o, draft, nil)
	}
	options := assemble.Options{Folder: run.Dir, Replay: &assemble.Replay{Recording: replay.New(recording), Missing: ctx.Bool("record-missing"), Regrade: ctx.Bool("check")}}
	return c.assembler.While(ctx.Context, draft, options, func(running context.Context, s *assemble.Session) error {
		out, err := store.Create(ctx.String(flagRunsDir), s.Manifest())
		if err != nil {
			return err
		}
		if err := c.execute(ctx, running, s, out, nil, o); err != nil || !ctx.Bool("check") {
			return err
		}
		return c.checkReplay(run, out.Dir())
	})
}

// retake opens the run that a flag names, and makes a draft from its manifest and the command line.
func (c *console) retake(ctx *cli.Context, o *output, flag string) (run *store.Run, draft runner.Draft, err error) {
	if run, err = store.Find(ctx.String(flagRunsDir), ctx.String(flag)); err != nil {
		return nil, draft, err
	}
	if of := run.Manifest.RejudgeOf; of != "" {
		return nil, draft, usagef("run %s has the traces of %s: finish it with `%s`, and replay that run", run.Manifest.Run, of, store.ResumeCommand(run.Dir, run.Manifest))
	}
	r := runner.Retake{
		Replay: flag == "replay", Regrade: flag == "replay" && ctx.Bool("check"), RetryFailed: ctx.Bool(flagRetryFailed),
		Seed: givenSeed(ctx), Versions: c.assembler.Versions, Now: time.Now(),
	}
	switch ablation := run.Manifest.Ablation != ""; {
	case ablation && r.Replay:
		err = fmt.Errorf("it is an ablation of %d configurations, and a replay is of single runs", len(run.Manifest.Configurations))
	case ablation:
		r.Settings, err = ablationSettings(ctx, run.Manifest)
	default:
		r.Source = ctx.Args().First()
		r.Settings, err = c.runSettings(ctx, run.Manifest)
	}
	if err == nil && r.Replay && run.Manifest.Kind() == store.KindAsk {
		r.Questions, err = runner.OpenConversation(run)
	}
	if err != nil {
		return nil, draft, fmt.Errorf("%s run %s: %w", flag, run.Manifest.Run, err)
	}
	if r.Selection, err = selected(ctx); err != nil {
		return nil, draft, err
	}
	if draft, err = r.Draft(run.Manifest); err != nil {
		return nil, draft, err
	}
	return run, draft, o.spareInputs(draft.Manifest)
}

// runSettings is the configuration of a single run with the flags of the command line over it.
func (c *console) runSettings(ctx *cli.Context, m store.Manifest) (config.Configuration, error) {
	if ctx.IsSet(flagConfig) {
		return c.configuration(ctx, m.Dataset.Source)
	}
	made := m.Configurations[0].Configuration
	override(ctx, &made)
	for _, name := range list(ctx, "without") {
		if less, err := made.Without(name); err == nil { // else the run began without it
			made = less
		}
	}
	return assemble.WithCorpus(made, m.Dataset.Source)
}

// ablationSettings is the first configuration of an ablation. Flags may change only its limits
// and, where failed traces are run again, the corpus.
func ablationSettings(ctx *cli.Context, m store.Manifest) (config.Configuration, error) {
	made := m.Configurations[0].Configuration
	refused := []string{"seed", flagDataset, "query", "category", "tag", "limit", "failed-in", "sample", flagConfig}
	for _, l := range readManual().flags("@configuration") {
		if !slices.Contains(limitFlags(), l.name) && (l.name != flagCorpus || !ctx.Bool(flagRetryFailed)) {
			refused = append(refused, l.name)
		}
	}
	given := ctx.Args().Slice()
	for _, name := range ctx.LocalFlagNames() { // variables of the environment may stay set
		if slices.Contains(refused, name) {
			given = append(given, "--"+name)
		}
	}
	if len(given) > 0 {
		slices.Sort(given)
		return made, fmt.Errorf("it is finished as it was begun: leave %s out, or begin a new run", strings.Join(given, ", "))
	}
	now := made
	override(ctx, &now)
	made.Limits = now.Limits
	if !slices.Contains(ctx.LocalFlagNames(), flagCorpus) {
		return made, nil
	}
	made.Search = now.Search
	return assemble.WithCorpus(made, m.Dataset.Source)
}

// checkReplay compares the verdicts of a replay with the recording's. Since models and tools
// answered the same, a difference results from how concur reads, votes or judges.
func (c *console) checkReplay(recorded *store.Run, dir string) error {
	replayed, err := store.Open(dir)
	if err != nil {
		return err
	}
	name := recorded.Manifest.Run
	n, changed, err := store.ChangedVerdicts(recorded, replayed)
	if err != nil {
		return &exitError{exitInvalid, fmt.Errorf("replay of %s: %w", name, err)}
	}
	if len(changed) > 0 {
		lines := make([]string, len(changed))
		for i, pair := range changed {
			lines[i] = fmt.Sprintf("%s: %s (%s), now %s (%s)", pair[0].Query, pair[0].Verdict.Verdict, reports.Decided(pair[0]), pair[1].Verdict.Verdict, reports.Decided(pair[1]))
		}
		return &exitError{exitRegression, fmt.Errorf("replay of %s: %d of %d verdicts are not the recording's, though models and tools answered the same:\n%s", name, len(changed), n, strings.Join(lines, "\n"))}
	}
	again := "This went through concur's own pipeline again, and says nothing new about the agent."
	if recorded.Manifest.Configurations[0].Configuration.Agent.External.Used() {
		again = "The agent ran again, on the model's recorded replies."
	}
	_, err = fmt.Fprintf(c.err, "replay of %s: all %d verdicts are the recording's. %s\n", name, n, again)
	return err
}

func (c *console) ablateAction(ctx *cli.Context, o *output) error {
	if ctx.IsSet(flagResume) {
		return c.resumeAction(ctx, o)
	}
	if ctx.IsSet(flagRetryFailed) {
		return usagef("--retry-failed goes with --resume RUN: it names the run whose failures are to be run again")
	}
	draft, err := ablationDraft(ctx)
	if err != nil {
		return err
	}
	return c.begin(ctx, draft, o)
}

// ablationDraft reads the spec and resolves it: its base overrides concur.yaml, flags override
// both, and what a configuration sets overrides all.
func ablationDraft(ctx *cli.Context) (draft runner.Draft, err error) {
	spec, err := ablations.Read(cmp.Or(ctx.Args().First(), "offline")) // which needs no key and no network
	if err != nil {
		return draft, err
	}
	source := datasetOr(ctx, cmp.Or(ctx.String(flagDataset), spec.Dataset))
	base, wrong := spec.Defaults(config.New())
	f, inFile := fromFile(ctx, base)
	base, inSpec := spec.Base(f.Configuration)
	base, inFlags := fromFlags(ctx, base)
	if err := errors.Join(wrong, inFile, inSpec, inFlags); err != nil {
		return draft, err
	}
	rows, err := spec.Rows(base, func(c config.Configuration) (config.Configuration, error) { // once its keys are set
		if err := ablations.CheckRunWide(base, c); err != nil {
			return c, err
		}
		c, err := assemble.WithCorpus(c, source)
		return c.Completed(), err
	})
	if err != nil {
		return draft, fmt.Errorf("%w%s", err, blameFlags(ctx))
	}
	confs := make([]config.Configuration, len(rows))
	for i, row := range rows {
		confs[i] = row.Configuration
	}
	if draft, err = newDraft(ctx, source, confs); err != nil {
		return draft, err
	}
	draft.Manifest.Ablation, draft.Manifest.Baseline = spec.Name, spec.Baseline()
	for i, row := range rows {
		draft.Manifest.Configurations[i].Note = row.Note
	}
	return draft, nil
}

// blameFlags names the flags and variables that may make a valid spec invalid by overriding its
// base: -k 1 makes the row k=1 equal to the baseline.
func blameFlags(ctx *cli.Context) string {
	var given []string
	for _, l := range readManual().flags("@configuration") {
		if ctx.IsSet(l.name) && !slices.Contains(limitFlags(), l.name) {
			given = append(given, fmt.Sprintf("--%s (or %s)", l.name, l.variable))
		}
	}
	if len(given) == 0 {
		return ""
	}
	return fmt.Sprintf("\nif the spec itself is valid, the cause is %s, which overrides the base of every row: leave it out, or change the rows", strings.Join(given, ", "))
}
