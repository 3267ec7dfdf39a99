package stats_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/internal/stats"
)

func counts(outcomes [][][]bool) (right, of [][]int) {
	for _, run := range outcomes {
		x, k := make([]int, len(run)), make([]int, len(run))
		for i, traces := range run {
			k[i] = len(traces)
			for _, r := range traces {
				if r {
					x[i]++
				}
			}
		}
		right, of = append(right, x), append(of, k)
	}
	return right, of
}

// Two items, two traces, three runs: the run means are 1, 3/4 and 1/4, with variance 7/48.
// Item 1 has 5 of 6, item 2 has 3 of 6: Σp(1-p)·6/5 = (5/36+9/36)·6/5 = 7/15, which over
// n²K = 8 gives 7/120.
func TestDispersionByHand(t *testing.T) {
	got, ok := stats.Dispersion([][]int{{2, 2}, {2, 1}, {1, 0}}, [][]int{{2, 2}, {2, 2}, {2, 2}})
	number(t, "phi", got.Value, ok, 2.5, 1e-12)
	// 2·phi over the quantiles of chi-square with two degrees of freedom, -2·log(1-p).
	number(t, "low", got.Low, ok, 5/(-2*math.Log(.025)), 1e-9)
	number(t, "high", got.High, ok, 5/(-2*math.Log(.975)), 1e-9)
}

// The tabulated quantiles of chi-square with seven degrees of freedom.
func TestDispersionInterval(t *testing.T) {
	right, of := counts(simulate(rand.New(rand.NewPCG(1, 2)), gold29(), 8, 3))
	got, ok := stats.Dispersion(right, of)
	number(t, "low", got.Low, ok, got.Value*7/16.0127642743, 1e-9)
	number(t, "high", got.High, ok, got.Value*7/1.6898691807, 1e-9)
}

// With equal numbers of traces it is the formula, its p(1-p) without bias.
func TestDispersionIsTheFormula(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		runs, n, k := rapid.IntRange(2, 9).Draw(t, "runs"), rapid.IntRange(1, 20).Draw(t, "items"), rapid.IntRange(1, 5).Draw(t, "K")
		rates := rapid.SliceOfN(rapid.Float64Range(0, 1), n, n).Draw(t, "rates")
		right, of := counts(simulate(rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0)), rates, runs, k))
		traces := float64(runs * k)
		single, mean, square := 0.0, 0.0, 0.0
		for i := range rates {
			p := 0.0
			for r := range right {
				p += float64(right[r][i]) / traces
			}
			single += p * (1 - p) * traces / (traces - 1)
		}
		for r := range right {
			y := 0.0
			for i := range rates {
				y += float64(right[r][i]) / float64(n*k)
			}
			mean += y / float64(runs)
			square += y * y
		}
		got, ok := stats.Dispersion(right, of)
		if ok != (single > 1e-12) {
			t.Fatalf("%+v, %v with a variance of %v", got, ok, single)
		}
		variance := (square - float64(runs)*mean*mean) / float64(runs-1)
		if want := variance / (single / float64(n*n*k)); ok && !near(got.Value, want, 1e-9*(1+want)) {
			t.Fatalf("%+v, want %v", got, want)
		}
	})
}

// Of 8 unchanged runs about one set in twenty has phi > 2 (.046), and more than a quarter
// where a disturbance of the log-odds with standard deviation .5 is common to each run
// (.262); p(1-p) without the correction for bias gives
// .057 and .292. All from 40,000 sets; the tolerance here is four standard errors.
func TestDispersionOfSimulatedRuns(t *testing.T) {
	const sets = 3000
	for _, c := range []struct{ shock, above2, tolerance float64 }{{0, .046, .016}, {.5, .262, .033}} {
		random := rand.New(rand.NewPCG(5, 8))
		flags, mean := 0, 0.0
		for range sets {
			var outcomes [][][]bool
			for range 8 {
				outcomes = append(outcomes, simulate(random, shocked(gold29(), c.shock*random.NormFloat64()), 1, 3)...)
			}
			got, ok := stats.Dispersion(counts(outcomes))
			if !ok {
				t.Fatal("undefined")
			}
			mean += got.Value / sets
			if got.Value > 2 {
				flags++
			}
		}
		number(t, "share above 2", float64(flags)/sets, true, c.above2, c.tolerance)
		if c.shock == 0 {
			number(t, "mean phi", mean, true, 1, .04)
		}
	}
}

// shocked moves the log-odds of all rates.
func shocked(rates []float64, by float64) []float64 {
	for i, p := range rates {
		rates[i] = 1 / (1 + (1-p)/p*math.Exp(-by))
	}
	return rates
}

// An item that a run lacks moves nothing, however hard the item is.
func TestDispersionWithMissingTraces(t *testing.T) {
	right := [][]int{{3, 0, 2}, {3, 0, 1}, {3, 0, 2}, {3, 0, 1}}
	of := [][]int{{3, 3, 3}, {3, 0, 3}, {0, 3, 3}, {3, 3, 3}}
	right[2][0] = 0
	got, ok := stats.Dispersion(right, of)
	if !ok || got.Value > 1 || got.Value <= 0 {
		t.Errorf("%+v, %v: the same up to one trace in each run", got, ok)
	}
	// A run without traces of the item that varies has nothing to say.
	short, ok := stats.Dispersion([][]int{{3, 2}, {3, 1}, {3, 0}}, [][]int{{3, 3}, {3, 3}, {3, 0}})
	two, _ := stats.Dispersion([][]int{{3, 2}, {3, 1}}, [][]int{{3, 3}, {3, 3}})
	number(t, "without the empty run", short.Value, ok, two.Value, 1e-12)
}

func TestDispersionEdges(t *testing.T) {
	// Equal means are no proof of a spread of 0.
	got, ok := stats.Dispersion([][]int{{2, 3}, {2, 3}}, [][]int{{3, 3}, {3, 3}})
	if !ok || got.Value != 0 || got.Low != 0 || got.High < 1 {
		t.Errorf("runs that agree: %+v, %v", got, ok)
	}
	for name, c := range map[string][2][][]int{
		"nothing":       {nil, nil},
		"no items":      {{{}, {}}, {{}, {}}},
		"one run":       {{{1, 2}}, {{3, 3}}},
		"all right":     {{{3, 3}, {3, 3}}, {{3, 3}, {3, 3}}},
		"no traces":     {{{0}, {0}}, {{0}, {0}}},
		"one run has":   {{{1}, {0}}, {{3}, {0}}},
		"ragged":        {{{1, 2}, {1}}, {{3, 3}, {3}}},
		"ragged of":     {{{1}, {1}}, {{3}, {3, 3}}},
		"fewer of":      {{{1}, {1}}, {{3}}},
		"more than all": {{{4}, {1}}, {{3}, {3}}},
		"negative":      {{{-1}, {1}}, {{3}, {3}}},
		"too many":      {{{1}, {1}}, {{3}, {math.MaxInt}}},
	} {
		if got, ok := stats.Dispersion(c[0], c[1]); ok {
			t.Errorf("%s: %+v, want undefined", name, got)
		}
	}
}

// Two right of four traces, both in one run: 2 of the 6 orders agree so much.
func TestConcordanceByHand(t *testing.T) {
	outcomes := [][][]bool{{{true, true}}, {{false, false}}}
	p, ok := stats.Concordance(outcomes, 1, stats.DefaultDraws)
	number(t, "p", p, ok, 1./3, .006)
	again, _ := stats.Concordance(outcomes, 1, stats.DefaultDraws)
	other, _ := stats.Concordance(outcomes, 2, stats.DefaultDraws)
	if again != p || other == p {
		t.Errorf("seed 1 gives %v and %v, seed 2 %v", p, again, other)
	}
	// Three traces and one: the only pairs are in the first run, and alike in one of four.
	p, ok = stats.Concordance([][][]bool{{{true, true, true}}, {{false}}}, 1, stats.DefaultDraws)
	number(t, "p of unequal runs", p, ok, 1./4, .006)
	p, ok = stats.Concordance([][][]bool{{{true, false}}, {{true, false}}}, 1, stats.DefaultDraws)
	number(t, "p of the least agreement", p, ok, 1, 0)
}

func TestConcordanceLeavesItsInputAlone(t *testing.T) {
	outcomes := [][][]bool{{{true, false, false}}, {{true, true, true}}}
	if _, ok := stats.Concordance(outcomes, 3, 99); !ok {
		t.Fatal("undefined")
	}
	if got := outcomes[0][0]; !got[0] || got[1] || got[2] {
		t.Errorf("outcomes became %v", outcomes)
	}
}

// Copies within a run are found, independent traces are not; docs/method.md §6.2.
func TestConcordanceFindsCopies(t *testing.T) {
	const sets, draws = 200, 199
	random := rand.New(rand.NewPCG(13, 21))
	found, alarms := 0, 0
	for range sets {
		outcomes := simulate(random, gold29(), 8, 3)
		if p, ok := stats.Concordance(outcomes, 1, draws); ok && p <= .05 {
			alarms++
		}
		for _, run := range outcomes {
			for _, traces := range run {
				traces[1], traces[2] = traces[0], traces[0]
			}
		}
		if p, ok := stats.Concordance(outcomes, 1, draws); ok && p <= .05 {
			found++
		}
	}
	if found < sets*98/100 {
		t.Errorf("copies found in %d of %d sets", found, sets)
	}
	if alarms > sets*11/100 {
		t.Errorf("%d alarms in %d sets of independent traces", alarms, sets)
	}
}

func TestConcordanceEdges(t *testing.T) {
	for name, outcomes := range map[string][][][]bool{
		"no items":    {{}, {}},
		"no traces":   {{nil}, {nil}},
		"one outcome": {{{true, true}}, {{true, true}}},
		"no pairs":    {{{true}}, {{false}}},
	} {
		if p, ok := stats.Concordance(outcomes, 1, 99); !ok || p != 1 {
			t.Errorf("%s: p = %v, %v, want 1", name, p, ok)
		}
	}
	for name, outcomes := range map[string][][][]bool{
		"nothing": nil, "one run": {{{true, false}}}, "ragged": {{{true}}, {}},
	} {
		if p, ok := stats.Concordance(outcomes, 1, 99); ok {
			t.Errorf("%s: p = %v, want undefined", name, p)
		}
	}
	if p, ok := stats.Concordance([][][]bool{{{true}}, {{false}}}, 1, -1); ok {
		t.Errorf("-1 draws: p = %v", p)
	}
}

func BenchmarkConcordance(b *testing.B) {
	outcomes := simulate(rand.New(rand.NewPCG(1, 1)), gold29(), 8, 3)
	for b.Loop() {
		if _, ok := stats.Concordance(outcomes, 1, 10_000); !ok {
			b.Fatal("undefined")
		}
	}
}
