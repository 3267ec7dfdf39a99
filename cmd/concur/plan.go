package main

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/agent/react"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/trace"
)

// runPlan is a run as asked for, before anything is opened.
type runPlan struct {
	runner.Plan
	given     *int64 // the seed, unless it was drawn
	of        int    // queries of the dataset before filters
	source    string // of the dataset, for the manifest
	filter    store.Filter
	gitCommit *string
	start     time.Time
	name      string // of the run
	models    *models
	replay    *replaying   // nil where models and tools are asked
	onText    func(string) // told what models say as they say it
	prior     *store.Prior // what is finished of it, where that was asked
}

func planFrom(ctx *cli.Context) (*runPlan, error) {
	if ctx.NArg() > 1 {
		return nil, usagef("run takes one dataset, and was given %s", strings.Join(ctx.Args().Slice(), " "))
	}
	conf, err := configuration(ctx)
	if err != nil {
		return nil, err
	}
	p := &runPlan{Plan: runner.Plan{Configuration: conf}, gitCommit: gitCommit(ctx.Context), start: time.Now()}
	if err := p.openDataset(ctx, defaultDataset, store.Filter{}); err != nil {
		return nil, err
	}
	seed, suffix, err := draw(ctx, conf)
	if err != nil {
		return nil, err
	}
	p.Seed = seed
	p.name = runName(p.start, p.Dataset.Name, suffix)
	if ctx.IsSet("seed") || isOffline(conf.Model) {
		p.given = &seed
	}
	if err := p.Check(); err != nil {
		return nil, usagef("%w", err)
	}
	return p, nil
}

// runName names a run and its folder; names sort by their start.
func runName(start time.Time, dataset, suffix string) string {
	return fmt.Sprintf("%s-%s-%s", start.UTC().Format("20060102T150405"), dataset, suffix)
}

// openDataset opens the dataset that the arguments name, or source, and takes from it what
// the flags say, or filter.
func (p *runPlan) openDataset(ctx *cli.Context, source string, filter store.Filter) error {
	if ctx.NArg() == 1 {
		source = ctx.Args().First()
	}
	if ctx.IsSet("limit") && ctx.Int("limit") < 1 {
		return usagef("--limit is %d: it must be at least 1", ctx.Int("limit"))
	}
	if ctx.IsSet("query") || ctx.IsSet("category") || ctx.IsSet("limit") {
		filter = store.Filter{Queries: list(ctx, "query"), Categories: list(ctx, "category"), Limit: ctx.Int("limit")}
	}
	data, err := datasets.Open(source)
	if err != nil {
		return usagef("%w", err)
	}
	p.of = len(data.Queries)
	if p.Dataset, err = data.Filter(filter.Queries, filter.Categories, filter.Limit); err != nil {
		return usagef("%w", err)
	}
	p.source, p.filter = source, filter
	if !slices.Contains(datasets.Builtin(), source) {
		if p.source, err = filepath.Abs(source); err != nil {
			return usagef("dataset %s: %w", source, err)
		}
	}
	return nil
}

// draw gives the run's seed (as asked for; 1 for an offline model; else random) and the
// random end of its name.
func draw(ctx *cli.Context, conf config.Configuration) (seed int64, suffix string, err error) {
	var random [12]byte
	if _, err := rand.Read(random[:]); err != nil {
		return 0, "", fmt.Errorf("draw a seed: %w; give one with --seed", err)
	}
	suffix = fmt.Sprintf("%x", random[8:])
	switch {
	case ctx.IsSet("seed"):
		return ctx.Int64("seed"), suffix, nil
	case isOffline(conf.Model):
		return 1, suffix, nil
	default:
		return int64(binary.BigEndian.Uint64(random[:8]) >> 33), suffix, nil
	}
}

// whileOpen opens the plan's models and tools for as long as do takes. What do is given
// ends when a model says that the run cannot go on.
func (p *runPlan) whileOpen(ctx context.Context, do func(context.Context) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	set, err := p.open(ctx, stop)
	if err != nil {
		return usagef("%w", err)
	}
	err = do(ctx)
	if closeErr := set.close(); closeErr != nil {
		err = errors.Join(err, fmt.Errorf("close tools: %w", closeErr))
	}
	return err
}

// open turns the names in the configuration into a model, tools and an agent.
func (p *runPlan) open(ctx context.Context, stop context.CancelCauseFunc) (*toolset, error) {
	var err error
	if p.models, err = newModels(p.Configuration, stop); err != nil {
		return nil, err
	}
	p.models.onText, p.models.replay = p.onText, p.replay
	if p.Model, err = p.models.open(p.Configuration.Model); err != nil {
		return nil, err
	}
	p.Price = p.models.price
	set, err := openTools(ctx, p.Configuration.Agent.Tools, p.Configuration.Search, p.replay)
	if err != nil {
		return nil, err
	}
	if err := p.openAsked(p.Model); err != nil {
		return nil, errors.Join(err, set.close())
	}
	p.Agent = &react.Agent{Config: p.Configuration.Agent, Tools: set.registry}
	if p.replay != nil { // whatever a key or an address would now make of it
		p.AgentHash = p.replay.of.Configurations[0].Agent
		return set, nil
	}
	p.AgentHash, err = agentHash(p.Configuration, set)
	return set, err
}

func (p *runPlan) manifest() store.Manifest {
	return store.Manifest{
		Run:   p.name,
		Start: p.start,
		Dataset: store.Dataset{
			Name: p.Dataset.Name, Hash: p.Dataset.Hash, Queries: len(p.Dataset.Queries), Of: p.of, Categories: p.Dataset.Categories(),
			ByCategory: byCategory(p.Dataset), Source: p.source, Filter: p.filter,
		},
		Seed:           p.Seed,
		Configurations: []store.Configuration{{Name: p.Configuration.Name, Agent: p.AgentHash, Configuration: p.Configuration}},
		Versions:       p.versions(),
		GitCommit:      p.gitCommit,
		ReplayOf:       p.replayOf(),
	}
}

func (p *runPlan) replayOf() string {
	if p.replay == nil {
		return ""
	}
	return p.replay.of.Run
}

// rename makes a plan that was taken from a manifest one of a new run.
func (p *runPlan) rename(now time.Time) error {
	var random [4]byte
	if _, err := rand.Read(random[:]); err != nil {
		return fmt.Errorf("name the run: %w", err)
	}
	p.start, p.name = now, runName(now, p.Dataset.Name, fmt.Sprintf("%x", random))
	return nil
}

func byCategory(d *datasets.Dataset) map[string]int {
	n := map[string]int{}
	for _, q := range d.Queries {
		n[q.Category]++
	}
	return n
}

// verifierName is the model that verifies or picks; "" where no stage asks one.
func (p *runPlan) verifierName() string {
	for _, s := range p.Configuration.Consensus.Stages {
		if s == config.StageVerifier || s == config.StagePick {
			return p.Configuration.Verifier.Model
		}
	}
	return ""
}

// versions are those of rules and prompts, and what stands behind the model's name.
func (p *runPlan) versions() map[string]string {
	v := versions()
	c := p.Configuration
	for role, spec := range map[string]string{"model": c.Model, "verifier_model": p.verifierName(), "correctness_model": c.Judge.Correctness, "quality_model": c.Judge.Quality} {
		if spec == config.SameModel {
			spec = c.Model
		}
		if spec != "" {
			v[role] = modelIdentity(spec, c.Providers)
		}
	}
	return v
}

// describe prints what a run would do. Calls and tokens depend on what the model does,
// so that only bounds can be told before.
func (p *runPlan) describe(o *output) error {
	traces, steps := 0, 0
	for _, q := range p.Dataset.Queries {
		turns := p.Configuration.Agent.MaxSteps
		if q.MaxSteps > 0 && !p.Configuration.Agent.FixedSteps {
			turns = q.MaxSteps
		}
		missing := p.missing(q.ID)
		traces += missing
		steps += (turns + 1) * missing // and the forced answer
	}
	return o.plan(planned{
		Schema: "concur/plan/v1", Dataset: p.Dataset.Name, Queries: len(p.Dataset.Queries), K: p.Configuration.K,
		Model: p.Configuration.Model, Tools: p.Configuration.Agent.Tools, Traces: traces,
		MaxModelCalls: steps, MaxToolCalls: traces * p.Configuration.Agent.MaxToolCalls, Seed: p.given,
		Verifier: p.verifierName(), Correctness: p.Configuration.Judge.Correctness, Quality: p.Configuration.Judge.Quality,
	})
}

// missing counts the traces of a query that are still to be run.
func (p *runPlan) missing(query string) int {
	if p.prior.Decided(p.Configuration.Name, query) {
		return 0
	}
	n := 0
	for i := range p.Configuration.K {
		if _, ok := p.prior.Trace(trace.ID{Agent: p.AgentHash, Query: query, Trace: i}); !ok {
			n++
		}
	}
	return n
}
