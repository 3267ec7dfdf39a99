package stats

import "math"

// NeededSuccesses returns how many of n must succeed for a rate of at least rate:
// ceil(rate·n - 1e-9), since 0.28·25 is 7.000000000000001 in floating point. Thresholds
// compare counts, never rates. It is n+1, which no run reaches, if the rate is above 1 or not
// a number, and never below 0.
//
// Source: methods.md §1.2.
func NeededSuccesses(n int, rate float64) int {
	n = min(max(n, 0), 1<<53) // the largest exact count of a float64
	need := math.Ceil(rate*float64(n) - 1e-9)
	switch {
	case need <= 0:
		return 0
	case need <= float64(n):
		return int(need)
	}
	return n + 1
}
