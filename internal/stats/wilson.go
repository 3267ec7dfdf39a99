package stats

import "math"

// Wilson returns the Wilson score interval for a rate of which x successes in
// n trials were seen, at the two-sided confidence level (0.95, not 95).
//
//	centre     (p + z²/2n) / (1 + z²/n),  p = x/n
//	half-width z/(1 + z²/n) · sqrt(p(1-p)/n + z²/4n²)
//
// The bounds are in [0, 1] and contain x/n; low is exactly 0 at x = 0 and high
// exactly 1 at x = n. With n = 0 nothing is known: [0, 1]. A count outside
// 0 <= x <= n or a level outside (0, 1) gives NaN, NaN.
//
// Source: E. B. Wilson, JASA 22 (1927) 209-212; methods.md §5.2, which makes
// it the interval for display because it keeps its coverage at small n and at
// rates near 1.
func Wilson(x, n int, level float64) (low, high float64) {
	if n < 0 || x < 0 || x > n || !(level > 0 && level < 1) {
		return math.NaN(), math.NaN()
	}
	if n == 0 {
		return 0, 1
	}
	// The lower quantile: 1-(1-level)/2 would round away a level near 1.
	z := -NormalQuantile((1 - level) / 2)
	size := float64(n)
	p := float64(x) / size
	shrink := 1 + z*z/size
	centre := (p + z*z/(2*size)) / shrink
	half := z / shrink * math.Sqrt(p*(1-p)/size+z*z/(4*size*size))

	// At the ends the two terms are equal and rounding alone would decide.
	low, high = 0, 1
	if x > 0 {
		low = min(max(centre-half, 0), p)
	}
	if x < n {
		high = max(min(centre+half, 1), p)
	}
	return low, high
}
