package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/store"
)

// errNotRun is that fresh traces are wanted, and were not to be run.
var errNotRun = errors.New("fresh traces were not to be run")

// gather runs what the decision still needs, until it needs nothing more. What an earlier
// call has run is found again, so that asking the gate twice costs nothing and gives no
// second chance; so it is under --no-confirm, which only runs nothing new.
func (g *gating) gather(ctx *cli.Context, signals *listener) error {
	if g.options.Replicate == gate.ReplicateGiven {
		if err := g.given(ctx); err != nil {
			return err
		}
	}
	whole := g.options
	whole.NoConfirm = false
	for range 8 { // each turn adds traces; three are the most that are ever needed
		need := gate.Needs(g.evidence, whole)
		if need.Empty() {
			g.options = whole // nothing is left out
			return g.originals()
		}
		var err error
		if len(need.Confirm)+len(need.Safety) > 0 {
			err = g.runConfirm(ctx, signals, need)
		} else {
			err = g.runReplica(ctx, signals)
		}
		if errors.Is(err, errNotRun) {
			return g.originals()
		}
		if err != nil {
			return err
		}
	}
	return &exitError{exitInvalid, fmt.Errorf("gate run %s: fresh traces were run, and it needs more and more of them; this is a defect of concur", g.run.Manifest.Run)}
}

// originals looks for cached traces in what was run to confirm.
func (g *gating) originals() error {
	for _, run := range g.opened {
		if err := g.original(run); err != nil {
			return err
		}
	}
	return nil
}

// runConfirm sees to it that every query has the fresh traces that are asked for.
func (g *gating) runConfirm(ctx *cli.Context, signals *listener, need gate.Need) error {
	for attempt := 1; ; attempt++ {
		passes, err := g.confirmed(ctx, signals)
		if err != nil {
			return err
		}
		missing, first, most := g.missing(need, passes)
		switch {
		case len(missing) == 0:
			g.evidence.Confirm(need, passes...)
			return nil
		case g.options.NoConfirm:
			g.evidence.Confirm(without(need, missing), passes...)
			return errNotRun
		case attempt > 2:
			return &exitError{exitInvalid, fmt.Errorf("gate run %s: fresh traces of %v are missing from %v: remove these folders, and ask again", g.run.Manifest.Run, missing, g.confirm)}
		}
		number, err := g.next(kindConfirm)
		if err != nil {
			return err
		}
		if err := g.runFresh(ctx, signals, g.folder(kindConfirm, number), g.run.Manifest.Seed, store.Filter{Queries: missing}, first, most); err != nil {
			return err
		}
	}
}

// without leaves out what is asked of some queries.
func without(n gate.Need, queries []string) gate.Need {
	less := func(asks []gate.Ask) []gate.Ask {
		return slices.DeleteFunc(slices.Clone(asks), func(a gate.Ask) bool { return slices.Contains(queries, a.Query) })
	}
	return gate.Need{Confirm: less(n.Confirm), Safety: less(n.Safety)}
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

// opens notes what the decision rests on beside the run, each folder once.
func (g *gating) opens(run *store.Run) {
	g.opened = slices.DeleteFunc(g.opened, func(r *store.Run) bool { return r.Manifest.Run == run.Manifest.Run })
	g.opened = append(g.opened, run)
}

// finish goes on with a folder of fresh traces that was stopped.
func (g *gating) finish(ctx *cli.Context, signals *listener, run *store.Run) error {
	plan, err := planAgain(ctx, run.Manifest, flagResume, g.source, g.limits(ctx))
	if err != nil {
		return err
	}
	return plan.whileOpen(ctx.Context, func(running context.Context) error {
		if err := g.sameAgent(plan); err != nil {
			return err
		}
		out, prior, err := run.Resume(time.Now(), plan.scope(false))
		if errors.Is(err, store.ErrHeld) {
			return g.another(run.Dir)
		}
		if err != nil {
			return notWritten(err)
		}
		return g.perform(ctx, running, plan, out, prior, signals)
	})
}

// runFresh runs further traces of the run's agent into a folder beside it.
func (g *gating) runFresh(ctx *cli.Context, signals *listener, name string, seed int64, filter store.Filter, first, k int) error {
	conf := g.configuration.Configuration
	conf.Name, conf.Limits, conf.K = g.configuration.Name, g.limits(ctx), k
	p := &runPlan{
		Plan:  runner.Plan{Seed: seed, Arms: []runner.Arm{{Configuration: conf, First: first}}},
		given: &seed, start: time.Now(), gitCommit: gitCommit(ctx.Context), name: name, freshOf: g.run.Manifest.Run,
	}
	if err := p.take(g.source, filter); err != nil {
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
		if errors.Is(err, fs.ErrExist) {
			return g.another(name)
		}
		if err != nil {
			return notWritten(err)
		}
		return g.perform(ctx, running, p, out, nil, signals)
	})
}

// another is the answer to the loser of two gates on one run at once.
func (g *gating) another(folder string) error {
	return &exitError{exitInvalid, fmt.Errorf("gate run %s: another gate is running its fresh traces, into %s: wait for it to end, and ask again; these traces are then found", g.run.Manifest.Run, folder)}
}

// perform runs a plan without a report of its own.
func (g *gating) perform(ctx *cli.Context, running context.Context, plan *runPlan, out *store.Writer, prior *store.Prior, signals *listener) error {
	return g.console.conduct(running, plan, out, prior, ctx.Bool(flagQuiet), signals, "concur gate "+shellQuoted(g.run.Dir))
}
