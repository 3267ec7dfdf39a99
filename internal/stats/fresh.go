package stats

// FreshItem returns the one-sided p-value that an item got worse: x of k fresh traces are
// right, h of m of its history. It is P(X <= x) for X hypergeometric, k traces drawn from
// the k+m of which x+h are right; methods.md §6.2 compares it with a level over all items
// that lost traces. 2 of 6 against 9 of 9 is 0.011.
// Without fresh traces, or without history, it is 1. ok is false for a count outside
// 0 <= x <= k or 0 <= h <= m, or a k+m above 10^7.
//
// Source: methods.md §6.2, Test B; the lower tail of Fisher's exact test.
func FreshItem(x, k, h, m int) (p float64, ok bool) {
	if !isCount(x, k) || !isCount(h, m) || k > maxCount || m > maxCount-k {
		return 0, false
	}
	first, mass := hypergeometricRow(x+h, k, m)
	if x-first >= len(mass)-1 {
		return 1, true
	}
	below, at, _ := split(mass, x-first)
	return min(1, below+at), true
}
