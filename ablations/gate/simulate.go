package gate

import (
	"context"
	"fmt"
	"math"

	"github.com/seed-5817661a/concur/internal/stats"
)

// Simulate tells how good the gate is on these queries: false alarms, power, cost, and the
// smallest drop that it finds. Pool, run, fresh and second-pass traces are drawn, pool and
// frozen baseline as independent unchanged runs, and Decide's own code decides. The same seed gives the same
// figures. It ends early only with the context's error.
func Simulate(ctx context.Context, items []Rate, cfg SimConfig) (Operating, error) {
	cfg = cfg.withDefaults()
	if err := cfg.validate(items); err != nil {
		return Operating{}, err
	}
	some, _ := newDraws(items, cfg).run(0, Change{}) // as any other, of the gate that is simulated
	out := Operating{
		Runs: cfg.Runs, Seed: cfg.Seed, Queries: len(items), K: cfg.K, PoolRuns: cfg.PoolRuns,
		History: some.History, Frozen: some.Frozen != nil, Strict: some.Strict,
		Alpha: some.Alpha, Level: some.Level,
		Broken: []Scenario{}, Drops: []Scenario{},
	}
	var err error
	if out.Unchanged, err = simulate(ctx, items, cfg, Change{}); err != nil {
		return Operating{}, err
	}
	out.Per20 = out.Unchanged.Regression.anyOf(20)
	out.Guarded = len(breakable(items, cfg))
	for broken := 1; broken <= min(mostSimulated, out.Guarded); broken++ {
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
