package stats

import "math"

// Tango returns the score interval for the difference (gain-loss)/n of two rates on
// the same n items, at the two-sided confidence level; see McNemar for loss and gain.
// It inverts
//
//	T(D) = (gain - loss - nD) / sqrt(n(2q + D(1-D))) = ±z
//
// where q is the probability of a loss that is likeliest given D: the larger root of
// 2nq² + Bq + C = 0 with B = -gain - loss + (2n - gain + loss)D and C = -loss·D(1-D).
//
// The bounds are in [-1, 1] and contain the difference; exchanging loss and gain mirrors
// them exactly. With loss = gain = 0 it is ±z²/(n+z²), with n = 0 [-1, 1]. ok is false
// for a negative count, loss+gain > n or a level outside (0, 1). The one-sided lower
// bound at 0.95 is that of level 0.90.
//
// Source: T. Tango, Statistics in Medicine 17 (1998) 891-908; methods.md §5.4.
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

// tangoUpper finds the largest D with T(D) >= -z. T falls with D, from 0 at the observed
// difference.
func tangoUpper(n, loss, gain, z float64) float64 {
	low, high := (gain-loss)/n, 1.0
	for range 200 {
		mid := low + (high-low)/2
		if mid == low || mid == high {
			break
		}
		if tangoScore(n, loss, gain, mid) >= -z {
			low = mid
		} else {
			high = mid
		}
	}
	return high
}

// tangoScore is T(D) for D above the observed difference, where the numerator is negative.
func tangoScore(n, loss, gain, d float64) float64 {
	b := -gain - loss + (2*n-gain+loss)*d
	c := -loss * d * (1 - d)
	root := math.Sqrt(max(b*b-8*n*c, 0))
	// Use the form of the root that does not subtract nearly equal numbers.
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
