package stats

import "gonum.org/v1/gonum/mathext"

// Functions that only tests need: they check the intervals and tests of this package, and the
// figures of docs/statistics.md.

// ClopperPearson returns the exact interval for a rate of which x successes in n
// trials were seen, at the two-sided confidence level: its coverage is never below the
// level. docs/method.md §5.2 makes it the interval for guarantees.
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

// clopperHigh is computed from the lower bound of the failures: 1-tail would lose digits.
func clopperHigh(x, n, tail float64) float64 {
	if x >= n {
		return 1
	}
	return 1 - betaQuantile(n-x, x+1, tail)
}

func clopperLow(x, n, tail float64) float64 {
	if x <= 0 {
		return 0
	}
	return betaQuantile(x, n-x+1, tail)
}

// CoverageAt returns the probability, by enumeration of x = 0..n, that an interval for a
// rate contains the true rate p when n independent trials have it. It is what a level
// promises and an interval holds more or less: Wilson's of 0.95 covers 0.924 at n = 29,
// p = 0.88. ok is false for p outside [0, 1], n outside 0..100000 and where the interval
// is undefined for an x. See docs/method.md §5.2.
func CoverageAt(n int, p float64, interval func(x, n int) (Interval, bool)) (float64, bool) {
	if n < 0 || n > maxEnumeratedItems || !isRate(p) {
		return 0, false
	}
	sum := 0.0
	for x := range n + 1 {
		i, ok := interval(x, n)
		if !ok {
			return 0, false
		}
		if i.Contains(p) {
			sum += binomialPMF(x, n, p)
		}
	}
	return min(1, sum), true
}

// Contains reports whether v lies in the interval, its ends included.
func (i Interval) Contains(v float64) bool { return i.Low <= v && v <= i.High }

// WilsonInterval is Wilson, with ok false outside its domain.
func WilsonInterval(x, n int, level float64) (Interval, bool) {
	low, high := Wilson(x, n, level)
	return Interval{low, high}, isCount(x, n) && open(level)
}

func (t PairedTest) String() string {
	if t == MidP {
		return "mcnemar-midp"
	}
	return "mcnemar-exact"
}

// LossTail returns P(X > loss) and P(X = loss) for X ~ Bin(loss+gain, 1/2): the one-sided form of
// McNemar's test.
func LossTail(loss, gain int) (above, at float64) { return halfTail(gain, loss+gain) }

// PowerAt returns the probability that the mid-p test on n items finds a drop of the rate.
func PowerAt(n int, base, alpha, drop float64) float64 {
	now := max(0, base-drop)
	return newRegion(n, alpha).rate(base*(1-now), (1-base)*now)
}

// UnpairedPowerAt is PowerAt of Fisher's test on n1 items and n2 others.
func UnpairedPowerAt(n1, n2 int, base, alpha, drop float64) float64 {
	return newUnpairedRegion(n1, n2, alpha).rate(base, max(0, base-drop))
}

// RejectionRate returns the probability, by enumeration, that the mid-p test at level alpha rejects when each of n items is independently lost with probability loss and
// gained with probability gain. With loss = gain it is the true size of the test,
// otherwise its power. A test rejects where p <= alpha.
//
// Source: docs/method.md §5.6.
func RejectionRate(n int, loss, gain, alpha float64) float64 {
	return newRegion(n, alpha).rate(loss, gain)
}

// NormalQuantile is the quantile that the intervals of this package use.
func NormalQuantile(p float64) float64 { return mathext.NormalQuantile(p) }

// ICC is RightICC of any scores[item][trace], n items with K traces each. ok is false for n < 2, K < 2, items with
// different K, a score that is not finite, and where all scores are equal.
func ICC(scores [][]float64) (icc float64, ok bool) {
	if len(scores) < 2 || len(scores[0]) < 2 {
		return 0, false
	}
	n, k := float64(len(scores)), float64(len(scores[0]))
	means := make([]float64, len(scores))
	within := 0.0
	for i, traces := range scores {
		mean, ok := Mean(traces)
		if !ok || len(traces) != len(scores[0]) {
			return 0, false
		}
		means[i] = mean
		within += sumSquares(traces, mean)
	}
	mean, ok := Mean(means)
	if !ok {
		return 0, false
	}
	between := k * sumSquares(means, mean) / (n - 1)
	within = within / n / (k - 1)
	spread := between + (k-1)*within
	if !(spread > 0) || !finite(spread) {
		return 0, false
	}
	return (between - within) / spread, true
}
