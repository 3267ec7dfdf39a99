package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

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
	source        string // of the dataset, where it lies now
	pass          gate.RunPass
	accepted      []gate.AcceptedRun // all that count
	pool, frozen  gate.Pool          // frozen has no runs where none was given
	evidence      gate.Evidence
	options       gate.Options
	baseline      string
	poolRuns      int      // of it that were asked for; 0 for as many as by default
	confirm       []string // folders with fresh traces
	replica       string
	opened        []*store.Run // what was run for it
	kept          []keptTraces // what earlier decisions on the run rested on
}

// newGating opens the run and what it is held against, and refuses what is no evidence.
func (c *console) newGating(ctx *cli.Context, options gate.Options) (*gating, error) {
	run, err := findRun(ctx, 1)
	if err != nil {
		return nil, err
	}
	// A link must not hide what lies beside the run: the fresh traces that it has already.
	if run.Dir, err = resolved(run.Dir); err != nil {
		return nil, usagef("gate run %s: %w", run.Manifest.Run, err)
	}
	g := &gating{console: c, run: run, options: options, baseline: ctx.String(flagBaselineFile), poolRuns: ctx.Int("pool-runs")}
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
	if _, err := saidOf(run, g.configuration.Name); err != nil { // before anything that takes time
		return nil, usagef("%w", err)
	}
	plan, err := sameDataset(ctx, run.Manifest)
	if err != nil {
		return nil, err
	}
	g.data, g.source = plan.Dataset, plan.source
	for _, name := range []string{flagOut, flagJUnit, flagMarkdown} {
		if err := checkOut(name, ctx.String(name), []string{g.source}); err != nil {
			return nil, err
		}
	}
	b, err := gate.ReadBaseline(g.baseline)
	if err != nil {
		return nil, usagef("%w", err)
	}
	if err := g.fill(ctx, b); err != nil {
		return nil, err
	}
	if err := g.remember(); err != nil {
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
	case m.Dataset.Of > m.Dataset.Queries:
		return usagef("gate run %s: it is over %d of the %d queries of %s, and what became of the others is not known: run it without --query, --category and --limit", m.Run, m.Dataset.Queries, m.Dataset.Of, m.Dataset.Name)
	}
	return nil
}

// datasetFlag says where the dataset lies now.
func datasetFlag() cli.Flag {
	return &cli.StringFlag{Name: flagDataset, Usage: "`FILE` with the run's dataset, where it lies elsewhere by now", DefaultText: "where the run found it, else its name in this folder"}
}

// sameDataset opens the dataset that a run was over, as it was then. Only the plan's
// dataset and where it lies are filled in.
func sameDataset(ctx *cli.Context, m store.Manifest) (*runPlan, error) {
	source, err := sourceOf(ctx, m)
	if err != nil {
		return nil, err
	}
	p := &runPlan{}
	if err := p.take(source, m.Dataset.Filter); err != nil {
		return nil, err
	}
	if p.Dataset.Hash != m.Dataset.Hash {
		return nil, usagef("run %s: the dataset %s is not what it was (%.19s, now %.19s): run again over it as it is now, and the baseline is graded again by itself; where the run's own lies elsewhere, name it with --%s FILE", m.Run, source, m.Dataset.Hash, p.Dataset.Hash, flagDataset)
	}
	// The same queries are the same dataset under whatever name their file has now.
	named := *p.Dataset
	named.Name = m.Dataset.Name
	p.Dataset = &named
	return p, nil
}

// sourceOf finds a run's dataset: as the flag says, where the run found it, or, where the
// run was made on another machine, by its name in the working directory.
func sourceOf(ctx *cli.Context, m store.Manifest) (string, error) {
	source := m.Dataset.Source
	if source == "" {
		return "", usagef("run %s: its manifest does not say where its queries came from, as that of a session of `concur ask`: begin a new run", m.Run)
	}
	if given := ctx.String(flagDataset); given != "" {
		return given, nil
	}
	base := source[strings.LastIndexAny(source, `/\`)+1:]
	for _, at := range []string{source, base} {
		if _, err := os.Stat(at); err == nil || slices.Contains(datasets.Builtin(), at) {
			return at, nil
		}
	}
	return "", usagef("run %s: its dataset %s is not there any more, nor is %s in this folder: name it with --%s FILE", m.Run, source, base, flagDataset)
}

// fill gathers what is known without fresh traces.
func (g *gating) fill(ctx *cli.Context, b *gate.Baseline) error {
	name := g.configuration.Name
	if known := b.Configurations(); len(known) > 0 && !slices.Contains(known, name) {
		return usagef("gate run %s: the baseline %s has no runs of configuration %q; it has %s", g.run.Manifest.Run, g.baseline, name, known)
	}
	pool, graded, err := b.Pool(name, g.poolRuns).Regrade(g.data)
	if err != nil {
		return usagef("%w", err)
	}
	g.accepted = b.Counting(name)
	if err := g.independent(g.baseline, g.accepted); err != nil {
		return err
	}
	g.pool, g.evidence = pool, pool.Evidence(g.run.Manifest.Seed, permutations)
	g.evidence.Warnings = append(g.evidence.Warnings, graded.Warnings()...)
	if file := ctx.String(flagFrozen); file != "" {
		if err := g.freeze(file); err != nil {
			return err
		}
	}
	if err := g.evidence.Observe(g.pass, name); err != nil {
		return usagef("%w", err)
	}
	return g.original(g.run)
}

// freeze adds the baseline that does not roll on: all of it.
func (g *gating) freeze(file string) error {
	b, err := gate.ReadBaseline(file)
	if errors.Is(err, fs.ErrNotExist) {
		return usagef("--%s %s: there is no such file; a frozen baseline is a copy of a baseline with ten runs or more, as it was at a release", flagFrozen, file)
	}
	if err != nil {
		return usagef("--%s: %w", flagFrozen, err)
	}
	whole, graded, err := b.Pool(g.configuration.Name, len(b.Runs)).Regrade(g.data)
	if err != nil {
		return usagef("--%s: %w", flagFrozen, err)
	}
	for _, warning := range graded.Warnings() {
		g.evidence.Warnings = append(g.evidence.Warnings, "frozen baseline: "+warning)
	}
	if err := g.independent(file, whole.Runs); err != nil {
		return err
	}
	g.frozen = whole
	history := whole.Frozen()
	g.evidence.Frozen = &history
	return nil
}

// original looks for cached traces in a run: copies are no evidence. Offline models repeat
// themselves by nature, and only with the seed.
func (g *gating) original(run *store.Run) error {
	if isOffline(g.configuration.Model) {
		return nil
	}
	why, err := gate.Cached(run, g.configuration.Name)
	if err != nil {
		return usagef("%w", err)
	}
	if why == "" {
		return nil
	}
	if run.Manifest.Run != g.run.Manifest.Run {
		why = run.Manifest.Run + ": " + why
	}
	if g.configuration.Configuration.Agent.Temperature > 0 {
		g.evidence.Invalid = append(g.evidence.Invalid, why)
	} else {
		g.evidence.Warnings = append(g.evidence.Warnings, why)
	}
	return nil
}

// independent refuses a run whose traces the history has already.
func (g *gating) independent(file string, runs []gate.AcceptedRun) error {
	m := g.run.Manifest
	switch why := g.known(g.pass, runs); {
	case why == "":
		return nil
	case why == itself:
		return usagef("gate run %s: it is in the baseline %s, and would be held against itself; gate on a new run", m.Run, file)
	default:
		return usagef("gate run %s: its traces are in the baseline %s already: %s; run with another --seed", m.Run, file, why)
	}
}

const itself = "by its name"

// copies reports whether all replies of a pass are those of a digest. An offline model may
// say the same with another seed.
func (g *gating) copies(pass gate.RunPass, digest string) bool {
	return pass.Digest != "" && pass.Digest == digest && !isOffline(g.configuration.Model)
}

// known says where accepted runs hold the traces of a run already, "" where they do not.
func (g *gating) known(pass gate.RunPass, runs []gate.AcceptedRun) string {
	m := pass.Manifest
	for _, r := range runs {
		for _, p := range r.Passes {
			switch {
			case p.Run == m.Run:
				return itself
			case g.copies(pass, p.Digest):
				return fmt.Sprintf("its replies are those of run %s to the byte", r.Run)
			case isOffline(g.configuration.Model) && r.Agent == g.configuration.Agent && p.Seed == m.Seed:
				return fmt.Sprintf("those of run %s again, since an offline model does the same with the same seed, %d", r.Run, m.Seed)
			}
		}
	}
	return ""
}
