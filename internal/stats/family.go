package stats

import (
	"cmp"
	"slices"
)

// Holm adjusts the p-values of one family and returns them in the given order. If each adjusted p-value is
// compared with α, the probability of at least one false alarm in the family is at most α. ok is false if a
// p-value is not in [0, 1].
//
//	adj_(r) = max over s <= r of min(1, (m-s+1)·p_(s)),  p_(1) <= ... <= p_(m)
//
// Source: S. Holm, Scand. J. Statist. 6 (1979) 65-70; docs/method.md §5.5.
func Holm(p []float64) (adjusted []float64, ok bool) {
	order := make([]int, len(p))
	for i, v := range p {
		if !isRate(v) {
			return nil, false
		}
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	adjusted = make([]float64, len(p))
	running := 0.0
	for rank, i := range order {
		running = max(running, min(1, float64(len(p)-rank)*p[i]))
		adjusted[i] = running
	}
	return adjusted, true
}
