package main

import (
	"errors"
	"io/fs"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/runner/store"
)

// runReplica runs the second full pass, or finds it done.
func (g *gating) runReplica(ctx *cli.Context, signals *listener) error {
	name := g.folder(kindReplicate, 1)
	p, err := g.fresh(ctx, signals, kindReplicate, name, map[traceAt]bool{})
	if g.options.NoConfirm && (errors.Is(err, fs.ErrNotExist) || err == nil && p.Manifest.State != store.Complete) {
		return errNotRun
	}
	if errors.Is(err, fs.ErrNotExist) {
		if err := g.runFresh(ctx, signals, name, secondSeed(g.run.Manifest.Seed), g.run.Manifest.Dataset.Filter, 0, g.configuration.K); err != nil {
			return err
		}
		p, err = g.fresh(ctx, signals, kindReplicate, name, map[traceAt]bool{})
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
	if run.Dir, err = resolved(run.Dir); err != nil {
		return usagef("--%s: %w", flagReplicate, err)
	}
	m := run.Manifest
	own := m.FreshOf == g.run.Manifest.Run // RUN-replicate itself, or what is to pass for it
	if own {
		m.FreshOf = "" // the rest must be as of any other
	}
	if err := evidential(&store.Run{Dir: run.Dir, Manifest: m}); err != nil {
		return err
	}
	if own {
		if err := g.further().manifest(kindReplicate, run); err != nil {
			return g.further().refuse(run.Dir, err)
		}
	}
	p, err := gate.ReadPass(run, g.configuration.Name)
	if err != nil {
		return usagef("%w", err)
	}
	if own {
		if err := g.further().records(p, map[traceAt]bool{}); err != nil {
			return g.further().refuse(run.Dir, err)
		}
	}
	same := slices.ContainsFunc(m.Configurations, func(c store.Configuration) bool {
		return c.Name == g.configuration.Name && c.Agent == g.configuration.Agent && c.K == g.configuration.K
	})
	switch {
	case m.Run == g.run.Manifest.Run:
		return usagef("--%s: a run does not bear itself out; name another of the same agent", flagReplicate)
	case g.copies(p, g.pass.Digest):
		return usagef("--%s: the replies in run %s are those of %s to the byte, and a copy bears nothing out; name another run", flagReplicate, m.Run, g.run.Manifest.Run)
	case !same:
		return usagef("--%s: run %s is not of the same agent and K as %s", flagReplicate, m.Run, g.run.Manifest.Run)
	case m.Dataset.Hash != g.run.Manifest.Dataset.Hash:
		return usagef("--%s: run %s is over other queries than %s", flagReplicate, m.Run, g.run.Manifest.Run)
	case isOffline(g.configuration.Model) && m.Seed == g.run.Manifest.Seed:
		return usagef("--%s: run %s has the same seed, and an offline model does the same with it: run with another --seed", flagReplicate, m.Run)
	}
	for _, held := range []struct {
		file string
		runs []gate.AcceptedRun
	}{{g.baseline, g.accepted}, {ctx.String(flagFrozen), g.frozen.Runs}} {
		if why := g.known(p, held.runs); why != "" {
			return usagef("--%s: the traces of run %s are in %s (%s), and what a run is held against cannot bear it out: name another run", flagReplicate, m.Run, held.file, why)
		}
	}
	g.opens(run)
	g.replica = m.Run
	g.evidence.Replicate(p)
	return nil
}
