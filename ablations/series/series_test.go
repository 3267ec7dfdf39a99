package series

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/trace"
)

// spread are true rates of queries of all kinds, as in the table of docs/statistics.md.
var spread = []float64{.05, .3, .45, .55, .65, .75, .8, .85, .9, .95, .97, 1, 1}

const queries, traces = 60, 3

// simulate makes nights in which every rate is lower by drop, and moved by the same share of a logit where hours are bad.
func simulate(r *rand.Rand, nights int, drop, hours float64) []night {
	out := make([]night, nights)
	for i := range out {
		shift, right := hours*r.NormFloat64(), 0
		for q := range queries {
			p := max(0, spread[q%len(spread)]-drop)
			if p > 0 && p < 1 {
				p = 1 / (1 + (1-p)/p*math.Exp(-shift))
			}
			for range traces {
				if r.Float64() < p {
					right++
				}
			}
		}
		out[i] = night{run: fmt.Sprint(r.Uint64()), k: traces, low: float64(right), high: float64(right), of: queries * traces}
	}
	return out
}

// found is the night of a series, from 1, at which a drop is shown by one of the tests; 0 for none.
func found(s Series, shows func(Look) bool) int { return slices.IndexFunc(s.Nights, shows) + 1 }

func byPool(l Look) bool  { return l.E >= poolAlarm }
func byRanks(l Look) bool { return l.Ranks != nil && *l.Ranks >= rankAlarm }

// An unchanged agent is called worse in few of a hundred series of a hundred nights, and a drop of ten points is
// seen within days. The seeds are fixed, so that the counts are too.
func TestSeriesOfNights(t *testing.T) {
	r := rand.New(rand.NewPCG(38, 6))
	const series = 100
	alarms, seen := 0, []int{}
	for range series {
		pool := simulate(r, DefaultPool, 0, 0)
		if decide(pool, simulate(r, 100, 0, 0)).Since != nil {
			alarms++
		}
		at := found(decide(pool, simulate(r, 40, .1, 0)), byPool)
		if at == 0 {
			at = 41
		}
		seen = append(seen, at)
	}
	slices.Sort(seen)
	t.Logf("false alarms in %d of %d series; ten points are seen at night %d, in nine of ten by night %d", alarms, series, seen[series/2], seen[series*9/10])
	if alarms > 5 || seen[series/2] > 5 || seen[series*9/10] > 12 {
		t.Errorf("false alarms %d, nights %v", alarms, seen)
	}
}

func TestDecide(t *testing.T) {
	nightOf := func(right float64) night {
		return night{run: fmt.Sprint("r", right), k: 1, low: right, high: right, of: 20}
	}
	pool := slices.Repeat([]night{nightOf(20)}, 10)
	for name, c := range map[string]struct {
		pool, nights []night
		since, by    string
		ranks        bool
	}{
		"no night":           {pool, nil, "", "", true},
		"nights as before":   {pool, slices.Repeat([]night{nightOf(20)}, 9), "", "", true},
		"all fell":           {pool, []night{nightOf(20), nightOf(5)}, "r5", "pool", true},
		"a pool of one":      {pool[:1], []night{nightOf(5)}, "r5", "pool", false},
		"a pool of nine":     {pool[:9], []night{nightOf(20)}, "", "", false},
		"nothing was right":  {slices.Repeat([]night{nightOf(0)}, 10), []night{nightOf(0)}, "", "", true},
		"another K":          {pool, []night{{run: "k", k: 2, low: 40, high: 40, of: 40}}, "", "", false},
		"all of it was lost": {pool, []night{{run: "lost", k: 1, high: 20, of: 20, openTraces: 20}}, "", "", true},
	} {
		t.Run(name, func(t *testing.T) {
			s := decide(c.pool, c.nights)
			since := ""
			if s.Since != nil {
				since = *s.Since
			}
			if since != c.since || s.By != c.by || (s.WithoutRanks == "") != c.ranks {
				t.Errorf("since %q by %q, ranks: %q", since, s.By, s.WithoutRanks)
			}
			for _, l := range s.Nights {
				if (l.Ranks != nil) != c.ranks || math.IsInf(l.E, 0) || math.IsNaN(l.E) {
					t.Errorf("%+v", l)
				}
			}
		})
	}
}

// Small losses that no rate shows yet are seen in the ranks: each night is the worst of all so far.
func TestRanksSeeSlowLoss(t *testing.T) {
	var pool, nights []night
	for i := range 20 {
		right := float64(1800 - i%3)
		pool = append(pool, night{run: fmt.Sprint("p", i), k: 1, low: right, high: right, of: 2000})
	}
	for i := range 6 {
		right := float64(1790 - i)
		nights = append(nights, night{run: fmt.Sprint("n", i), k: 1, low: right, high: right, of: 2000})
	}
	if s := decide(pool, nights); s.By != "ranks" {
		t.Errorf("by %q: %+v", s.By, s.Nights)
	}
}

func TestCount(t *testing.T) {
	marks := func(query string, rulings ...judge.Ruling) baseline.AcceptedQuery {
		q := baseline.AcceptedQuery{Question: baseline.Question{Query: query}}
		for _, r := range rulings {
			q.Traces = append(q.Traces, baseline.AcceptedTrace{Outcome: trace.Answered, Verdict: r})
		}
		return q
	}
	lost := marks("c", judge.Correct, judge.Unscored)
	lost.Traces[1].Outcome = trace.Infra
	run := baseline.AcceptedRun{Run: "r", K: 2, Queries: []baseline.AcceptedQuery{
		marks("a", judge.Correct, judge.Correct), marks("b", judge.Incorrect, judge.Correct), lost,
	}}
	data := datasets.New("d", []datasets.Query{{ID: "a", Cluster: "x"}, {ID: "b", Cluster: "x"}, {ID: "c"}})
	clusters, together := clustersOf(data)
	for _, c := range []struct {
		together      bool
		low, high, of float64
	}{{false, 4, 5, 6}, {together, 1.25, 1.75, 2}} {
		n := count(run, clusters, c.together)
		if n.low != c.low || n.high != c.high || n.of != c.of || n.openTraces != 1 || n.k != 2 {
			t.Errorf("by clusters %t: %+v, want %+v", c.together, n, c)
		}
	}
	if missing := without(datasets.New("d", append(data.Queries, datasets.Query{ID: "new"})), run); len(missing) != 1 || missing[0] != "new" {
		t.Errorf("without %v, want new", missing)
	}
}

// BenchmarkSeries prints how often an unchanged agent is called worse in 100 nights, and the median night at which a drop
// is seen, by the size of the pool.
func BenchmarkSeries(b *testing.B) {
	const series = 400
	for _, hours := range []float64{0, .3} {
		for _, runs := range []int{1, 5, 10, 20} {
			b.Run(fmt.Sprintf("hours=%v/runs=%d", hours, runs), func(b *testing.B) {
				for b.Loop() {
					r := rand.New(rand.NewPCG(uint64(runs), 1))
					for _, drop := range []float64{0, .05, .1} {
						nights := 40
						if drop == 0 {
							nights = 100
						}
						for i, shows := range []func(Look) bool{byPool, byRanks} {
							var at []int
							alarms := 0
							for range series {
								n := found(decide(simulate(r, runs, 0, hours), simulate(r, nights, drop, hours)), shows)
								if n > 0 {
									alarms++
								} else {
									n = nights + 1
								}
								at = append(at, n)
							}
							slices.Sort(at)
							b.Logf("drop of %2.0f points, by %-5s: in %.3f of series of %d nights, median night %d", drop*100, []string{"pool", "ranks"}[i], float64(alarms)/series, nights, at[series/2])
						}
					}
				}
			})
		}
	}
}

// BenchmarkNightlyComparisons prints in how many series a change is called where an unchanged agent is compared with one
// stored run every night, by McNemar's test at 5 %.
func BenchmarkNightlyComparisons(b *testing.B) {
	const series = 1500
	votes := func(r *rand.Rand) (out [queries]bool) {
		for q := range queries {
			right := 0
			for range traces {
				if r.Float64() < spread[q%len(spread)] {
					right++
				}
			}
			out[q] = 2*right > traces
		}
		return out
	}
	for b.Loop() {
		r := rand.New(rand.NewPCG(38, 36))
		called := map[int]int{}
		for range series {
			stored, first := votes(r), 0
			for night := 1; night <= 100 && first == 0; night++ {
				losses, gains := 0, 0
				for q, right := range votes(r) {
					switch {
					case stored[q] && !right:
						losses++
					case right && !stored[q]:
						gains++
					}
				}
				if p, ok := stats.McNemar(losses, gains, stats.MidP); ok && p <= .05 {
					first = night
				}
			}
			for _, by := range []int{1, 20, 100} {
				if first > 0 && first <= by {
					called[by]++
				}
			}
		}
		for _, by := range []int{1, 20, 100} {
			b.Logf("a change is called by night %3d in %.2f of series", by, float64(called[by])/series)
		}
	}
}
