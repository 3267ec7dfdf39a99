package gate

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/internal/stats"
)

// DefaultSimulations is the default number of simulated runs per figure.
const DefaultSimulations = 10_000

// SimConfig configures the simulated gate.
type SimConfig struct {
	K         int // traces per query and run
	PoolRuns  int
	Histories []int   // traces of each query in the pool; K times PoolRuns if nil
	Frozen    bool    // half of alpha is reserved for a frozen baseline, which is not simulated
	Options   Options // only Alpha, Strict and NoFresh; the others concern consensus answers
	Runs      int     // simulated runs per figure; DefaultSimulations if 0
	Seed      int64
	OnShare   func(float64) // called with the share of work that is done, from 0 to 1; may be nil
}

// Operating is the simulated performance of the gate on given queries.
type Operating struct {
	Runs      int     `json:"runs"` // simulated runs per figure
	Seed      int64   `json:"seed"`
	Queries   int     `json:"queries"`
	K         int     `json:"k"`
	PoolRuns  int     `json:"pool_runs"`
	History   History `json:"history"` // fewest and most traces of a query in the pool
	Frozen    bool    `json:"frozen"`
	Strict    bool    `json:"strict"`
	Alpha     float64 `json:"alpha"`
	Mean      float64 `json:"mean_rate"` // mean of the simulated queries' rates
	Unchanged Found   `json:"unchanged"` // a run without a change: its Found are false alarms
	// Changes has the effect of these changes: one or two steady queries break; one steady query falls to one
	// half; one of the other queries breaks; all queries lose a share. A query is steady if its rate is at
	// least 2/3.
	Changes []Scenario `json:"changes"`
	// smallest loss over all queries, as a fraction, that is found with power 0.8; nil if none is
	MDE *float64 `json:"mde"`
}

// Scenario is a change and how often the gate finds it.
type Scenario struct {
	Change
	Found
}

// Change is a change of the queries between the pool and the run.
type Change struct {
	// Broken queries fall to the rate To. They are the queries with the numbers in Items, and as many steady
	// queries as Broken says. If Flaky is set, they are other queries than steady ones.
	Broken int     `json:"broken"`
	Flaky  bool    `json:"flaky"`
	Items  []int   `json:"items"`
	To     float64 `json:"to"`
	Drop   float64 `json:"drop"` // subtracted from the rate of every query; no rate falls below 0
}

// Found has the number of alarms of the gate, and the number of fresh traces that it needs.
type Found struct {
	Found Estimate `json:"found"`
	// Fresh is the mean number of fresh traces per run, and FreshP95 the 95th percentile.
	Fresh    float64 `json:"fresh_traces"`
	FreshP95 int     `json:"fresh_traces_p95"`
}

// Estimate is a simulated rate with its 95 % Wilson interval.
type Estimate struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// ParseRates reads the rates of queries. 24x0.995,0.6 means 24 queries with the rate 0.995 and one with 0.6.
func ParseRates(text string) ([]float64, error) {
	const mostQueries = 100_000
	var rates []float64
	for part := range strings.SplitSeq(text, ",") {
		times, rate, many := strings.Cut(strings.TrimSpace(part), "x")
		if !many {
			times, rate = "1", times
		}
		n, errN := strconv.Atoi(times)
		r, errR := strconv.ParseFloat(rate, 64)
		if errN != nil || errR != nil || n < 1 || len(rates)+n > mostQueries {
			return nil, fmt.Errorf("%q is not like 24x0.995, or there are more than %d queries", part, mostQueries)
		}
		rates = append(rates, slices.Repeat([]float64{r}, n)...)
	}
	return rates, nil
}

// BrokenTo is the rate of right traces of a broken query in the simulation.
const BrokenTo = 0.05

// steadyRate is the minimum rate of a steady query.
const steadyRate = 2.0 / 3

// Posterior returns the rates and the settings with which this pool can be simulated. The rate of a tested
// query is the mean of its posterior distribution, (h+1/2)/(m+1). The caller must set Runs and Seed.
func Posterior(e Evidence, o Options) (rates []float64, cfg SimConfig) {
	cfg = SimConfig{K: e.K, PoolRuns: e.PoolRuns, Histories: []int{},
		Frozen: e.FrozenRuns >= fewestFrozenRuns, Options: o}
	cfg.Options.Strict = o.Strict || e.Dependent().Strict
	for _, it := range e.Items {
		if !it.Gated() {
			continue
		}
		rates = append(rates, it.History.posterior())
		cfg.Histories = append(cfg.Histories, it.History.Scored())
	}
	return rates, cfg
}

// Simulate measures how the gate works on queries with these rates: false alarms, power, cost, and the smallest
// loss that it detects. Pool, run and fresh traces are drawn independently, from a seed. Decide makes the
// decisions.
func Simulate(ctx context.Context, rates []float64, cfg SimConfig) (Operating, error) {
	d, err := newDraws(rates, cfg)
	if err != nil {
		return Operating{}, err
	}
	out := Operating{
		Runs: d.cfg.Runs, Seed: cfg.Seed, Queries: len(rates), K: cfg.K, PoolRuns: cfg.PoolRuns,
		History: History{cfg.PoolRuns, slices.Min(d.cfg.Histories), slices.Max(d.cfg.Histories)},
		Frozen:  cfg.Frozen, Strict: cfg.Options.Strict, Alpha: cfg.Options.alpha(), Changes: []Scenario{},
	}
	out.Mean, _ = stats.Mean(rates)
	changes := d.changes()
	d.scenarios = 1 + len(changes) + dropSteps
	if out.Unchanged, err = d.simulate(ctx, Change{}, 0); err != nil {
		return Operating{}, err
	}
	for _, c := range changes {
		found, err := d.simulate(ctx, c, 0)
		if err != nil {
			return Operating{}, err
		}
		out.Changes = append(out.Changes, Scenario{c, found})
	}
	out.MDE, err = d.smallestDrop(ctx)
	return out, err
}

func (d *draws) changes() []Change {
	out := []Change{{Broken: 1, To: BrokenTo}}
	if len(d.steady) > 1 {
		out = append(out, Change{Broken: 2, To: BrokenTo})
	}
	out = append(out, Change{Broken: 1, To: .5})
	if len(d.flaky) > 0 {
		out = append(out, Change{Broken: 1, Flaky: true, To: BrokenTo})
	}
	return append(out, Change{Drop: .05}, Change{Drop: .10})
}

const lookEvery = 256 // runs between checks of the context, and of whether the power is already clear

// simulate counts the alarms. If a power is given, it ends as soon as the interval of the rate excludes this
// power. So only losses near the MDE need all runs.
func (d *draws) simulate(ctx context.Context, c Change, power float64) (Found, error) {
	found, sum := 0, 0
	var fresh []int
	for run := range d.cfg.Runs {
		if run%lookEvery == 0 {
			if ctx.Err() != nil {
				return Found{}, fmt.Errorf("simulate gate: %w", context.Cause(ctx))
			}
			d.report(float64(run) / float64(d.cfg.Runs))
			if low, high := stats.Wilson(found, run, 0.9999); power > 0 && (low > power || high < power) {
				break
			}
		}
		alarm, traces := d.run(run, c)
		if alarm {
			found++
		}
		fresh, sum = append(fresh, traces), sum+traces
	}
	d.simulated++
	d.report(0)
	slices.Sort(fresh)
	n := len(fresh)
	low, high := stats.Wilson(found, n, 0.95)
	return Found{Estimate{float64(found) / float64(n), low, high}, float64(sum) / float64(n), percentile95(fresh)}, nil
}

// percentile95 returns the smallest number of a sorted list such that 95 % of the numbers are at most as large.
func percentile95(sorted []int) int { return sorted[(95*len(sorted)-1)/100] }

// report reports the share of the work that is done, including the share of the current scenario.
func (d *draws) report(share float64) {
	if d.cfg.OnShare != nil {
		d.cfg.OnShare((float64(d.simulated) + share) / float64(d.scenarios))
	}
}

// dropSteps is the number of losses that smallestDrop simulates. The first is the whole range; each further one
// is a half of the range that is left.
const dropSteps = 11

// smallestDrop finds the MDE by bisection. Each loss uses the same random draws, so that only the loss differs.
func (d *draws) smallestDrop(ctx context.Context) (*float64, error) {
	const precision, power = 0.001, 0.8
	low, high := 0.0, 1.0
	for drop := high; high-low > precision; drop = (low + high) / 2 {
		found, err := d.simulate(ctx, Change{Drop: drop}, power)
		switch {
		case err != nil || found.Found.Value < power && drop == 1:
			return nil, err
		case found.Found.Value >= power:
			high = drop
		default:
			low = drop
		}
	}
	return &high, nil
}
