package stats_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/internal/stats"
)

// Where all weights are equal, it is the lower tail of Stratified; the order of the items does
// not matter, and one right trace more never lowers it.
func TestWeightedTotal(t *testing.T) {
	steady := func(s stats.Stratum) int {
		if 10*(s.X+s.H) >= 9*(s.K+s.M) {
			return 3
		}
		return 1
	}
	rapid.Check(t, func(t *rapid.T) {
		items := strata(8, 6).Draw(t, "items")
		want, _ := stats.Stratified(items)
		for _, w := range []int{1, 3} {
			if p, ok := stats.WeightedTotal(items, func(stats.Stratum) int { return w }); !ok || !near(p, want.Exact, 1e-12) {
				t.Fatalf("with the weight %d everywhere it is %v, and %v without", w, p, want.Exact)
			}
		}
		p, ok := stats.WeightedTotal(items, steady)
		if !ok || p < 0 || p > 1 {
			t.Fatalf("%v, %v", p, ok)
		}
		if q, _ := stats.WeightedTotal(rapid.Permutation(items).Draw(t, "order"), steady); !near(p, q, 1e-12) {
			t.Fatalf("in another order it is %v and not %v", q, p)
		}
		for i, s := range items {
			if s.X < s.K && s.H > 0 { // one right trace of the history is one of the run instead: the same weights
				s.X, s.H = s.X+1, s.H-1
				better := append(append([]stats.Stratum{}, items[:i]...), append([]stats.Stratum{s}, items[i+1:]...)...)
				if q, _ := stats.WeightedTotal(better, steady); q < p-1e-12 {
					t.Fatalf("more right traces lower it from %v to %v", p, q)
				}
			}
		}
	})
	one := []stats.Stratum{{X: 1, K: 3, H: 2, M: 3}}
	for _, bad := range [][]stats.Stratum{{{X: 4, K: 3, H: 1, M: 3}}, {{X: -1, K: 3, H: 1, M: 3}}} {
		if _, ok := stats.WeightedTotal(bad, steady); ok {
			t.Errorf("%v is taken", bad)
		}
	}
	if _, ok := stats.WeightedTotal(one, func(stats.Stratum) int { return 0 }); ok {
		t.Error("a weight of 0 is taken")
	}
	if p, ok := stats.WeightedTotal(nil, steady); !ok || p != 1 {
		t.Errorf("without items it is %v, %v", p, ok)
	}
}
