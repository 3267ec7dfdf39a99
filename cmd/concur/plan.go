package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/internal/assemble"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
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
	name      string   // of the run
	freshOf   string   // the run of whose agent these are further traces; "" for a run of its own
	notes     []string // remarks on the configurations, by their place; nil without any
	ablation  string   // the spec's name, and the configuration that others are held against; "" for a single run
	baseline  string
	// searchChanged is in what a resumed run searches otherwise than it began; "" is nothing.
	searchChanged string
	replay        *replaying          // nil where models and tools are asked
	onText        func(string)        // told what models say as they say it
	prior         *store.Prior        // what is finished of it, where that was asked
	assembler     *assemble.Assembler // opens it
	session       *assemble.Session   // what of it is open; nil before
}

func (c *console) planFrom(ctx *cli.Context) (*runPlan, error) {
	if ctx.NArg() > 1 {
		return nil, usagef("run takes one dataset, and was given %s", strings.Join(ctx.Args().Slice(), " "))
	}
	source := datasetOr(ctx, ctx.Args().First())
	conf, err := configuration(ctx, source)
	if err != nil {
		return nil, err
	}
	return c.newPlan(ctx, source, []config.Configuration{conf})
}

// newPlan is the plan of a new run.
func (c *console) newPlan(ctx *cli.Context, source string, confs []config.Configuration) (*runPlan, error) {
	p := &runPlan{assembler: c.assembler, gitCommit: gitCommit(ctx.Context), start: time.Now()}
	offline := true
	for _, conf := range confs {
		p.Arms = append(p.Arms, runner.Arm{Configuration: conf})
		offline = offline && config.IsOffline(conf.Model)
	}
	if err := p.openDataset(ctx, source, store.Filter{}); err != nil {
		return nil, err
	}
	seed, suffix, err := draw(ctx, offline)
	if err != nil {
		return nil, err
	}
	p.Seed = seed
	p.name = runName(p.start, p.Dataset.Name, suffix)
	if ctx.IsSet("seed") || offline {
		p.given = &seed
	}
	if err := p.Check(); err != nil {
		return nil, usagef("%w", err)
	}
	return p, nil
}

// first is the only configuration of a single run; of several it is the one whose limits,
// endpoints and prices are those of the run.
func (p *runPlan) first() config.Configuration { return p.Arms[0].Configuration }

// runName names a run and its folder; names sort by their start.
func runName(start time.Time, dataset, suffix string) string {
	return fmt.Sprintf("%s-%s-%s", start.UTC().Format("20060102T150405"), dataset, suffix)
}

// openDataset opens a dataset and takes from it what the flags say, or filter.
func (p *runPlan) openDataset(ctx *cli.Context, source string, filter store.Filter) error {
	if ctx.IsSet("limit") && ctx.Int("limit") < 1 {
		return usagef("--limit is %d: it must be at least 1", ctx.Int("limit"))
	}
	if ctx.IsSet("query") || ctx.IsSet("category") || ctx.IsSet("tag") || ctx.IsSet("limit") {
		filter = store.Filter{Queries: list(ctx, "query"), Categories: list(ctx, "category"), Tags: list(ctx, "tag"), Limit: ctx.Int("limit")}
	}
	if name := ctx.String(flagFailedIn); name != "" {
		if len(filter.Queries) > 0 {
			return usagef("--%s and --query do not go together: either names the queries", flagFailedIn)
		}
		var err error
		if filter.Queries, err = failedIn(ctx.String(flagRunsDir), name); err != nil {
			return err
		}
	}
	if err := p.take(source, filter); err != nil || !ctx.IsSet(flagSample) {
		return err
	}
	n := ctx.Int(flagSample)
	if n < 1 || n > len(p.Dataset.Queries) {
		return usagef("--%s is %d: there are %d queries to draw from", flagSample, n, len(p.Dataset.Queries))
	}
	return p.take(source, store.Filter{Queries: drawn(p.Dataset.Queries, n, ctx.Int64("seed"))})
}

// failedIn are the queries that were not right in a run, under any of its configurations.
func failedIn(runsDir, name string) ([]string, error) {
	run, err := store.Find(runsDir, name)
	if err != nil {
		return nil, usagef("--%s: %w", flagFailedIn, err)
	}
	failed := map[string]bool{}
	for r, err := range run.Records() {
		if err != nil {
			return nil, usagef("--%s: %w", flagFailedIn, err)
		}
		if r.Verdict.Verdict != judge.Correct {
			failed[r.Query] = true
		}
	}
	if len(failed) == 0 {
		return nil, usagef("--%s %s: every query was right there", flagFailedIn, run.Manifest.Run)
	}
	return slices.Sorted(maps.Keys(failed)), nil
}

// drawn are the ids of n queries, those with the lowest hashes of seed and id: a larger n
// adds to them.
func drawn(queries []datasets.Query, n int, seed int64) []string {
	place := func(q datasets.Query) string {
		sum := sha256.Sum256(fmt.Appendf(nil, "%d\n%s", seed, q.ID))
		return string(sum[:])
	}
	queries = slices.SortedFunc(slices.Values(queries), func(a, b datasets.Query) int { return strings.Compare(place(a), place(b)) })
	ids := make([]string, n)
	for i := range ids {
		ids[i] = queries[i].ID
	}
	return ids
}

// take opens a dataset and takes a part of it.
func (p *runPlan) take(source string, filter store.Filter) error {
	data, err := datasets.Open(source)
	if err != nil {
		return usagef("%w", err)
	}
	p.of = len(data.Queries)
	if p.Dataset, err = data.Filter(datasets.Part(filter)); err != nil {
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
func draw(ctx *cli.Context, offline bool) (seed int64, suffix string, err error) {
	var random [12]byte
	if _, err := rand.Read(random[:]); err != nil {
		return 0, "", fmt.Errorf("draw a seed: %w; give one with --seed", err)
	}
	suffix = fmt.Sprintf("%x", random[8:])
	switch {
	case ctx.IsSet("seed"):
		return ctx.Int64("seed"), suffix, nil
	case offline:
		return 1, suffix, nil
	default:
		return int64(binary.BigEndian.Uint64(random[:8]) >> 33), suffix, nil
	}
}

func (p *runPlan) manifest() store.Manifest {
	agents := map[string]store.AgentFacts{}
	if p.session != nil {
		agents = p.session.Agents
	}
	return store.Manifest{
		Run:   p.name,
		Start: p.start,
		Dataset: store.Dataset{
			Name: p.Dataset.Name, Hash: p.Dataset.Hash, Queries: len(p.Dataset.Queries), Of: p.of, Categories: p.Dataset.Categories(),
			ByCategory: byCategory(p.Dataset), Source: p.source, Filter: p.filter,
		},
		Seed: p.Seed, Ablation: p.ablation, Baseline: p.baseline,
		Configurations: p.configurations(),
		Agents:         agents,
		Versions:       p.versions(),
		GitCommit:      p.gitCommit,
		ReplayOf:       p.replayOf(),
		FreshOf:        p.freshOf,
	}
}

func (p *runPlan) configurations() []store.Configuration {
	out := make([]store.Configuration, len(p.Arms))
	for i, a := range p.Arms {
		out[i] = store.Configuration{Name: a.Configuration.Name, Agent: a.AgentHash, First: a.First, Configuration: a.Configuration}
		if p.notes != nil {
			out[i].Note = p.notes[i]
		}
	}
	return out
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

// whileOpen opens the plan's models and tools for as long as do takes. What do is given
// ends when a model says that the run cannot go on.
func (p *runPlan) whileOpen(ctx context.Context, do func(context.Context) error) error {
	o := assemble.Options{KeepHashes: p.searchChanged != "" || p.replay != nil, OnText: p.onText}
	if p.replay != nil {
		o.Replay = &p.replay.Replay
	}
	return p.assembler.While(ctx, p.Plan, o, func(ctx context.Context, s *assemble.Session) error {
		p.session, p.Plan = s, s.Plan
		return do(ctx)
	})
}

// versions are those of rules and prompts, and of what stands behind the models' names.
func (p *runPlan) versions() map[string]string {
	confs := make([]config.Configuration, len(p.Arms))
	for i, a := range p.Arms {
		confs[i] = a.Configuration
	}
	v := p.assembler.Versions(confs...)
	v["concur"], v["commit"] = version, commit
	return v
}
