package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/internal/assemble"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/replay"
	"github.com/seed-5817661a/concur/runner/store"
)

// resumeAction finishes what is missing of a run, and reports on the whole. settingsOf is its
// first configuration with the flags of the command line over it.
func (c *console) resumeAction(ctx *cli.Context, o *output, settingsOf func(*cli.Context, store.Manifest) (config.Configuration, error)) error {
	run, draft, err := c.retake(ctx, o, flagResume, settingsOf)
	if err != nil {
		return err
	}
	scope := draft.Scope(ctx.Bool(flagRetryFailed))
	if ctx.Bool("dry-run") {
		prior, err := run.Prior(scope)
		if err != nil {
			return err
		}
		return c.forecast(o, draft, prior)
	}
	if run.Manifest.State == store.Complete {
		// A run with damaged files is repaired or refused below.
		if prior, err := run.Prior(scope); err == nil && prior.Queries() == len(draft.Dataset.Queries)*len(draft.Manifest.Configurations) {
			return c.reportOn(run.Dir, o, fresh, reporting(ctx))
		}
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

// replayAction runs a run again from its recording: models and tools answer as they did, without
// the network.
func (c *console) replayAction(ctx *cli.Context, o *output) error {
	run, draft, err := c.retake(ctx, o, "replay", c.runSettings)
	if err != nil {
		return err
	}
	recording, err := run.Recording()
	if err != nil {
		return err
	}
	defer recording.Close() // only read
	recorded, err := replay.Open(recording)
	if err != nil {
		return fmt.Errorf("replay run %s: %w", run.Manifest.Run, err)
	}
	if ctx.Bool("dry-run") {
		return c.forecast(o, draft, nil)
	}
	options := assemble.Options{Folder: run.Dir, Replay: &assemble.Replay{Recording: recorded, Missing: ctx.Bool("record-missing"), Regrade: ctx.Bool("check")}}
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

// retake opens the run that a flag names, and makes a draft from its manifest and the command
// line.
func (c *console) retake(ctx *cli.Context, o *output, flag string, settingsOf func(*cli.Context, store.Manifest) (config.Configuration, error)) (run *store.Run, draft runner.Draft, err error) {
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
	if r.Settings, err = settingsOf(ctx, run.Manifest); err != nil {
		return nil, draft, fmt.Errorf("%s run %s: %w", flag, run.Manifest.Run, err)
	}
	if run.Manifest.Ablation == "" {
		r.Source = ctx.Args().First()
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
	made := m.Configurations[0].Configuration
	if m.Ablation != "" {
		return made, fmt.Errorf("it is an ablation of %d configurations, and run makes runs of one; `concur ablate --resume` finishes one, and a replay is of single runs", len(m.Configurations))
	}
	if ctx.IsSet(flagConfig) {
		return c.configuration(ctx, m.Dataset.Source)
	}
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
	if m.Ablation == "" {
		return made, fmt.Errorf("it is no ablation; `concur run --resume` finishes it")
	}
	refused := []string{"seed", flagDataset, "query", "category", "tag", "limit", "failed-in", "sample", flagConfig}
	for _, s := range settings() {
		if !slices.Contains(limitFlags(), s.name) && (s.name != flagCorpus || !ctx.Bool(flagRetryFailed)) {
			refused = append(refused, s.name)
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
