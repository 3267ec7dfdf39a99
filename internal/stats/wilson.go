package stats

import "math"

// Wilson returns the Wilson score interval for a rate of which x successes in
// n trials were seen, at the two-sided confidence level.
//
//	centre     (p + z²/2n) / (1 + z²/n),  p = x/n
//	half-width z/(1 + z²/n) · sqrt(p(1-p)/n + z²/4n²)
//
// The bounds are in [0, 1] and contain x/n; low is exactly 0 at x = 0 and high
// exactly 1 at x = n. It is [0, 1] with n = 0, and also for a count
// outside 0 <= x <= n or a level outside (0, 1), which WilsonInterval reports.
//
// Source: E. B. Wilson, JASA 22 (1927) 209-212; methods.md §5.2, which makes
// it the interval for display because it keeps its coverage at small n and at
// rates near 1.
func Wilson(x, n int, level float64) (low, high float64) {
	i, ok := WilsonInterval(x, n, level)
	if !ok {
		return 0, 1
	}
	return i.Low, i.High
}

// WilsonInterval is Wilson, with ok false for arguments outside its domain.
func WilsonInterval(x, n int, level float64) (Interval, bool) {
	if !isCount(x, n) {
		return Interval{}, false
	}
	return wilson(float64(x), float64(n), level)
}

// wilson takes real counts, which an effective sample size has.
func wilson(x, n, level float64) (Interval, bool) {
	if !open(level) {
		return Interval{}, false
	}
	if n == 0 {
		return anyRate, true
	}
	z := twoSided(level)
	p := x / n
	shrink := 1 + z*z/n
	centre := (p + z*z/(2*n)) / shrink
	half := z / shrink * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))

	// At the ends the two terms are equal, and only rounding would differ.
	i := anyRate
	if x > 0 {
		i.Low = min(max(centre-half, 0), p)
	}
	if x < n {
		i.High = max(min(centre+half, 1), p)
	}
	return i, true
}
