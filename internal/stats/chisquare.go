package stats

import "gonum.org/v1/gonum/mathext"

// chiSquareQuantile returns x with P(X <= x) = p for a chi-square variable with df > 0
// degrees of freedom and p in (0, 1), by bisection.
func chiSquareQuantile(p, df float64) float64 {
	below := func(x float64) bool { return mathext.GammaIncReg(df/2, x/2) < p }
	low, high := 0.0, df
	for below(high) && finite(2*high) {
		low, high = high, 2*high
	}
	for range 200 {
		mid := low + (high-low)/2
		if mid == low || mid == high {
			break
		}
		if below(mid) {
			low = mid
		} else {
			high = mid
		}
	}
	return high
}
