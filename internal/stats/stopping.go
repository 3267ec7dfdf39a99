package stats

import "math"

// Lead returns the probability that the leading answer would keep its lead over the next one in further
// traces, given their counts: P(p > 1/2) for p ~ Beta(top+1, second+1), = P(Bin(top+second+1, 1/2) <= top).
// With three or more answers it is too high. ok is false unless 0 <= second <= top, and for a sum above
// 10^7. Source: P. Aggarwal et al., arXiv 2305.11860, Adaptive-Consistency; methods.md §3.4.
func Lead(top, second int) (p float64, ok bool) {
	if second < 0 || second > top || top > maxCount-second-1 {
		return 0, false
	}
	below, at := halfTail(top, top+second+1)
	return min(1, below+at), true
}

// NeededSuccesses returns how many of n must succeed for a rate of at least rate in [0, 1]:
// ceil(rate·n - 1e-9), since 0.28·25 is 7.000000000000001 in floating point (methods.md §1.2).
func NeededSuccesses(n int, rate float64) int {
	return max(0, int(math.Ceil(rate*float64(n)-1e-9)))
}
