package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Interval is a closed range, Low <= High.
type Interval struct {
	Low, High float64
}

// maxCount is the maximum count for which tails are computed. For larger counts, the incomplete beta function
// has fewer than eight correct digits.
const maxCount = 10_000_000

// anyDifference is the interval of a difference of two rates if there are no data.
var anyDifference = Interval{-1, 1}

// open reports whether p is between 0 and 1, both excluded; false for NaN.
func open(p float64) bool { return p > 0 && p < 1 }

// isRate reports whether p is in [0, 1].
func isRate(p float64) bool { return p >= 0 && p <= 1 }

// isCount reports whether x successes in n trials are possible.
func isCount(x, n int) bool { return 0 <= x && x <= n }

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// twoSided returns the z for which the interval from -z to z has the probability level. It computes the lower
// quantile, because 1-(1-level)/2 would lose digits if level is near 1.
func twoSided(level float64) float64 { return -mathext.NormalQuantile((1 - level) / 2) }

// Wilson returns the score interval for a rate after x successes in n trials, at the two-sided level. Its
// coverage stays near the level for small n and for rates near 1. If items are weighted, x and n need not be
// whole numbers, and n is the effective number of items.
//
//	centre     (p + z²/2n) / (1 + z²/n),  p = x/n
//	half-width z/(1 + z²/n) · sqrt(p(1-p)/n + z²/4n²)
//
// The bounds contain x/n. The lower one is exactly 0 at x = 0, and the upper one exactly 1 at x = n. The
// interval is [0, 1] for n = 0, a count outside 0 <= x <= n and a level outside (0, 1). Source: E. B. Wilson,
// JASA 22 (1927) 209-212; docs/method.md §5.2.
func Wilson[N int | float64](x, n N, level float64) (low, high float64) {
	if !(0 <= x && x <= n && n > 0) || !open(level) {
		return 0, 1
	}
	i := wilsonAt(float64(x)/float64(n), float64(n), twoSided(level))
	return i.Low, i.High
}

// wilsonAt returns Wilson's interval of the rate p in n > 0 trials with the critical value z.
func wilsonAt(p, n, z float64) (i Interval) {
	i.High = 1
	shrink := 1 + z*z/n
	centre := (p + z*z/(2*n)) / shrink
	half := z / shrink * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	// At 0 and 1 the two terms are equal, and would differ only by rounding.
	if p > 0 {
		i.Low = min(max(centre-half, 0), p)
	}
	if p < 1 {
		i.High = max(min(centre+half, 1), p)
	}
	return i
}

// Newcombe returns the hybrid score interval for the difference d = p2 - p1 of two independent rates, p1 =
// x1/n1 and p2 = x2/n2. The rates must be of different items; for the same items use Tango. With the Wilson
// intervals [l1, u1] of p1 and [l2, u2] of p2:
//
//	low  = d - sqrt((p2-l2)² + (u1-p1)²)
//	high = d + sqrt((u2-p2)² + (p1-l1)²)
//
// It is [-1, 1] if n1 or n2 is 0. ok is false for a count outside 0 <= x <= n and a level outside (0, 1).
// Source: R. G. Newcombe, Statistics in Medicine 17 (1998) 873-890, method 10; docs/method.md §5.4.
func Newcombe(x1, n1, x2, n2 int, level float64) (Interval, bool) {
	if !isCount(x1, n1) || !isCount(x2, n2) || !open(level) {
		return Interval{}, false
	}
	if n1 == 0 || n2 == 0 {
		return anyDifference, true
	}
	p1, p2 := float64(x1)/float64(n1), float64(x2)/float64(n2)
	low1, high1 := Wilson(x1, n1, level)
	low2, high2 := Wilson(x2, n2, level)
	d := p2 - p1
	return Interval{
		Low:  max(-1, d-math.Hypot(p2-low2, high1-p1)),
		High: min(1, d+math.Hypot(high2-p2, p1-low1)),
	}, true
}

// Tango returns the score interval for the difference (gain-loss)/n of two rates on the same n items. McNemar
// explains loss and gain. The bounds are the two D with
//
//	T(D) = (gain - loss - nD) / sqrt(n(2q + D(1-D))) = ±z
//
// q is the probability of a loss that is likeliest if the difference is D. It is the larger root of 2nq² + Bq +
// C = 0 with
//
//	B = -gain - loss + (2n - gain + loss)D
//	C = -loss·D(1-D)
//
// The bounds contain the difference. If loss and gain are exchanged, the bounds are mirrored exactly. With n =
// 0 the interval is [-1, 1]. For a one-sided lower bound at 0.95, use the level 0.90. ok is false for a
// negative count, loss+gain > n and a level outside (0, 1). Source: T. Tango, Statistics in Medicine 17 (1998)
// 891-908; docs/method.md §5.4.
func Tango(n, loss, gain int, level float64) (Interval, bool) {
	if loss < 0 || gain < 0 || loss > n || gain > n-loss || !open(level) {
		return Interval{}, false
	}
	if n == 0 {
		return anyDifference, true
	}
	z := twoSided(level)
	return Interval{
		Low:  -tangoUpper(float64(n), float64(gain), float64(loss), z),
		High: tangoUpper(float64(n), float64(loss), float64(gain), z),
	}, true
}

// tangoUpper returns the largest D with T(D) >= -z. T is 0 at the observed difference and falls as D grows.
func tangoUpper(n, loss, gain, z float64) float64 {
	return bisect((gain-loss)/n, 1, func(d float64) bool { return tangoScore(n, loss, gain, d) >= -z })
}

// tangoScore returns T(D) for D above the observed difference, where the numerator is negative.
func tangoScore(n, loss, gain, d float64) float64 {
	b := -gain - loss + (2*n-gain+loss)*d
	c := -loss * d * (1 - d)
	root := math.Sqrt(max(b*b-8*n*c, 0))
	// There are two forms of the root. Use the one that does not subtract nearly equal numbers.
	q := (root - b) / (4 * n)
	if b > 0 {
		q = -2 * c / (root + b)
	}
	variance := n * (2*max(q, -d, 0) + d*(1-d))
	if variance <= 0 {
		return math.Inf(-1)
	}
	return (gain - loss - n*d) / math.Sqrt(variance)
}

// ClopperPearsonUpper returns the exact one-sided upper bound for a rate after x successes in n trials:
// Beta⁻¹(level; x+1, n-x), and exactly 1 at x = n. Its coverage is never below level. ok is false for a count
// outside 0 <= x <= n <= 10^7 and a level outside (0, 1). Source: C. J. Clopper and E. S. Pearson, Biometrika
// 26 (1934) 404-413; docs/method.md §5.2.
func ClopperPearsonUpper(x, n int, level float64) (float64, bool) {
	if !isCount(x, n) || n > maxCount || !open(level) {
		return 0, false
	}
	if x == n {
		return 1, true
	}
	// Compute the bound from the failures, because 1 - tail would lose digits.
	return 1 - betaQuantile(float64(n-x), float64(x+1), 1-level), true
}
