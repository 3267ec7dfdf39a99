package stats_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/internal/stats"
)

// Equal weights change nothing; the order of the items does
// not matter, and one right trace more never lowers it.
func TestStratifiedWeights(t *testing.T) {
	steady := func(s stats.Stratum) int {
		if 10*(s.X+s.H) >= 9*(s.K+s.M) {
			return 3
		}
		return 1
	}
	rapid.Check(t, func(t *rapid.T) {
		items := strata(8, 6).Draw(t, "items")
		want, _ := lower(items, same)
		if p, ok := lower(items, func(stats.Stratum) int { return 3 }); !ok || !near(p, want, 1e-12) {
			t.Fatalf("with the weight 3 everywhere it is %v, and %v without", p, want)
		}
		p, ok := lower(items, steady)
		if !ok || p < 0 || p > 1+1e-12 {
			t.Fatalf("%v, %v", p, ok)
		}
		if q, _ := lower(rapid.Permutation(items).Draw(t, "order"), steady); !near(p, q, 1e-12) {
			t.Fatalf("in another order it is %v and not %v", q, p)
		}
		for i, s := range items {
			if s.X < s.K && s.H > 0 { // one right trace of the history is one of the run instead: the same weights
				s.X, s.H = s.X+1, s.H-1
				better := append(append([]stats.Stratum{}, items[:i]...), append([]stats.Stratum{s}, items[i+1:]...)...)
				if q, _ := lower(better, steady); q < p-1e-12 {
					t.Fatalf("more right traces lower it from %v to %v", p, q)
				}
			}
		}
	})
	one := []stats.Stratum{{X: 1, K: 3, H: 2, M: 3}}
	for _, bad := range [][]stats.Stratum{{{X: 4, K: 3, H: 1, M: 3}}, {{X: -1, K: 3, H: 1, M: 3}}} {
		if _, ok := lower(bad, steady); ok {
			t.Errorf("%v is taken", bad)
		}
	}
	if _, ok := lower(one, func(stats.Stratum) int { return 0 }); ok {
		t.Error("a weight of 0 is taken")
	}
	if p, ok := lower(nil, steady); !ok || p != 1 {
		t.Errorf("without items it is %v, %v", p, ok)
	}
}

func lower(items []stats.Stratum, weight func(stats.Stratum) int) (float64, bool) {
	tails, ok := stats.Stratified(items, weight)
	return tails.Below + tails.At, ok
}
