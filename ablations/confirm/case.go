package confirm

import (
	"fmt"
	"slices"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/runner/store"
)

// Case is a run, together with the baselines with which it is compared.
type Case struct {
	Pass     baseline.Pass
	Data     *datasets.Dataset // the dataset of the run
	Baseline *baseline.Baseline
	Release  *baseline.Baseline // the frozen baseline; nil without one
	PoolRuns int                // the number of accepted runs in the pool; 0 means baseline.PoolRuns
	// the earlier question that the gate continues, with its runs and levels; nil for a new one
	Begun *Question

	// Prepare sets the fields below.
	Pool, Frozen baseline.Pool
	Evidence     gate.Evidence // without fresh traces
	Differs      []string      // the differences between the run and the last accepted one
}

// Estimate estimates the tokens and the cost of a round of fresh traces. It uses the run's own traces of the
// same queries. usd is nil if the cost is unknown.
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

// EstimateMean estimates the tokens and the cost of a number of traces whose queries are not known yet. It uses
// the mean of the run.
func (c *Case) EstimateMean(traces int) (tokens float64, usd *float64) {
	made := 0
	for _, r := range c.Pass.Records {
		made += len(r.Answers)
	}
	return c.cost(func(r store.Record) float64 { return float64(traces*len(r.Answers)) / float64(max(1, made)) })
}

// cost estimates the tokens and the cost of traces. The function traces returns the number of traces for the
// query of a record.
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

// Permutations is the number of permutations in the test of concordance.
const Permutations = 10_000

// Prepare grades the accepted runs by the dataset, and collects the evidence for a decision. It returns an
// error for a run that does not show how the agent works now.
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

// graded returns the pool of a baseline, graded by the present dataset. The pool has the runs with these names;
// if no names are given, it has the last runs.
func (c *Case) graded(b *baseline.Baseline, names []string, runs int) (pool baseline.Pool,
	warnings []string, err error) {
	name := c.Pass.Configuration.Name
	if err := baseline.Known(b.Counting(name), c.Pass); err != nil {
		return pool, nil, fmt.Errorf("it is already in the baseline: %w", err)
	}
	if len(names) == 0 {
		pool = b.Pool(name, runs, c.Pass.Configuration.K)
	} else if pool, err = b.PoolOf(name, names); err != nil {
		return pool, nil, err
	}
	pool, graded, err := pool.Regrade(c.Data)
	return pool, graded.Warnings(), err
}
