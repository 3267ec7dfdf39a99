package gate

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
)

// draws makes simulated runs. A run draws the same numbers whatever the change: that makes
// two changes comparable run by run.
type draws struct {
	cfg           SimConfig
	rates         []float64
	steady, flaky []int // queries that can break
	names         []string

	source          *rand.PCG
	uniform         *rand.Rand
	now             []float64 // rates in the run
	rolling, frozen []gated
}

const (
	mostPerQuery = 1000 // traces of a query in a run, and runs of a pool
	mostHistory  = mostPerQuery * mostPerQuery
)

func newDraws(rates []float64, cfg SimConfig) (*draws, error) {
	if len(rates) == 0 {
		return nil, errors.New("simulate gate: no query has the history to be tested")
	}
	if cfg.Runs == 0 {
		cfg.Runs = DefaultSimulations
	}
	if cfg.K < 1 || cfg.K > mostPerQuery || cfg.PoolRuns < 1 || cfg.PoolRuns > mostPerQuery || cfg.Runs < 1 {
		return nil, fmt.Errorf("simulate gate: %d runs with k=%d and %d pool runs; each must be at least 1, and the last two at most %d", cfg.Runs, cfg.K, cfg.PoolRuns, mostPerQuery)
	}
	if cfg.Histories == nil {
		for range rates {
			cfg.Histories = append(cfg.Histories, cfg.K*cfg.PoolRuns)
		}
	}
	for _, histories := range [][]int{cfg.Histories, cfg.Frozen} {
		if histories != nil && len(histories) != len(rates) {
			return nil, fmt.Errorf("simulate gate: there are histories of %d queries, and rates of %d", len(histories), len(rates))
		}
		for i, m := range histories {
			if m < 0 || m > mostHistory {
				return nil, fmt.Errorf("simulate gate: query %d has a history of %d traces; it goes from 0 to %d", i, m, mostHistory)
			}
		}
	}
	if a := cfg.Options.alpha(); !(a > 0 && a < 1) {
		return nil, fmt.Errorf("simulate gate: alpha is %v; it must lie between 0 and 1", a)
	}
	source := rand.NewPCG(0, 0)
	d := &draws{cfg: cfg, rates: rates, source: source, uniform: rand.New(source), now: make([]float64, len(rates))}
	for i, r := range rates {
		if !(r >= 0 && r <= 1) {
			return nil, fmt.Errorf("simulate gate: query %d has the rate %v; a rate is from 0 to 1", i, r)
		}
		d.names = append(d.names, strconv.Itoa(i))
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

// Streams of random numbers, one for each purpose within a run.
const (
	streamTraces = iota
	streamBroken
	streamFresh // of the first query; the next ones follow
)

func (d *draws) seed(run, stream int) {
	d.source.Seed(uint64(d.cfg.Seed), uint64(run)<<32|uint64(stream))
}

// run simulates one run from the pool to the decision, and counts the fresh traces.
func (d *draws) run(number int, c Change) (alarm bool, fresh int) {
	for i, r := range d.rates {
		d.now[i] = max(0, r-c.Drop)
	}
	for _, i := range d.broken(number, c) {
		d.now[i] = min(d.now[i], c.To)
	}
	d.seed(number, streamTraces)
	d.rolling, d.frozen = d.rolling[:0], d.frozen[:0]
	for i, r := range d.rates {
		q := gated{item: i, m: d.cfg.Histories[i], k: d.cfg.K}
		q.h, q.x = d.right(r, q.m), d.right(d.now[i], q.k)
		d.rolling = append(d.rolling, q)
	}
	for i, m := range d.cfg.Frozen {
		if q := d.rolling[i]; m >= fewestFrozenTraces {
			q.h, q.m = d.right(d.rates[i], m), m
			d.frozen = append(d.frozen, q)
		}
	}
	return d.decide(number)
}

// broken draws the queries that break. Its stream is not that of the traces.
func (d *draws) broken(number int, c Change) []int {
	if len(c.Items) > 0 || c.Broken == 0 {
		return c.Items
	}
	among := d.steady
	if c.Flaky {
		among = d.flaky
	}
	d.seed(number, streamBroken)
	out := make([]int, 0, c.Broken)
	for _, i := range d.uniform.Perm(len(among))[:min(c.Broken, len(among))] {
		out = append(out, among[i])
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

// decide hands out what the gate asks for.
func (d *draws) decide(number int) (alarm bool, fresh int) {
	shared := len(d.frozen) > 0
	l := d.cfg.Options.levels(d.cfg.Options.Strict, shared)
	name := func(i int) string { return d.names[i] }
	for {
		c, r := compare("pool", d.rolling, d.cfg.K, l, name)
		if shared && r == passes {
			c, r = compare("frozen baseline", d.frozen, d.cfg.K, l, name)
		}
		if r != asks || d.cfg.Options.NoFresh != "" {
			return r == rejects, fresh
		}
		for _, ask := range c.Asks {
			i, _ := strconv.Atoi(ask.Query)
			fresh += ask.Traces - len(d.rolling[i].fresh)
			d.seed(number, streamFresh+i)
			marks := make([]bool, ask.Traces)
			for j := range marks {
				marks[j] = d.uniform.Float64() < d.now[i]
			}
			d.rolling[i].fresh = marks
			for j := range d.frozen {
				if d.frozen[j].item == i {
					d.frozen[j].fresh = marks
				}
			}
		}
	}
}
