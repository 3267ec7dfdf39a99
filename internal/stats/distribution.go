package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// bisect returns the smallest x of [low, high], to the last digit, at which below is no longer
// true; below must be true up to some x and false beyond it.
func bisect(low, high float64, below func(x float64) bool) float64 {
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

// Defined is nil for a figure that is undefined.
func Defined(v float64, ok bool) *float64 {
	if !ok {
		return nil
	}
	return &v
}

// betaQuantile returns x with I_x(a, b) = p, for a, b > 0 and p in (0, 1). Unlike the
// library's inverse, bisection always converges.
func betaQuantile(a, b, p float64) float64 {
	return bisect(0, 1, func(x float64) bool { return mathext.RegIncBeta(a, b, x) < p })
}

// tQuantile returns t with a mass of level between -t and t, for Student's distribution
// with df > 0 degrees of freedom: P(|T| > t) = I_{df/(df+t²)}(df/2, 1/2).
func tQuantile(level, df float64) float64 {
	x := betaQuantile(df/2, 0.5, 1-level)
	return math.Sqrt(df * (1 - x) / x)
}

// chiSquareQuantile returns x with P(X <= x) = p for a chi-square variable with df > 0
// degrees of freedom and p in (0, 1).
func chiSquareQuantile(p, df float64) float64 { return 2 * mathext.GammaIncRegInv(df/2, p) }
