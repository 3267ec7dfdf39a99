package stats

// Lead returns the probability that the leading answer would keep its lead over the next one
// in further traces, given their counts: P(p > 1/2) for p ~ Beta(top+1, second+1), which is
//
//	P(Bin(top+second+1, 1/2) <= top)
//
// Sampling stops when it reaches a threshold. With three or more answers it is too high. ok
// is false unless 0 <= second <= top, and for a sum above 10^7.
//
// Source: P. Aggarwal et al., arXiv 2305.11860, Adaptive-Consistency; methods.md §3.4.
func Lead(top, second int) (p float64, ok bool) {
	if second < 0 || second > top || top > maxCount-second-1 {
		return 0, false
	}
	below, at := halfTail(top, top+second+1)
	return min(1, below+at), true
}
