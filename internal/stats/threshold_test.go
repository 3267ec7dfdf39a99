package stats_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/internal/stats"
)

func TestNeededSuccessesVectors(t *testing.T) {
	for _, r := range vectors[[]struct {
		N    int
		T    float64
		Need int
	}](t, "thresholds") {
		if got := stats.NeededSuccesses(r.N, r.T); got != r.Need {
			t.Errorf("NeededSuccesses(%d, %v) = %d, want %d", r.N, r.T, got, r.Need)
		}
	}
}

func TestNeededSuccessesEdges(t *testing.T) {
	for _, c := range []struct {
		n    int
		rate float64
		want int
	}{
		{29, 0, 0}, {29, -1, 0}, {29, 1, 29}, {29, 1.01, 30}, {29, math.Inf(1), 30}, {29, math.NaN(), 30}, {29, 1e-300, 0},
		{0, .9, 0}, {-3, .9, 0}, {0, math.NaN(), 1}, {29, .8, 24}, {29, .85, 25},
	} {
		if got := stats.NeededSuccesses(c.n, c.rate); got != c.want {
			t.Errorf("NeededSuccesses(%d, %v) = %d, want %d", c.n, c.rate, got, c.want)
		}
	}
}

// What count/n needs is the count.
func TestNeededSuccessesOfARatio(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 1_000_000).Draw(t, "n")
		x := rapid.IntRange(0, n).Draw(t, "x")
		if got := stats.NeededSuccesses(n, float64(x)/float64(n)); got != x {
			t.Fatalf("%d/%d needs %d", x, n, got)
		}
	})
}

// The flaky-gate table of methods.md §6.1: how often an unchanged system misses a
// threshold on the items passed by vote.
func TestThresholdsFailUnchangedSystems(t *testing.T) {
	same := func(p float64) []float64 {
		rates := make([]float64, 29)
		for i := range rates {
			rates[i] = p
		}
		return rates
	}
	for _, c := range []struct {
		what      string
		rates     []float64
		k         int
		threshold float64
		want      float64
	}{
		{".90", same(.90), 1, .85, .158}, {".90", same(.90), 3, .90, .047}, {".90", same(.90), 5, .90, .002},
		{".95", same(.95), 3, .95, .019}, {".96", same(.96), 1, .95, .324}, {".96", same(.96), 3, 1, .127},
		{".96", same(.96), 5, 1, .017}, {".99", same(.99), 1, 1, .253},
		{"gold29", gold29(), 1, .95, .351}, {"gold29", gold29(), 3, .95, .163}, {"gold29", gold29(), 5, .95, .112},
		{"gold29", gold29(), 1, .90, .088}, {"gold29", gold29(), 3, .90, .011}, {"gold29", gold29(), 5, .90, .003},
	} {
		passes := make([]float64, len(c.rates))
		for i, p := range c.rates {
			passes[i], _ = stats.MajorityRight(p, c.k)
		}
		mass, ok := stats.PoissonBinomial(passes)
		fails := 0.0
		for _, m := range mass[:stats.NeededSuccesses(len(passes), c.threshold)] {
			fails += m
		}
		number(t, fmt.Sprintf("%s, K = %d, %v", c.what, c.k, c.threshold), fails, ok, c.want, 5.001e-4)
	}
}

func TestMajorityRight(t *testing.T) {
	for _, c := range []struct {
		p    float64
		k    int
		want float64
	}{
		{.9, 1, .9}, {.9, 3, .972}, {.9, 2, .81}, {.5, 3, .5}, {.5, 2, .25}, {0, 3, 0}, {1, 2, 1}, {1e-9, 3, 3e-18},
	} {
		got, ok := stats.MajorityRight(c.p, c.k)
		number(t, fmt.Sprintf("MajorityRight(%v, %d)", c.p, c.k), got, ok, c.want, 1e-8*c.want)
	}
	for _, c := range []struct {
		p float64
		k int
	}{{.9, 0}, {.9, -1}, {.9, math.MaxInt}, {-.1, 3}, {1.1, 3}, {math.NaN(), 3}} {
		if got, ok := stats.MajorityRight(c.p, c.k); ok {
			t.Errorf("MajorityRight(%v, %d) = %v, want undefined", c.p, c.k, got)
		}
	}
}

// The vote's successes are those of a Poisson binomial with equal probabilities.
func TestMajorityRightIsATail(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, k := rapid.Float64Range(0, 1).Draw(t, "p"), rapid.IntRange(1, 60).Draw(t, "k")
		same := make([]float64, k)
		for i := range same {
			same[i] = p
		}
		mass, _ := stats.PoissonBinomial(same)
		want := 0.0
		for x, m := range mass {
			if 2*x > k {
				want += m
			}
		}
		if got, ok := stats.MajorityRight(p, k); !ok || !near(got, want, 1e-10) {
			t.Fatalf("%v, %v, want %v", got, ok, want)
		}
	})
}

func TestPoissonBinomialByHand(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SliceOfN(rapid.Float64Range(0, 1), 0, 10).Draw(t, "p")
		want := make([]float64, len(p)+1)
		for outcomes := range 1 << len(p) {
			chance, successes := 1.0, 0
			for i, v := range p {
				if outcomes>>i&1 == 1 {
					chance *= v
					successes++
				} else {
					chance *= 1 - v
				}
			}
			want[successes] += chance
		}
		got, ok := stats.PoissonBinomial(p)
		if !ok || len(got) != len(want) {
			t.Fatalf("%v, %v", got, ok)
		}
		for x := range want {
			if !near(got[x], want[x], 1e-14) {
				t.Fatalf("%d successes: %v, want %v", x, got[x], want[x])
			}
		}
	})
	for _, p := range [][]float64{{.5, -.1}, {1.1}, {math.NaN()}, make([]float64, 20_001)} {
		if got, ok := stats.PoissonBinomial(p); ok {
			t.Errorf("%d trials: %d masses, want undefined", len(p), len(got))
		}
	}
}
