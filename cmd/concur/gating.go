package main

import (
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/runner/store"
)

// Simulated runs behind the figures that every decision prints, and behind those that are
// asked for.
const (
	quickSimulation = 1000
	fullSimulation  = 10_000
)

// permutations is the number of draws of the test of concordance.
const permutations = 10_000

// gating is a decision on its way.
type gating struct {
	*console
	run           *store.Run
	configuration store.Configuration
	data          *datasets.Dataset
	pass          gate.RunPass
	pool          gate.Pool
	evidence      gate.Evidence
	options       gate.Options
	baseline      string
	confirm       []string // folders with fresh traces
	replica       string
}

// newGating opens the run and what it is held against, and refuses what is no evidence.
func (c *console) newGating(ctx *cli.Context, o *output, options gate.Options) (*gating, error) {
	run, err := findRun(ctx, 1)
	if err != nil {
		return nil, err
	}
	if err := o.spare("", run.Manifest.Dataset.Source); err != nil {
		return nil, err
	}
	g := &gating{console: c, run: run, options: options, baseline: ctx.String(flagBaselineFile)}
	if err := evidential(run); err != nil {
		return nil, err
	}
	if g.pass, err = gate.ReadPass(run, ctx.String(flagConfiguration)); err != nil {
		return nil, usagef("%w", err)
	}
	i := slices.IndexFunc(run.Manifest.Configurations, func(conf store.Configuration) bool {
		return conf.Name == ctx.String(flagConfiguration) || ctx.String(flagConfiguration) == ""
	})
	g.configuration = run.Manifest.Configurations[i]
	if err := gate.Judged(g.pass, g.configuration.Name); err != nil {
		return nil, usagef("gate run %s: %w", run.Manifest.Run, err)
	}
	if g.data, err = sameDataset(run.Manifest); err != nil {
		return nil, err
	}
	b, err := gate.ReadBaseline(g.baseline)
	if err != nil {
		return nil, usagef("%w", err)
	}
	if err := g.fill(ctx, b); err != nil {
		return nil, err
	}
	if err := options.Validate(len(g.data.Queries)); err != nil {
		return nil, usagef("%w", err)
	}
	return g, nil
}

// evidential refuses runs that say nothing about the agent as it is now.
func evidential(run *store.Run) error {
	m := run.Manifest
	switch {
	case m.State != store.Complete:
		return &exitError{exitInvalid, fmt.Errorf("gate run %s: it is not complete (state: %s): finish it with `%s`", m.Run, m.State, resumeCommand(run.Dir, m))}
	case m.ReplayOf != "":
		return usagef("gate run %s: it is a replay of %s, whose traces are no fresh evidence on the agent; gate on a run that asked the model, and see `concur run --replay RUN --check` for what a replay can tell", m.Run, m.ReplayOf)
	case m.FreshOf != "":
		return usagef("gate run %s: it holds further traces of %s, which the gate takes by itself: name that run", m.Run, m.FreshOf)
	}
	return nil
}

// sameDataset opens the dataset that a run was over, as it was then.
func sameDataset(m store.Manifest) (*datasets.Dataset, error) {
	if m.Dataset.Source == "" {
		return nil, usagef("run %s: its manifest does not say where its queries came from, as that of a session of `concur ask`: begin a new run", m.Run)
	}
	p := &runPlan{}
	if err := p.take(m.Dataset.Source, m.Dataset.Filter); err != nil {
		return nil, err
	}
	if p.Dataset.Hash != m.Dataset.Hash {
		return nil, usagef("run %s: the dataset %s has changed since (%.19s, now %.19s): run again over it as it is now; the baseline is graded again by itself", m.Run, m.Dataset.Source, m.Dataset.Hash, p.Dataset.Hash)
	}
	return p.Dataset, nil
}

// fill gathers what is known without fresh traces.
func (g *gating) fill(ctx *cli.Context, b *gate.Baseline) error {
	name := g.configuration.Name
	if known := b.Configurations(); len(known) > 0 && !slices.Contains(known, name) {
		return usagef("gate run %s: the baseline %s has no runs of configuration %q; it has %s", g.run.Manifest.Run, g.baseline, name, known)
	}
	pool, graded, err := b.Pool(name, ctx.Int("pool-runs")).Regrade(g.data)
	if err != nil {
		return usagef("%w", err)
	}
	if err := g.independent(b); err != nil {
		return err
	}
	g.pool, g.evidence = pool, pool.Evidence(g.run.Manifest.Seed, permutations)
	g.evidence.Warnings = append(g.evidence.Warnings, regradings(graded)...)
	if file := ctx.String(flagFrozen); file != "" {
		frozen, err := gate.ReadBaseline(file)
		if err != nil {
			return usagef("%w", err)
		}
		whole, _, err := frozen.Pool(name, len(frozen.Runs)).Regrade(g.data)
		if err != nil {
			return usagef("%w", err)
		}
		history := whole.Frozen()
		g.evidence.Frozen = &history
	}
	if err := g.evidence.Observe(g.pass, name); err != nil {
		return usagef("%w", err)
	}
	if isOffline(g.configuration.Model) {
		return nil
	}
	why, err := gate.Cached(g.run, name)
	if err != nil {
		return usagef("%w", err)
	}
	if why != "" && g.configuration.Configuration.Agent.Temperature > 0 {
		g.evidence.Invalid = append(g.evidence.Invalid, why)
	} else if why != "" {
		g.evidence.Warnings = append(g.evidence.Warnings, why)
	}
	return nil
}

// independent refuses a run whose traces the pool has already.
func (g *gating) independent(b *gate.Baseline) error {
	m := g.run.Manifest
	for _, r := range b.Counting(g.configuration.Name) {
		for _, p := range r.Passes {
			switch {
			case p.Run == m.Run:
				return usagef("gate run %s: it is in the baseline %s, and would be held against itself; gate on a new run", m.Run, g.baseline)
			case isOffline(g.configuration.Model) && r.Agent == g.configuration.Agent && p.Seed == m.Seed:
				return usagef("gate run %s: its traces are those of the accepted run %s again, since an offline model does the same with the same seed (%d): run with another --seed", m.Run, r.Run, m.Seed)
			}
		}
	}
	return nil
}

// regradings tell what became of stored verdicts under the dataset of now.
func regradings(r gate.Regraded) []string {
	var out []string
	if n := len(r.Changed); n > 0 {
		c := r.Changed[0]
		out = append(out, fmt.Sprintf("%d stored traces of the baseline are graded otherwise by the gold as it is now, first %s of run %s: %s, now %s", n, c.Query, c.Run, c.From, c.To))
	}
	for _, u := range r.Unusable {
		out = append(out, fmt.Sprintf("%s has no history from %d runs: %s", u.Query, len(u.Runs), u.Reason))
	}
	return out
}
