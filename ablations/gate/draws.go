package gate

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
)

// draws simulates runs. For every change, a run draws the same random numbers, so that two changes can be
// compared run by run.
type draws struct {
	cfg           SimConfig
	rates         []float64
	steady, flaky []int // queries that can break

	source  *rand.PCG
	uniform *rand.Rand
	now     []float64 // rates in the run

	scenarios, simulated int // simulations planned, and done so far
}

const mostPerQuery = 1000 // limit of traces per query in a run, and of runs in a pool

func newDraws(rates []float64, cfg SimConfig) (*draws, error) {
	cfg.Runs = cmp.Or(cfg.Runs, DefaultSimulations)
	if cfg.Histories == nil {
		cfg.Histories = slices.Repeat([]int{cfg.K * cfg.PoolRuns}, len(rates))
	}
	if len(rates) == 0 {
		return nil, errors.New("simulate gate: no query has enough history to be tested: accept more runs")
	}
	if cfg.K < 1 || cfg.K > mostPerQuery || cfg.PoolRuns < 1 || cfg.PoolRuns > mostPerQuery || cfg.Runs < 1 {
		return nil, fmt.Errorf("simulate gate: %d runs with k=%d and %d pool runs; each must be at least 1, and the "+
			"last two at most %d", cfg.Runs, cfg.K, cfg.PoolRuns, mostPerQuery)
	}
	if !(slices.Min(rates) >= 0 && slices.Max(rates) <= 1) {
		return nil, fmt.Errorf("simulate gate: a rate is from 0 to 1, and these are %v", rates)
	}
	if err := cfg.Options.Validate(len(rates)); err != nil {
		return nil, err
	}
	source := rand.NewPCG(0, 0)
	d := &draws{cfg: cfg, rates: rates, source: source, uniform: rand.New(source), now: make([]float64, len(rates))}
	for i, r := range rates {
		if r >= steadyRate {
			d.steady = append(d.steady, i)
		} else {
			d.flaky = append(d.flaky, i)
		}
	}
	if len(d.steady) == 0 {
		d.steady, d.flaky = d.flaky, nil
	}
	return d, nil
}

// These are streams of random numbers, one for each purpose in a run.
const (
	streamTraces = iota
	streamFresh  // of the first query; the next queries follow
)

func (d *draws) seed(run, stream int) {
	d.source.Seed(uint64(d.cfg.Seed), uint64(run)<<32|uint64(stream))
}

// run simulates one run up to the gate's decision. If the gate requests fresh traces, it draws and counts them.
func (d *draws) run(number int, c Change) (alarm bool, fresh int) {
	for i, r := range d.rates {
		d.now[i] = max(0, r-c.Drop)
	}
	for _, i := range d.broken(number, c) {
		d.now[i] = min(d.now[i], c.To)
	}
	d.seed(number, streamTraces)
	queries := make([]gated, 0, len(d.rates))
	for i, r := range d.rates {
		q := gated{query: strconv.Itoa(i), m: d.cfg.Histories[i], k: d.cfg.K}
		q.h, q.x = d.right(r, q.m), d.right(d.now[i], q.k)
		queries = append(queries, q)
	}
	l := d.cfg.Options.levels(d.cfg.Options.Strict, d.cfg.Frozen)
	for {
		c := compare("pool", queries, d.cfg.K, l, false)
		if len(c.Asks) == 0 || d.cfg.Options.NoFresh != "" {
			return c.Alarm, fresh
		}
		for _, ask := range c.Asks {
			i, _ := strconv.Atoi(ask.Query) // run has named the queries by number
			fresh += ask.Traces - len(queries[i].fresh)
			d.seed(number, streamFresh+i)
			marks := make([]bool, ask.Traces)
			for j := range marks {
				marks[j] = d.uniform.Float64() < d.now[i]
			}
			queries[i].fresh = marks
		}
	}
}

// broken returns the queries that break. These are the queries that the change names, or else, in each run,
// other steady or flaky queries.
func (d *draws) broken(number int, c Change) []int {
	among, out := d.steady, slices.Clone(c.Items)
	if c.Flaky {
		among = d.flaky
	}
	for j := range min(c.Broken, len(among)) {
		out = append(out, among[(number+j)%len(among)])
	}
	return out
}

func (d *draws) right(p float64, n int) int {
	right := 0
	for range n {
		if d.uniform.Float64() < p {
			right++
		}
	}
	return right
}
