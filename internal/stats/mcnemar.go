package stats

import "math"

// PairedTest is a form of McNemar's two-sided test. The zero value is the default of methods.md §5.4: mid-p
// exceeds its level rarely and slightly, and has more power than Exact, which never exceeds it.
type PairedTest uint8

const (
	MidP PairedTest = iota
	Exact
)

// McNemar returns the p-value for two configurations on the same items: loss items that only the
// baseline had right, gain items that only the new one has right; others are not used. With
// X ~ Bin(loss+gain, 1/2), m = min(loss, gain):
//
//	Exact  min(1, 2·P(X <= m))
//	MidP   2·(P(X < m) + P(X = m)/2), 1 where loss = gain
//
// ok is false for a negative count or a sum above 10^7.
// Source: M. W. Fagerland et al., BMC Med. Res. Methodol. 13:91 (2013); methods.md §5.4.
func McNemar(loss, gain int, test PairedTest) (p float64, ok bool) {
	if loss < 0 || gain < 0 || loss > maxCount || gain > maxCount-loss {
		return 0, false
	}
	return test.p(min(loss, gain), loss+gain), true
}

// p is the p-value if m of n discordant pairs, the smaller part, are on one side.
func (t PairedTest) p(m, n int) float64 {
	if 2*m == n {
		return 1
	}
	below, at := halfTail(m, n)
	if t == MidP {
		return min(1, 2*below+at)
	}
	return min(1, 2*(below+at))
}

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
	all, _ := math.Lgamma(float64(n) + 1)
	of, _ := math.Lgamma(float64(k) + 1)
	rest, _ := math.Lgamma(float64(n-k) + 1)
	return all - of - rest
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

// exactHalf is the largest n for which C(n, k) fits a float64, so that 2^-n·C(n, k) needs no logarithms.
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
