package confirm

import (
	"fmt"
	"slices"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/runner/store"
)

// Case is a run with what it is compared with.
type Case struct {
	Pass     baseline.Pass
	Data     *datasets.Dataset // that the run was over
	Baseline *baseline.Baseline
	Release  *baseline.Baseline // the frozen baseline; nil without one
	PoolRuns int                // 0 is baseline.PoolRuns
	Begun    *Question          // that the gate goes on with, whose runs and levels it takes; nil for a new one

	// Prepare fills in the rest.
	Pool, Frozen baseline.Pool
	Evidence     gate.Evidence // without fresh traces
	Differs      []string      // in what the run was made otherwise than the last accepted one
}

// Estimate is what a round takes, by the run's own traces of the same queries; usd may be unknown.
func (c *Case) Estimate(r Round) (tokens float64, usd *float64) {
	return c.cost(func(of store.Record) (traces float64) {
		for _, b := range r.Batches {
			if slices.Contains(b.Queries, of.Query) {
				traces += float64(b.Traces)
			}
		}
		return traces
	})
}

// EstimateMean is what a number of traces takes by the mean of the run's, for queries not known yet.
func (c *Case) EstimateMean(traces int) (tokens float64, usd *float64) {
	made := 0
	for _, r := range c.Pass.Records {
		made += len(r.Answers)
	}
	return c.cost(func(r store.Record) float64 { return float64(traces*len(r.Answers)) / float64(max(1, made)) })
}

// cost is that of so many traces of each record's query.
func (c *Case) cost(traces func(store.Record) float64) (tokens float64, usd *float64) {
	if c.Evidence.USD != nil {
		usd = new(float64)
	}
	for _, r := range c.Pass.Records {
		share := traces(r) / float64(max(1, len(r.Answers)))
		tokens += share * float64(r.Usage.InputTokens+r.Usage.OutputTokens)
		if usd != nil && r.Usage.USD != nil {
			*usd += share * *r.Usage.USD
		}
	}
	return tokens, usd
}

// Permutations is the number of draws of the test of concordance.
const Permutations = 10_000

// Prepare grades the accepted runs by the dataset and gathers what a decision rests on. It
// refuses runs that say nothing about the agent as it is now.
func (c *Case) Prepare() error {
	name := c.Pass.Configuration.Name
	if err := c.Pass.Judged(); err != nil {
		return err
	}
	known := c.Baseline.Configurations()
	if len(known) > 0 && !slices.Contains(known, name) {
		return fmt.Errorf("the baseline has no runs of configuration %q; it has %v", name, known)
	}
	begun := Question{}
	if c.Begun != nil {
		begun = *c.Begun
	}
	pool, warnings, err := c.graded(c.Baseline, begun.Pool, c.PoolRuns)
	if err != nil {
		return err
	}
	c.Pool, c.Evidence = pool, pool.Evidence(c.Pass.Manifest.Seed, Permutations)
	c.Evidence.Warnings, c.Evidence.Levels = append(c.Evidence.Warnings, warnings...), begun.Levels
	if c.Release != nil {
		c.Frozen, warnings, err = c.graded(c.Release, begun.FrozenRuns, len(c.Release.Runs))
		if err == nil && len(c.Frozen.Runs) == 0 {
			err = fmt.Errorf("it has no runs of configuration %q", name)
		}
		if err != nil {
			return fmt.Errorf("frozen baseline: %w", err)
		}
		for _, warning := range warnings {
			c.Evidence.Warnings = append(c.Evidence.Warnings, "frozen baseline: "+warning)
		}
		c.Evidence.FrozenRuns = len(c.Frozen.Runs)
		for i := range c.Evidence.Items {
			c.Evidence.Items[i].Frozen = c.Frozen.Items[i].History
		}
	}
	if err := c.Pass.Observe(&c.Evidence, c.Pool); err != nil {
		return err
	}
	if err := c.Pool.SameReader(c.Baseline, c.Pass); err != nil {
		return err
	}
	last := baseline.AcceptedRun{}
	if n := len(c.Pool.Runs); n > 0 {
		last = c.Pool.Runs[n-1]
	}
	invalid, warnings := baseline.Cached(c.Pass, last.Run, last.Copies)
	c.Evidence.Invalid = append(c.Evidence.Invalid, invalid...)
	c.Evidence.Warnings = append(c.Evidence.Warnings, warnings...)
	c.Differs = c.Pool.Differences(c.Baseline, c.Pass)
	return nil
}

// graded is the pool of a baseline by the dataset as it is now: the runs with these names, or without names the last ones.
func (c *Case) graded(b *baseline.Baseline, names []string, runs int) (pool baseline.Pool, warnings []string, err error) {
	name := c.Pass.Configuration.Name
	if err := baseline.Known(b.Counting(name), c.Pass); err != nil {
		return pool, nil, fmt.Errorf("it is in the baseline already: %w", err)
	}
	if len(names) == 0 {
		pool = b.Pool(name, runs, c.Pass.Configuration.K)
	} else if pool, err = b.PoolOf(name, names); err != nil {
		return pool, nil, err
	}
	pool, graded, err := pool.Regrade(c.Data)
	return pool, graded.Warnings(), err
}
