package stats

// ClopperPearson returns the exact interval for a rate of which x successes in n
// trials were seen, at the two-sided confidence level: its coverage is never below the
// level. methods.md §5.2 makes it the interval for guarantees.
//
//	low  = Beta⁻¹(α/2; x, n-x+1),   exactly 0 at x = 0
//	high = Beta⁻¹(1-α/2; x+1, n-x), exactly 1 at x = n
//
// With n = 0 it is [0, 1]. ok is false for a count outside 0 <= x <= n <= 10^7 or a
// level outside (0, 1).
//
// Source: C. J. Clopper and E. S. Pearson, Biometrika 26 (1934) 404-413.
func ClopperPearson(x, n int, level float64) (Interval, bool) {
	if !isCount(x, n) {
		return Interval{}, false
	}
	return clopperPearson(float64(x), float64(n), level)
}

// clopperPearson takes real counts, which an effective sample size has.
func clopperPearson(x, n, level float64) (Interval, bool) {
	if !open(level) || !(n <= maxCount) {
		return Interval{}, false
	}
	tail := (1 - level) / 2
	return Interval{clopperLow(x, n, tail), clopperHigh(x, n, tail)}, true
}

// ClopperPearsonLower returns the one-sided lower bound: the rate is at least that,
// with confidence level. 29 of 29 prove 0.9019 at 0.95. The domain is that of
// ClopperPearson.
func ClopperPearsonLower(x, n int, level float64) (float64, bool) {
	if !isCount(x, n) || n > maxCount || !open(level) {
		return 0, false
	}
	return clopperLow(float64(x), float64(n), 1-level), true
}

// ClopperPearsonUpper returns the one-sided upper bound; without successes it is
// 1-(1-level)^(1/n). The domain is that of ClopperPearson.
func ClopperPearsonUpper(x, n int, level float64) (float64, bool) {
	if !isCount(x, n) || n > maxCount || !open(level) {
		return 0, false
	}
	return clopperHigh(float64(x), float64(n), 1-level), true
}

func clopperLow(x, n, tail float64) float64 {
	if x <= 0 {
		return 0
	}
	return betaQuantile(x, n-x+1, tail)
}

// clopperHigh mirrors the lower bound of the failures: 1-tail would lose digits.
func clopperHigh(x, n, tail float64) float64 {
	if x >= n {
		return 1
	}
	return 1 - betaQuantile(n-x, x+1, tail)
}
