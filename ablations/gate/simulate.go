package gate

import (
	"context"
	"fmt"
	"math"

	"github.com/seed-5817661a/concur/internal/stats"
)

// SimConfig says what to simulate. The zero value is the default gate: K=3 against a pool
// of five runs.
type SimConfig struct {
	K        int // traces per query and run; 3 if 0
	PoolRuns int // 5 if 0
	Runs     int // simulated per figure; 10,000 if 0
	Seed     int64
	// Options of the gate. Thresholds are about consensus answers, which are not simulated:
	// they are ignored.
	Options Options
	// To is the rate that a broken query falls to; 0.05 if 0.
	To float64
	// Drops are the losses over all queries to simulate; 5 and 10 points if nil.
	Drops []float64
}

const (
	defaultSimK    = 3
	defaultSimRuns = 10_000
	brokenTo       = 0.05
	mostSimulated  = 3 // broken queries
)

func (c SimConfig) withDefaults() SimConfig {
	if c.K == 0 {
		c.K = defaultSimK
	}
	if c.PoolRuns == 0 {
		c.PoolRuns = DefaultPoolRuns
	}
	if c.Runs == 0 {
		c.Runs = defaultSimRuns
	}
	if c.To == 0 {
		c.To = brokenTo
	}
	if c.Drops == nil {
		c.Drops = []float64{0.05, 0.10}
	}
	o := c.Options
	c.Options = Options{Alpha: o.Alpha, NoConfirm: o.NoConfirm, Replicate: o.Replicate, Strict: o.Strict}
	return c
}

const mostPerQuery = 1000 // traces of a query in a run, and runs of a pool

func (c SimConfig) validate(items []Rate) error {
	if len(items) == 0 {
		return fmt.Errorf("simulate gate: there are no gated queries")
	}
	for i, r := range items {
		if !(r.P >= 0 && r.P <= 1) {
			return fmt.Errorf("simulate gate: query %d has the rate %v; a rate is from 0 to 1", i, r.P)
		}
	}
	for _, d := range append([]float64{c.To}, c.Drops...) {
		if !(d >= 0 && d <= 1) {
			return fmt.Errorf("simulate gate: %v is no rate from 0 to 1", d)
		}
	}
	if c.K < 1 || c.K > mostPerQuery || c.PoolRuns < 1 || c.PoolRuns > mostPerQuery {
		return fmt.Errorf("simulate gate: k is %d and the pool has %d runs; both go from 1 to %d", c.K, c.PoolRuns, mostPerQuery)
	}
	if c.Runs < 1 {
		return fmt.Errorf("simulate gate: %d runs; at least one must be simulated", c.Runs)
	}
	return c.Options.Validate(len(items))
}

// Simulate tells how good the gate is on these queries: false alarms, power, cost, and the
// smallest drop that it finds. Pool, run, fresh and second-pass traces are drawn, the pool as
// independent unchanged runs, and Decide's own code decides. The same seed gives the same
// figures. It ends early only with the context's error.
func Simulate(ctx context.Context, items []Rate, cfg SimConfig) (Operating, error) {
	cfg = cfg.withDefaults()
	if err := cfg.validate(items); err != nil {
		return Operating{}, err
	}
	out := Operating{
		Runs: cfg.Runs, Seed: cfg.Seed, Queries: len(items), K: cfg.K, PoolRuns: cfg.PoolRuns,
		Alpha: cfg.Options.alpha(), Level: cfg.Options.alpha() / 2,
		Broken: []Scenario{}, Drops: []Scenario{},
	}
	var err error
	if out.Unchanged, err = simulate(ctx, items, cfg, Change{}); err != nil {
		return Operating{}, err
	}
	out.Per20 = out.Unchanged.Regression.anyOf(20)
	for broken := 1; broken <= min(mostSimulated, len(breakable(items))); broken++ {
		if out.Broken, err = scenario(ctx, out.Broken, items, cfg, Change{Broken: broken, To: cfg.To}); err != nil {
			return Operating{}, err
		}
	}
	for _, drop := range cfg.Drops {
		if out.Drops, err = scenario(ctx, out.Drops, items, cfg, Change{Drop: drop}); err != nil {
			return Operating{}, err
		}
	}
	out.Halved.Change = Change{Broken: 1, To: 0.5}
	if out.Halved.Found, err = simulate(ctx, items, cfg, out.Halved.Change); err != nil {
		return Operating{}, err
	}
	out.MDE, err = smallestDrop(ctx, items, cfg)
	return out, err
}

// SimulateChange tells how often the gate finds one change.
func SimulateChange(ctx context.Context, items []Rate, cfg SimConfig, c Change) (Found, error) {
	cfg = cfg.withDefaults()
	if err := cfg.validate(items); err != nil {
		return Found{}, err
	}
	if !(c.To >= 0 && c.To <= 1 && c.Drop >= 0 && c.Drop <= 1) || c.Broken < 0 {
		return Found{}, fmt.Errorf("simulate gate: a change to %v, by %v, of %d queries is none", c.To, c.Drop, c.Broken)
	}
	for _, i := range c.Items {
		if i < 0 || i >= len(items) {
			return Found{}, fmt.Errorf("simulate gate: there is no query number %d", i)
		}
	}
	return simulate(ctx, items, cfg, c)
}

func scenario(ctx context.Context, into []Scenario, items []Rate, cfg SimConfig, c Change) ([]Scenario, error) {
	found, err := simulate(ctx, items, cfg, c)
	return append(into, Scenario{c, found}), err
}

func simulate(ctx context.Context, items []Rate, cfg SimConfig, c Change) (Found, error) {
	d := newDraws(items, cfg)
	rejections, inconclusive, fresh := 0, 0, 0
	for run := range cfg.Runs {
		if run%64 == 0 && ctx.Err() != nil {
			return Found{}, fmt.Errorf("simulate gate: %w", context.Cause(ctx))
		}
		out, traces := d.run(run, c)
		fresh += traces
		switch out.Decision {
		case Regression, Drift:
			rejections++
		case Inconclusive:
			inconclusive++
		}
	}
	return Found{estimate(rejections, cfg.Runs), estimate(inconclusive, cfg.Runs), float64(fresh) / float64(cfg.Runs)}, nil
}

func estimate(x, n int) Estimate {
	low, high := stats.Wilson(x, n, 0.95)
	return Estimate{float64(x) / float64(n), low, high}
}

// anyOf is the chance of at least one in n independent runs.
func (e Estimate) anyOf(n float64) Estimate {
	once := func(p float64) float64 { return -math.Expm1(n * math.Log1p(-p)) }
	return Estimate{once(e.Value), once(e.Low), once(e.High)}
}
