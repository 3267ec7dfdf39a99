package gate

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seed-5817661a/concur/internal/stats"
)

// DefaultSimulations is the number of simulated runs behind each figure where nothing else is
// said.
const DefaultSimulations = 10_000

// SimConfig says which gate to simulate.
type SimConfig struct {
	K        int // traces per query and run
	PoolRuns int
	// Histories are the numbers of traces that the pool has of each query, in their order;
	// K times PoolRuns of each if nil. Frozen are those of a frozen baseline; nil without one.
	Histories, Frozen []int
	Options           Options // Alpha, Strict and NoFresh; the others are about consensus answers
	Runs              int     // simulated per figure; DefaultSimulations if 0
	Seed              int64
}

// What is simulated for every pool.
const (
	brokenTo   = 0.05
	steadyRate = 2.0 / 3
)

// Posterior gives the rates that a simulation of this pool rests on, and the gate that decides
// on it. The rates are the means of each tested query's posterior, (h+1/2)/(m+1), and no draw
// from it: a query that is right in 15 of 15 traces counts as 0.969. Safety queries and those
// of too little history are left out. Runs and Seed are the caller's.
func Posterior(e Evidence, o Options) (rates []float64, cfg SimConfig) {
	cfg = SimConfig{K: e.k(), PoolRuns: e.PoolRuns, Histories: []int{}, Options: o}
	cfg.Options.Strict = o.Strict || e.Dependent() != ""
	for _, it := range e.Items {
		if it.Safety || it.History.Scored() < fewestTraces || it.Runs < fewestRuns {
			continue
		}
		rates = append(rates, it.History.posterior())
		cfg.Histories = append(cfg.Histories, it.History.Scored())
		if e.Frozen != nil && e.Frozen.Runs >= fewestFrozenRuns {
			cfg.Frozen = append(cfg.Frozen, e.Frozen.History[it.Query].Scored())
		}
	}
	return rates, cfg
}

// Simulate tells how good the gate is on queries of these rates: false alarms, power, cost,
// and the smallest loss that it finds. Pool, run and fresh traces are drawn, independently,
// and the code of Decide decides. The same seed gives the same figures. It ends early only
// with the context's error.
func Simulate(ctx context.Context, rates []float64, cfg SimConfig) (Operating, error) {
	d, err := newDraws(rates, cfg)
	if err != nil {
		return Operating{}, err
	}
	out := Operating{
		Runs: d.cfg.Runs, Seed: cfg.Seed, Queries: len(rates), K: cfg.K, PoolRuns: cfg.PoolRuns,
		History: History{cfg.PoolRuns, slices.Min(d.cfg.Histories), slices.Max(d.cfg.Histories)},
		Frozen:  cfg.Frozen != nil, Strict: cfg.Options.Strict, Alpha: cfg.Options.alpha(), Steady: len(d.steady), Changes: []Scenario{},
	}
	out.Mean, _ = stats.Mean(rates)
	if out.Unchanged, err = d.simulate(ctx, Change{}); err != nil {
		return Operating{}, err
	}
	out.Per20 = out.Unchanged.Found.anyOf(20)
	for _, c := range d.changes() {
		found, err := d.simulate(ctx, c)
		if err != nil {
			return Operating{}, err
		}
		out.Changes = append(out.Changes, Scenario{c, found})
	}
	out.MDE, err = d.smallestDrop(ctx)
	return out, err
}

func (d *draws) changes() []Change {
	out := []Change{{Broken: 1, To: brokenTo}}
	if len(d.steady) > 1 {
		out = append(out, Change{Broken: 2, To: brokenTo})
	}
	out = append(out, Change{Broken: 1, To: .5})
	if len(d.flaky) > 0 {
		out = append(out, Change{Broken: 1, Flaky: true, To: brokenTo})
	}
	return append(out, Change{Drop: .05}, Change{Drop: .10})
}

// SimulateChange tells how often the gate finds one change.
func SimulateChange(ctx context.Context, rates []float64, cfg SimConfig, c Change) (Found, error) {
	d, err := newDraws(rates, cfg)
	if err != nil {
		return Found{}, err
	}
	if !(c.To >= 0 && c.To <= 1 && c.Drop >= 0 && c.Drop <= 1) || c.Broken < 0 {
		return Found{}, fmt.Errorf("simulate gate: %d queries cannot fall to %v, or all by %v", c.Broken, c.To, c.Drop)
	}
	for _, i := range c.Items {
		if i < 0 || i >= len(rates) {
			return Found{}, fmt.Errorf("simulate gate: there is no query number %d", i)
		}
	}
	return d.simulate(ctx, c)
}

const lookEvery = 256 // runs between looks at the context, and at a power that is clear by then

func (d *draws) simulate(ctx context.Context, c Change) (Found, error) {
	found, sum := 0, 0
	fresh := make([]int, d.cfg.Runs)
	for run := range d.cfg.Runs {
		if run%lookEvery == 0 && ctx.Err() != nil {
			return Found{}, fmt.Errorf("simulate gate: %w", context.Cause(ctx))
		}
		alarm, traces := d.run(run, c)
		if alarm {
			found++
		}
		fresh[run], sum = traces, sum+traces
	}
	slices.Sort(fresh)
	n := d.cfg.Runs
	low, high := stats.Wilson(found, n, 0.95)
	return Found{Estimate{float64(found) / float64(n), low, high}, float64(sum) / float64(n), fresh[(95*n-1)/100]}, nil
}

// anyOf is the chance of at least one in n independent runs.
func (e Estimate) anyOf(n float64) Estimate {
	once := func(p float64) float64 { return -math.Expm1(n * math.Log1p(-p)) }
	return Estimate{once(e.Value), once(e.Low), once(e.High)}
}

// smallestDrop finds the MDE by bisection. The draws of a run are the same for every loss,
// so that two losses differ by their traces alone and not by luck.
func (d *draws) smallestDrop(ctx context.Context) (*float64, error) {
	const precision = 0.001
	if enough, err := d.powerful(ctx, 1); err != nil || !enough {
		return nil, err
	}
	low, high := 0.0, 1.0
	for high-low > precision {
		mid := (low + high) / 2
		enough, err := d.powerful(ctx, mid)
		if err != nil {
			return nil, err
		}
		if enough {
			high = mid
		} else {
			low = mid
		}
	}
	return &high, nil
}

// powerful reports whether a loss is found with power 0.8. Only one near the MDE takes all
// runs: the others are settled once the interval of their power excludes it.
func (d *draws) powerful(ctx context.Context, drop float64) (bool, error) {
	const target, level = 0.8, 0.9999
	found := 0
	for run := range d.cfg.Runs {
		if run%lookEvery == 0 {
			if ctx.Err() != nil {
				return false, fmt.Errorf("simulate gate: %w", context.Cause(ctx))
			}
			if low, high := stats.Wilson(found, run, level); low > target || high < target {
				return low > target, nil
			}
		}
		if alarm, _ := d.run(run, Change{Drop: drop}); alarm {
			found++
		}
	}
	return float64(found) >= target*float64(d.cfg.Runs), nil
}
