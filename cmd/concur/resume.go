package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/internal/assemble"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

const (
	flagResume      = "resume"
	flagRetryFailed = "retry-failed"
)

// resumeCommand is what a user types to go on with a run, or with an ablation.
func resumeCommand(dir string, m store.Manifest) string {
	command := "run"
	if m.Ablation != "" {
		command = "ablate"
	}
	return "concur " + command + " --resume " + shellQuoted(dir)
}

// shellQuoted is a word as a shell reads it.
func shellQuoted(word string) string {
	if strings.ContainsFunc(word, func(r rune) bool {
		return !strings.ContainsRune("/._-+,=@%", r) && (r < '0' || r > '9' && r < 'A' || r > 'Z' && r < 'a' || r > 'z')
	}) {
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return word
}

// resumeAction finishes what is missing of a run, and reports on the whole. planOf makes
// the plan from what the run's manifest and the command line say.
func (c *console) resumeAction(ctx *cli.Context, o *output, signals *listener, planOf func(*cli.Context, store.Manifest) (*runPlan, error)) error {
	run, err := store.Find(ctx.String(flagRunsDir), ctx.String(flagResume))
	if err != nil {
		return usagef("%w", err)
	}
	if err := run.Manifest.CheckSeal(); err != nil {
		return usagef("resume run %s: %w", run.Manifest.Run, err)
	}
	if err := o.spare("", run.Manifest.Dataset.Source); err != nil {
		return err
	}
	plan, err := planOf(ctx, run.Manifest)
	if err != nil {
		return err
	}
	scope := plan.scope(ctx.Bool(flagRetryFailed))
	if err := plan.spareInputs(o); err != nil {
		return err
	}
	if ctx.Bool("dry-run") {
		if plan.prior, err = run.Prior(scope); err != nil {
			return usagef("%w", err)
		}
		return o.write(func() error { return plan.describe(o) })
	}
	how := reporting(ctx)
	if run.Manifest.State == store.Complete {
		// One that is damaged after all is mended below, or refused there.
		if prior, err := run.Prior(scope); err == nil && prior.Queries() == len(plan.Dataset.Queries)*len(plan.Arms) {
			return c.reportOn(run.Dir, o, fresh, how)
		}
	}
	return plan.whileOpen(ctx.Context, func(running context.Context) error {
		for i, made := range run.Manifest.Configurations {
			if now := plan.Arms[i].AgentHash; now != made.Agent { // opening has computed it anew
				return usagef("resume run %s: the agent of configuration %s has changed since it began (hash %.12s, now %.12s), as when a corpus or a tool is another: put that back, or begin a new run", run.Manifest.Run, made.Name, made.Agent, now)
			}
		}
		if err := plan.session.Spent(run); err != nil {
			return usagef("%w", err)
		}
		out, prior, err := run.Resume(time.Now(), scope)
		if err != nil {
			return notWritten(err)
		}
		return c.execute(ctx, running, plan, out, prior, o, signals)
	})
}

// scope is what of the plan counts as finished.
func (p *runPlan) scope(retryFailed bool) store.Scope {
	s := store.Scope{RetryFailed: retryFailed, Queries: map[string]bool{}}
	for _, q := range p.Dataset.Queries {
		s.Queries[q.ID] = true
	}
	return s
}

// planOf makes the plan of a run from its manifest, to resume or replay it. What flags, environment and arguments
// say must be what the manifest says, limits aside, which reach neither agent nor result, and where
// failed traces are run again the search, which may be why they failed.
func (c *console) planOf(ctx *cli.Context, m store.Manifest, why string) (*runPlan, error) {
	if ctx.NArg() > 1 {
		return nil, usagef("run takes one dataset, and was given %s", strings.Join(ctx.Args().Slice(), " "))
	}
	if m.Ablation != "" {
		return nil, usagef("%s run %s: it is an ablation of %d configurations, and run makes runs of one; `concur ablate --resume` finishes one, and a replay is of single runs", why, m.Run, len(m.Configurations))
	}
	made := m.Configurations[0].Configuration
	made.Name = m.Configurations[0].Name
	asked, err := askedOf(ctx, made, m.Dataset.Source)
	if err != nil {
		return nil, err
	}
	limits := asked.Limits
	asked.Limits = made.Limits
	search := asked.Search
	if why == flagResume && ctx.Bool(flagRetryFailed) { // what failed may have been the search
		asked.Search = made.Search
	}
	changed := config.Differences(made, asked)
	if ctx.IsSet("seed") && ctx.Int64("seed") != m.Seed {
		changed = append(changed, fmt.Sprintf("seed: %d, now %d", m.Seed, ctx.Int64("seed")))
	}
	if len(changed) > 0 {
		return nil, usagef("%s run %s: it is finished as it was begun, and this was asked otherwise: %s; leave it out, or begin a new run", why, m.Run, strings.Join(changed, "; "))
	}
	source := m.Dataset.Source
	if ctx.NArg() == 1 {
		source = ctx.Args().First()
	}
	p, err := c.planAgain(ctx, m, why, source, limits)
	if err != nil {
		return nil, err
	}
	asked.Search = search
	p.searchChanged = strings.Join(config.Differences(made, asked), "; ")
	p.Arms[0].Configuration.Search = search
	return p, nil
}

// planAgain is the plan that a manifest was made from, with other limits.
func (c *console) planAgain(ctx *cli.Context, m store.Manifest, why, source string, limits config.Limits) (*runPlan, error) {
	if m.Dataset.Source == "" {
		return nil, usagef("%s run %s: its manifest does not say where its queries came from, as that of a session of `concur ask` or of an older concur: begin a new run", why, m.Run)
	}
	p := &runPlan{
		assembler: c.assembler,
		Plan:      runner.Plan{Seed: m.Seed}, given: &m.Seed,
		start: m.Start, gitCommit: m.GitCommit, name: m.Run, freshOf: m.FreshOf, ablation: m.Ablation, baseline: m.Baseline,
	}
	for _, made := range m.Configurations {
		conf := made.Configuration
		conf.Name, conf.Limits = made.Name, limits
		p.Arms = append(p.Arms, runner.Arm{Configuration: conf, AgentHash: made.Agent, First: made.First})
		p.notes = append(p.notes, made.Note)
	}
	if err := p.openDataset(ctx, source, m.Dataset.Filter); err != nil {
		return nil, err
	}
	// A replay that is checked may have another gold: that is what it is then graded by.
	changed := p.Dataset.Hash != m.Dataset.Hash && !(why == flagReplay && ctx.Bool(flagCheck))
	if changed && (source != m.Dataset.Source || !sameFilter(p.filter, m.Dataset.Filter)) {
		return nil, usagef("%s run %s: it is of other queries than these arguments and flags name: leave the dataset and all flags that choose queries out%s, or begin a new run", why, m.Run, checkHint(why))
	}
	if changed {
		return nil, usagef("%s run %s: the dataset %s is not what it was when the run began (%.19s, now %.19s): put it back%s, or begin a new run", why, m.Run, p.source, m.Dataset.Hash, p.Dataset.Hash, checkHint(why))
	}
	if m.ReplayOf != "" && why == flagResume {
		return nil, usagef("resume run %s: it is a replay of %s; replay that again with --replay", m.Run, m.ReplayOf)
	}
	// What changes in a request shows in a replay by itself.
	if changed := changedVersions(m.Versions, p.versions()); len(changed) > 0 && why == flagResume {
		return nil, usagef("%s run %s: models, rules or prompts are not those it began with: %s; put an endpoint back as it was, finish the run with the concur that began it (%s), or begin a new run", why, m.Run, strings.Join(changed, "; "), m.Versions["concur"])
	}
	if err := p.Check(); err != nil {
		return nil, usagef("%w", err)
	}
	return p, nil
}

// checkHint is how a recording is graded by the gold as it is now.
func checkHint(why string) string {
	if why == flagReplay {
		return ", add --" + flagCheck + " to grade the recording by the gold as it is now"
	}
	return ""
}

func sameFilter(a, b store.Filter) bool {
	return slices.Equal(a.Queries, b.Queries) && slices.Equal(a.Categories, b.Categories) && slices.Equal(a.Tags, b.Tags) && a.Limit == b.Limit
}

// askedOf is the configuration that the command line asks for, where it says anything.
func askedOf(ctx *cli.Context, made config.Configuration, source string) (config.Configuration, error) {
	if ctx.IsSet(flagConfig) {
		c, err := configuration(ctx, source)
		c.Name = made.Name
		return c, err
	}
	c := made
	override(ctx, &c)
	for _, name := range list(ctx, "without") {
		if less, err := c.Without(name); err == nil { // else it was taken away from the start
			c = less
		}
	}
	return assemble.WithCorpus(c, source)
}

// changedVersions compares the versions that decide on results: another build of concur
// with the same rules may finish a run.
func changedVersions(made, now map[string]string) []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(made)) {
		if name != "concur" && name != "commit" && made[name] != now[name] {
			out = append(out, fmt.Sprintf("%s %s, now %s", name, made[name], now[name]))
		}
	}
	return out
}
