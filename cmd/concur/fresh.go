package main

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

// gather runs what the decision still needs, until it needs nothing more. What an earlier
// call has run is found again, so that asking the gate twice costs nothing and gives no
// second chance.
func (g *gating) gather(ctx *cli.Context, signals *listener) error {
	if g.options.Replicate == gate.ReplicateGiven {
		if err := g.given(ctx); err != nil {
			return err
		}
	}
	for range 8 { // each turn adds traces; three are the most that are ever needed
		need := gate.Needs(g.evidence, g.options)
		if need.Empty() {
			return nil
		}
		if len(need.Confirm)+len(need.Safety) > 0 {
			if err := g.runConfirm(ctx, signals, need); err != nil {
				return err
			}
			continue
		}
		if err := g.runReplica(ctx, signals); err != nil {
			return err
		}
	}
	return &exitError{exitInvalid, fmt.Errorf("gate run %s: fresh traces were run, and it needs more and more of them; this is a defect of concur", g.run.Manifest.Run)}
}

// runConfirm sees to it that every query has the fresh traces that are asked for.
func (g *gating) runConfirm(ctx *cli.Context, signals *listener, need gate.Need) error {
	for attempt := 1; ; attempt++ {
		passes, err := g.confirmed(ctx, signals)
		if err != nil {
			return err
		}
		missing, first, most := g.missing(need, passes)
		if len(missing) == 0 {
			g.evidence.Confirm(need, passes...)
			return nil
		}
		if attempt > 2 {
			return &exitError{exitInvalid, fmt.Errorf("gate run %s: fresh traces of %v are missing from %v: remove these folders, and ask again", g.run.Manifest.Run, missing, g.confirm)}
		}
		name := g.run.Manifest.Run + "-confirm"
		if n := len(g.confirm); n > 0 {
			name = fmt.Sprintf("%s-%d", name, n+1)
		}
		seed := g.run.Manifest.Seed
		if err := g.runFresh(ctx, signals, name, seed, g.filtered(missing), first, most); err != nil {
			return err
		}
	}
}

// missing are the queries that have fewer fresh traces than asked for: the index at which
// further ones begin, and how many at most are wanted.
func (g *gating) missing(need gate.Need, passes []gate.RunPass) (queries []string, first, most int) {
	there := map[string]int{}
	first = g.configuration.K
	for _, p := range passes {
		for _, r := range p.Records {
			there[r.Query] += len(r.Answers)
			for _, a := range r.Answers {
				first = max(first, a.Trace+1)
			}
		}
	}
	for _, ask := range slices.Concat(need.Confirm, need.Safety) {
		if n := ask.Traces - there[ask.Query]; n > 0 {
			queries, most = append(queries, ask.Query), max(most, n)
		}
	}
	return queries, first, most
}

// confirmed reads the folders with fresh traces that there are, and finishes one that was
// stopped.
func (g *gating) confirmed(ctx *cli.Context, signals *listener) ([]gate.RunPass, error) {
	g.confirm = nil
	var passes []gate.RunPass
	for i := 1; ; i++ {
		name := g.run.Manifest.Run + "-confirm"
		if i > 1 {
			name = fmt.Sprintf("%s-%d", name, i)
		}
		p, err := g.fresh(ctx, signals, name)
		if errors.Is(err, fs.ErrNotExist) {
			return passes, nil
		}
		if err != nil {
			return nil, err
		}
		g.confirm, passes = append(g.confirm, name), append(passes, p)
	}
}

// fresh reads a folder of fresh traces, finishing it where it was stopped. It is an
// fs.ErrNotExist where there is none.
func (g *gating) fresh(ctx *cli.Context, signals *listener, name string) (gate.RunPass, error) {
	dir := filepath.Join(filepath.Dir(g.run.Dir), name)
	if _, err := os.Stat(dir); err != nil {
		return gate.RunPass{}, err
	}
	run, err := store.Open(dir)
	if err != nil {
		return gate.RunPass{}, &exitError{exitInvalid, fmt.Errorf("%w; remove the folder, and ask the gate again", err)}
	}
	m := run.Manifest
	if m.FreshOf != g.run.Manifest.Run || len(m.Configurations) != 1 || m.Configurations[0].Agent != g.configuration.Agent {
		return gate.RunPass{}, usagef("gate run %s: the folder %s does not hold further traces of its agent: move it away", g.run.Manifest.Run, dir)
	}
	if m.State != store.Complete {
		if err := g.finish(ctx, signals, run); err != nil {
			return gate.RunPass{}, err
		}
		if run, err = store.Open(dir); err != nil {
			return gate.RunPass{}, err
		}
	}
	p, err := gate.ReadPass(run, "")
	if err != nil {
		return p, usagef("%w", err)
	}
	return p, nil
}

// finish goes on with a folder of fresh traces that was stopped.
func (g *gating) finish(ctx *cli.Context, signals *listener, run *store.Run) error {
	plan, err := planAgain(ctx, run.Manifest, flagResume, run.Manifest.Dataset.Source, g.limits(ctx))
	if err != nil {
		return err
	}
	return plan.whileOpen(ctx.Context, func(running context.Context) error {
		if err := g.sameAgent(plan); err != nil {
			return err
		}
		out, prior, err := run.Resume(time.Now(), plan.scope(false))
		if err != nil {
			return notWritten(err)
		}
		return g.perform(ctx, running, plan, out, prior, signals)
	})
}

// runFresh runs further traces of the run's agent into a folder beside it.
func (g *gating) runFresh(ctx *cli.Context, signals *listener, name string, seed int64, filter store.Filter, first, k int) error {
	m := g.run.Manifest
	m.Run, m.Seed, m.Start, m.Dataset.Filter = name, seed, time.Now(), filter
	made := g.configuration
	made.First, made.K = first, k
	m.Configurations = []store.Configuration{made}
	m.Ablation, m.Baseline = "", ""
	p := &runPlan{Plan: runner.Plan{Seed: seed}, given: &seed, start: m.Start, gitCommit: gitCommit(ctx.Context), name: name, freshOf: g.run.Manifest.Run}
	conf := made.Configuration
	conf.Name, conf.Limits = made.Name, g.limits(ctx)
	p.Arms = []runner.Arm{{Configuration: conf, First: first}}
	if err := p.take(m.Dataset.Source, filter); err != nil {
		return err
	}
	return p.whileOpen(ctx.Context, func(running context.Context) error {
		if err := g.sameAgent(p); err != nil {
			return err
		}
		if err := g.console.confirm(ctx, p); err != nil {
			return err
		}
		out, err := store.Create(filepath.Dir(g.run.Dir), p.manifest())
		if err != nil {
			return notWritten(err)
		}
		return g.perform(ctx, running, p, out, nil, signals)
	})
}

// perform runs a plan without a report of its own.
func (g *gating) perform(ctx *cli.Context, running context.Context, plan *runPlan, out *store.Writer, prior *store.Prior, signals *listener) error {
	return g.console.conduct(running, plan, out, prior, ctx.Bool(flagQuiet), signals, "concur gate "+g.run.Dir)
}

// sameAgent refuses fresh traces of another agent than the run's.
func (g *gating) sameAgent(p *runPlan) error {
	if now := p.Arms[0].AgentHash; now != g.configuration.Agent {
		return usagef("gate run %s: its agent has changed since (hash %.12s, now %.12s), as when a corpus, a tool or concur itself is another, so that fresh traces would be of another agent: run again, and gate on that", g.run.Manifest.Run, g.configuration.Agent, now)
	}
	return nil
}

// limits are those of the run, with what flags say of them.
func (g *gating) limits(ctx *cli.Context) config.Limits {
	c := g.configuration.Configuration
	override(ctx, &c)
	return c.Limits
}

// filtered takes some queries of what the run was over.
func (g *gating) filtered(queries []string) store.Filter {
	return store.Filter{Queries: queries}
}

// runReplica runs the second full pass, or finds it done. Its seed is another, drawn from
// the run's, so that none of its traces is one that was seen.
func (g *gating) runReplica(ctx *cli.Context, signals *listener) error {
	name := g.run.Manifest.Run + "-replicate"
	p, err := g.fresh(ctx, signals, name)
	if errors.Is(err, fs.ErrNotExist) {
		sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00replicate", g.run.Manifest.Seed))
		seed := int64(binary.BigEndian.Uint32(sum[:4]) >> 1)
		if err := g.runFresh(ctx, signals, name, seed, g.run.Manifest.Dataset.Filter, 0, g.configuration.K); err != nil {
			return err
		}
		p, err = g.fresh(ctx, signals, name)
	}
	if err != nil {
		return err
	}
	g.replica = name
	g.evidence.Replicate(p)
	return nil
}

// given takes the second pass from a run that was named.
func (g *gating) given(ctx *cli.Context) error {
	run, err := store.Find(ctx.String(flagRunsDir), ctx.String(flagReplicate))
	if err != nil {
		return usagef("--%s: %w", flagReplicate, err)
	}
	if run.Manifest.FreshOf != g.run.Manifest.Run {
		if err := evidential(run); err != nil {
			return err
		}
	}
	m := run.Manifest
	p, err := gate.ReadPass(run, g.configuration.Name)
	if err != nil {
		return usagef("%w", err)
	}
	same := slices.ContainsFunc(m.Configurations, func(c store.Configuration) bool {
		return c.Name == g.configuration.Name && c.Agent == g.configuration.Agent && c.K == g.configuration.K
	})
	switch {
	case m.Run == g.run.Manifest.Run:
		return usagef("--%s: a run does not bear itself out; name another of the same agent", flagReplicate)
	case !same:
		return usagef("--%s: run %s is not of the same agent and K as %s", flagReplicate, m.Run, g.run.Manifest.Run)
	case m.Dataset.Hash != g.run.Manifest.Dataset.Hash:
		return usagef("--%s: run %s is over other queries than %s", flagReplicate, m.Run, g.run.Manifest.Run)
	case isOffline(g.configuration.Model) && m.Seed == g.run.Manifest.Seed:
		return usagef("--%s: run %s has the same seed, and an offline model does the same with it: run with another --seed", flagReplicate, m.Run)
	}
	g.replica = m.Run
	g.evidence.Replicate(p)
	return nil
}
