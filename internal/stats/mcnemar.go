package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// PairedTest is a form of McNemar's two-sided test. MidP, the zero value, is the default of docs/method.md
// §5.4. It has more power, and its error rate exceeds the level rarely and slightly. The error rate of Exact
// never exceeds the level.
type PairedTest uint8

const (
	MidP PairedTest = iota
	Exact
)

// McNemar returns the p-value for two configurations on the same items. loss is the number of items that only
// the baseline has right, and gain the number that only the new configuration has right. Other items are not
// used. With X ~ Bin(loss+gain, 1/2) and m = min(loss, gain):
//
//	Exact  min(1, 2·P(X <= m))
//	MidP   2·(P(X < m) + P(X = m)/2), 1 if loss = gain
//
// ok is false for a negative count or a sum above 10^7. Source: M. W. Fagerland et al., BMC Med. Res. Methodol.
// 13:91 (2013); docs/method.md §5.4.
func McNemar(loss, gain int, test PairedTest) (p float64, ok bool) {
	if loss < 0 || gain < 0 || loss > maxCount || gain > maxCount-loss {
		return 0, false
	}
	return test.p(min(loss, gain), loss+gain), true
}

// p returns the p-value if the smaller side has m of n discordant pairs.
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

// Lead returns the probability that the leading answer would keep its lead over the second answer in further
// traces. top and second are the counts of the two answers. The probability is P(p > 1/2) for p ~ Beta(top+1,
// second+1), which is P(Bin(top+second+1, 1/2) <= top). If there are three or more answers, the result is too
// high. ok is false unless 0 <= second <= top, and for a sum above 10^7. Source: P. Aggarwal et al., arXiv
// 2305.11860, Adaptive-Consistency; docs/method.md §3.4.
func Lead(top, second int) (p float64, ok bool) {
	if second < 0 || second > top || top > maxCount-second-1 {
		return 0, false
	}
	below, at := halfTail(top, top+second+1)
	return min(1, below+at), true
}

// NeededSuccesses returns how many of n items must succeed for a success rate of at least rate, in [0, 1]:
// ceil(rate·n - 1e-9). The 1e-9 is needed because floating point computes 0.28·25 as 7.000000000000001
// (docs/method.md §1.2).
func NeededSuccesses(n int, rate float64) int {
	return max(0, int(math.Ceil(rate*float64(n)-1e-9)))
}

// choose returns C(n, k), exact below 2^53. It overflows to +Inf only above n = 1029.
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

// logChoose returns log C(n, k) for 0 <= k <= n.
func logChoose(n, k int) float64 {
	return -math.Log(float64(n+1)) - mathext.Lbeta(float64(k+1), float64(n-k+1))
}

// binomialPMF returns P(X = k) for X ~ Bin(n, p), p in [0, 1].
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

// halfTail returns P(X < k) and P(X = k) for X ~ Bin(n, 1/2) and 0 <= k <= n. For small n the results are
// exact, so that a p-value of 1/32 is exactly 1/32.
func halfTail(k, n int) (below, at float64) {
	if 2*k > n {
		// Above the middle the terms become smaller, and the first may underflow to 0.
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
