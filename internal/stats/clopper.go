package stats

// ClopperPearsonUpper returns the exact one-sided upper bound for a rate of which x successes
// in n trials were seen: Beta⁻¹(level; x+1, n-x), exactly 1 at x = n. Its coverage is never
// below level. Without successes it is 1-(1-level)^(1/n). ok is false for a count outside
// 0 <= x <= n <= 10^7 or a level outside (0, 1).
//
// Source: C. J. Clopper and E. S. Pearson, Biometrika 26 (1934) 404-413; methods.md §5.2.
func ClopperPearsonUpper(x, n int, level float64) (float64, bool) {
	if !isCount(x, n) || n > maxCount || !open(level) {
		return 0, false
	}
	return clopperHigh(float64(x), float64(n), 1-level), true
}

// clopperHigh is computed from the lower bound of the failures: 1-tail would lose digits.
func clopperHigh(x, n, tail float64) float64 {
	if x >= n {
		return 1
	}
	return 1 - betaQuantile(n-x, x+1, tail)
}
