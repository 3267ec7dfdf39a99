package confirm

import (
	"fmt"
	"slices"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/datasets"
)

// Case is a run with what it is compared with.
type Case struct {
	Pass     baseline.Pass
	Data     *datasets.Dataset // that the run was over
	Baseline *baseline.Baseline
	Release  *baseline.Baseline // the frozen baseline; nil without one
	PoolRuns int                // 0 is baseline.PoolRuns

	// Prepare fills in the rest.
	Pool, Frozen baseline.Pool
	Evidence     gate.Evidence // without fresh traces
	// Differs says in what the run was made otherwise than the last accepted one.
	Differs []string
}

// Estimate is what a number of traces takes, by the mean of the run's. usd is nil if the run's
// cost is not known.
func (c *Case) Estimate(traces int) (tokens float64, usd *float64) {
	made, spent := 0, 0
	for _, r := range c.Pass.Records {
		made += len(r.Answers)
		spent += r.Usage.InputTokens + r.Usage.OutputTokens
	}
	share := float64(traces) / float64(max(1, made))
	if c.Evidence.USD != nil {
		cost := share * *c.Evidence.USD
		usd = &cost
	}
	return share * float64(spent), usd
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
	pool, warnings, err := c.graded(c.Baseline, c.PoolRuns)
	if err != nil {
		return err
	}
	c.Pool, c.Evidence = pool, pool.Evidence(c.Pass.Manifest.Seed, Permutations)
	c.Evidence.Warnings = append(c.Evidence.Warnings, warnings...)
	if c.Release != nil {
		c.Frozen, warnings, err = c.graded(c.Release, len(c.Release.Runs))
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

// graded is the pool of a baseline by the dataset as it is now.
func (c *Case) graded(b *baseline.Baseline, runs int) (baseline.Pool, []string, error) {
	name := c.Pass.Configuration.Name
	if err := baseline.Known(b.Counting(name), c.Pass); err != nil {
		return baseline.Pool{}, nil, fmt.Errorf("it is in the baseline already: %w", err)
	}
	pool, graded, err := b.Pool(name, runs, c.Pass.Configuration.K).Regrade(c.Data)
	return pool, graded.Warnings(), err
}
