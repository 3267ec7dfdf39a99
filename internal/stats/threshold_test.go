package stats_test

import (
	"fmt"
	"slices"
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
		{29, 0, 0}, {29, 1, 29}, {29, 1e-300, 0}, {0, .9, 0}, {29, .8, 24}, {29, .85, 25},
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

// How often an unchanged system misses a threshold on the items passed by vote, which is why the gate has none
// (docs/method.md §6.1).
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
			passes[i] = 1 - fewerThan(c.k/2+1, slices.Repeat([]float64{p}, c.k))
		}
		fails := fewerThan(stats.NeededSuccesses(len(passes), c.threshold), passes)
		number(t, fmt.Sprintf("%s, K = %d, %v", c.what, c.k, c.threshold), fails, true, c.want, 5.001e-4)
	}
}

// fewerThan is the chance of fewer than need successes in independent trials.
func fewerThan(need int, trials []float64) (sum float64) {
	mass := []float64{1}
	for _, p := range trials {
		next := make([]float64, len(mass)+1)
		for x, m := range mass {
			next[x] += m * (1 - p)
			next[x+1] += m * p
		}
		mass = next
	}
	for _, m := range mass[:need] {
		sum += m
	}
	return sum
}
