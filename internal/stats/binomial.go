package stats

import "math"

// choose is C(n, k), exact below 2^53. It overflows to +Inf above n = 1029 only.
func choose(n, k int) float64 {
	if !isCount(k, n) {
		return 0
	}
	c := 1.0
	for i := 1; i <= min(k, n-k); i++ {
		c = c * float64(n-i+1) / float64(i)
	}
	return c
}

// logChoose is log C(n, k) for 0 <= k <= n.
func logChoose(n, k int) float64 {
	return logFactorial(n) - logFactorial(k) - logFactorial(n-k)
}

func logFactorial(n int) float64 {
	v, _ := math.Lgamma(float64(n) + 1)
	return v
}

// binomialPMF is P(X = k) for X ~ Bin(n, p), p in [0, 1].
func binomialPMF(k, n int, p float64) float64 {
	switch {
	case !isCount(k, n):
		return 0
	case p == 0 || p == 1:
		// 0·log 0 would be NaN.
		if k == int(p)*n {
			return 1
		}
		return 0
	}
	return math.Exp(logChoose(n, k) + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
}

// exactHalf is the largest n for which C(n, k) fits a float64, so that 2^-n·C(n, k) needs
// no logarithms.
const exactHalf = 1000

// halfTail returns P(X < k) and P(X = k) for X ~ Bin(n, 1/2) and 0 <= k <= n. Results for
// small n are exact, so that a p-value of 1/32 is not rounded to either side.
func halfTail(k, n int) (below, at float64) {
	if 2*k > n {
		// Above the middle the terms grow downwards, and the first may underflow to 0.
		above, at := halfTail(n-k, n)
		return 1 - above - at, at
	}
	if n <= exactHalf {
		at = math.Ldexp(choose(n, k), -n)
	} else {
		at = math.Exp(logChoose(n, k) - float64(n)*math.Ln2)
	}
	term := at
	for i := k; i > 0 && term > 0x1p-60*below; i-- {
		term *= float64(i) / float64(n-i+1)
		below += term
	}
	return below, at
}
