// Package stats owns the tests, intervals and estimators of methods.md §3.5 to §6, as pure
// functions of numbers.
//
// It imports no package of this module.
//
// An undefined result is ok = false or a nil pointer, never NaN or 0: arguments outside the
// stated domain, and figures that the data does not define, such as the error of a single
// score. An empty sample is defined: it has the widest interval and p = 1. Rates, p-values
// and levels are fractions (0.95, not 95); a level is two-sided unless the name says
// otherwise. A difference is new minus baseline, so a loss is negative.
package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// betaQuantile returns x with I_x(a, b) = p, for a, b > 0 and p in (0, 1). Unlike the
// library's inverse, bisection always converges.
func betaQuantile(a, b, p float64) float64 {
	low, high := 0.0, 1.0
	for range 200 {
		mid := low + (high-low)/2
		if mid == low || mid == high {
			break
		}
		if mathext.RegIncBeta(a, b, mid) < p {
			low = mid
		} else {
			high = mid
		}
	}
	return high
}

// tQuantile returns t with a mass of level between -t and t, for Student's distribution
// with df > 0 degrees of freedom: P(|T| > t) = I_{df/(df+t²)}(df/2, 1/2).
func tQuantile(level, df float64) float64 {
	x := betaQuantile(df/2, 0.5, 1-level)
	return math.Sqrt(df * (1 - x) / x)
}

// binomialCDF is P(X <= k) for X ~ Bin(n, p).
func binomialCDF(k, n int, p float64) float64 {
	switch {
	case k < 0:
		return 0
	case k >= n || p <= 0:
		return 1
	case p >= 1:
		return 0
	}
	return mathext.RegIncBeta(float64(n-k), float64(k+1), 1-p)
}
