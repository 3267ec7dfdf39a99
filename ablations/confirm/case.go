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
	Data     *datasets.Dataset
	Pool     baseline.Pool
	Frozen   baseline.Pool // has no runs where no frozen baseline was given
	Evidence gate.Evidence // without fresh traces
	// Differs says in what the run was made otherwise than the last accepted one.
	Differs []string
}

// Permutations is the number of draws of the test of concordance.
const Permutations = 10_000

// Materials are what a Case is made from.
type Materials struct {
	Pass     baseline.Pass
	Data     *datasets.Dataset // that the run was over
	Baseline *baseline.Baseline
	Frozen   *baseline.Baseline // nil without one
	PoolRuns int                // 0 is baseline.PoolRuns
	// Deterministic says that the same agent with the same seed gives the same traces.
	Deterministic bool
}

// Prepare grades the accepted runs by the dataset and gathers what a decision rests on. It
// refuses runs that say nothing about the agent as it is now.
func Prepare(m Materials) (Case, error) {
	c := Case{Pass: m.Pass, Data: m.Data}
	name := m.Pass.Configuration.Name
	if err := m.Pass.Judged(); err != nil {
		return c, err
	}
	if known := m.Baseline.Configurations(); len(known) > 0 && !slices.Contains(known, name) {
		return c, fmt.Errorf("the baseline has no runs of configuration %q; it has %v", name, known)
	}
	pool, graded, err := m.graded(m.Baseline, m.PoolRuns)
	if err != nil {
		return c, err
	}
	c.Pool, c.Evidence = pool, pool.Evidence(m.Pass.Manifest.Seed, Permutations)
	c.Evidence.Warnings = append(c.Evidence.Warnings, graded.Warnings()...)
	if m.Frozen != nil {
		if c.Frozen, graded, err = m.graded(m.Frozen, len(m.Frozen.Runs)); err != nil {
			return c, fmt.Errorf("frozen baseline: %w", err)
		}
		for _, warning := range graded.Warnings() {
			c.Evidence.Warnings = append(c.Evidence.Warnings, "frozen baseline: "+warning)
		}
		history := c.Frozen.Frozen()
		c.Evidence.Frozen = &history
	}
	if err := m.Pass.Observe(&c.Evidence, c.Pool); err != nil {
		return c, err
	}
	if !m.Deterministic {
		c.originals()
	}
	c.Differs, _ = c.Pool.Differences(m.Baseline, m.Pass)
	return c, nil
}

// graded is the pool of a baseline by the dataset as it is now.
func (m Materials) graded(b *baseline.Baseline, runs int) (baseline.Pool, baseline.Regraded, error) {
	name := m.Pass.Configuration.Name
	if why := baseline.Known(b.Counting(name), m.Pass, m.Deterministic); why != "" {
		return baseline.Pool{}, baseline.Regraded{}, fmt.Errorf("it is in the baseline already: %s", why)
	}
	return b.Pool(name, runs, m.Pass.Configuration.K).Regrade(m.Data)
}

// originals looks for cached traces.
func (c *Case) originals() {
	last := baseline.AcceptedRun{}
	if n := len(c.Pool.Runs); n > 0 {
		last = c.Pool.Runs[n-1]
	}
	refuse, warn := baseline.Cached(c.Pass, last.Run, last.Copies)
	if refuse != "" {
		c.Evidence.Invalid = append(c.Evidence.Invalid, refuse)
	}
	if warn != "" {
		c.Evidence.Warnings = append(c.Evidence.Warnings, warn)
	}
}

// Evidential refuses runs that say nothing about the agent as it is now.
func Evidential(m store.Manifest) error {
	switch {
	case m.ReplayOf != "":
		return fmt.Errorf("it is a replay of %s, whose traces are no fresh evidence on the agent; gate on a run that asked the model, and see `concur run --replay RUN --check` for what a replay can tell", m.ReplayOf)
	case m.FreshOf != "":
		return fmt.Errorf("it holds fresh traces of %s, which the gate takes by itself: name that run", m.FreshOf)
	case m.Dataset.Of > m.Dataset.Queries:
		return fmt.Errorf("it is over %d of the %d queries of %s, and nothing is known of the others: run it without --query, --category and --limit", m.Dataset.Queries, m.Dataset.Of, m.Dataset.Name)
	}
	return nil
}

// Question is what is asked of the case, for Allow.
func (c Case) Question(o gate.Options, file, frozen string) Question {
	q := Question{Alpha: o.Alpha, Strict: o.Strict, Baseline: file, Frozen: frozen, Pool: []string{}, Thresholds: map[string]float64{}}
	if q.Alpha == 0 {
		q.Alpha = gate.DefaultAlpha
	}
	for _, r := range c.Pool.Runs {
		q.Pool = append(q.Pool, r.Run)
	}
	for name, limit := range map[string]*float64{"floor": o.Floor, "non-inferiority": o.NonInferiority, "min-pass-rate": o.MinPassRate, "max-usd": o.MaxUSD, "max-p95": o.MaxP95S} {
		if limit != nil {
			q.Thresholds[name] = *limit
		}
	}
	if o.MaxLosses != nil {
		q.Thresholds["max-losses"] = float64(*o.MaxLosses)
	}
	return q
}
