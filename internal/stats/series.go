package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// LogEBelow returns the logarithm of the e-value against "the mean rate is at least rate", after S right and F
// wrong traces. S and F need not be whole numbers: with clusters they are sums of means.
//
//	E = B(½+S, ½+F) · I(½+S, ½+F) / (B(½, ½) · I(½, ½) · rate^S · (1-rate)^F)
//
// I is the regularized incomplete beta function at rate. If the mean rate is always at least rate, the
// probability that E ever reaches 1/α, at any look, is at most α. The rates of the queries may differ. The
// result is -Inf if E is too small for a floating-point number.
//
// ok is false for a negative or infinite count, more than 10^7 traces and a rate outside (0, 1). Sources: H.
// Robbins, Annals of Mathematical Statistics 41 (1970) 1397-1409; A. Ramdas et al., Statistical Science 38
// (2023) 576-601.
func LogEBelow(right, wrong, rate float64) (float64, bool) {
	if !isSeries(right, wrong) || !open(rate) {
		return 0, false
	}
	a, b := 0.5+right, 0.5+wrong
	return mathext.Lbeta(a, b) + math.Log(mathext.RegIncBeta(a, b, rate)) - mathext.Lbeta(0.5, 0.5) -
		math.Log(mathext.RegIncBeta(0.5, 0.5, rate)) - times(rate, right) - times(1-rate, wrong), true
}

// isSeries reports whether two numbers are possible counts, or sums of means.
func isSeries(right, wrong float64) bool { return right >= 0 && wrong >= 0 && right+wrong <= maxCount }

// times returns log(base^exponent); 0 if the exponent is 0.
func times(base, exponent float64) float64 {
	if exponent == 0 {
		return 0
	}
	return exponent * math.Log(base)
}

// RateSequence returns the confidence sequence of a mean rate: all rates m with
//
//	B(½+S, ½+F)/B(½, ½) < m^S·(1-m)^F/alpha
//
// where S is right and F is wrong. The probability that the sequence contains the true rate at every look is at
// least 1-alpha. Without a trace it is [0, 1]. ok is false in the same cases as for LogEBelow, and for an alpha
// outside (0, 1). Source: H. Robbins, Annals of Mathematical Statistics 41 (1970) 1397-1409.
func RateSequence(right, wrong, alpha float64) (Interval, bool) {
	if !isSeries(right, wrong) || !open(alpha) {
		return Interval{}, false
	}
	i := Interval{0, 1}
	if right+wrong == 0 {
		return i, true
	}
	mixed := mathext.Lbeta(0.5+right, 0.5+wrong) - mathext.Lbeta(0.5, 0.5)
	outside := func(m float64) bool { return mixed-times(m, right)-times(1-m, wrong) >= -math.Log(alpha) }
	seen := right / (right + wrong)
	if right > 0 {
		i.Low = bisect(0, seen, outside)
	}
	if wrong > 0 {
		i.High = 1 - bisect(0, 1-seen, func(m float64) bool { return outside(1 - m) })
	}
	return i, true
}

// ClopperPearsonLower returns the exact one-sided lower bound for a rate after x successes in n trials:
// Beta⁻¹(1-level; x, n-x+1), and 0 at x = 0. Counts that are not whole are sums of means. ok is false for a
// count outside 0 <= x <= n <= 10^7 and a level outside (0, 1). Source: C. J. Clopper and E. S. Pearson,
// Biometrika 26 (1934) 404-413.
func ClopperPearsonLower[N int | float64](x, n N, level float64) (float64, bool) {
	if !(0 <= x && x <= n && n <= maxCount) || !open(level) {
		return 0, false
	}
	if x == 0 {
		return 0, true
	}
	return betaQuantile(float64(x), float64(n-x)+1, 1-level), true
}

// rankBets are the exponents ε over which a RankMartingale averages. Small exponents detect large drops, and
// large exponents small drops.
var rankBets = [...]float64{.05, .1, .2, .3, .5, .7}

// RankMartingale measures the evidence that nights get worse, by the rank of each night among all earlier ones.
// The zero value can be used directly. If nights are exchangeable (the agent does not change), the probability
// that M ever reaches 1/α is at most α. The traces of one night may depend on each other in any way.
//
//	M = mean over ε in {.05, .1, .2, .3, .5, .7} of Π ε·p^(ε-1)
//
// Source: V. Vovk, I. Nouretdinov and A. Gammerman, Testing exchangeability on-line, ICML 2003.
type RankMartingale struct{ bets [len(rankBets)]float64 }

// Add adds the p-value of one more night, in (0, 1]; other values are ignored.
func (m *RankMartingale) Add(p float64) {
	if !(p > 0 && p <= 1) {
		return
	}
	for i, e := range rankBets {
		m.bets[i] += math.Log(e) + (e-1)*math.Log(p)
	}
}

// Log returns the logarithm of the martingale.
func (m RankMartingale) Log() float64 {
	most := m.bets[0]
	for _, b := range m.bets {
		most = max(most, b)
	}
	sum := 0.0
	for _, b := range m.bets {
		sum += math.Exp(b - most)
	}
	return most + math.Log(sum/float64(len(rankBets)))
}

// RankP returns the p-value of a night among earlier nights. It is small if the night has few right traces:
//
//	(lower + u·(1+equal)) / (earlier+1)
//
// lower and equal are the numbers of earlier nights with fewer and with equally many right traces. u is a
// random number in (0, 1], which breaks ties.
func RankP(earlier []float64, now, u float64) float64 {
	lower, equal := 0.0, 1.0
	for _, x := range earlier {
		lower += Bit(x < now-tiny)
		equal += Bit(math.Abs(x-now) <= tiny)
	}
	return (lower + u*equal) / float64(len(earlier)+1)
}
