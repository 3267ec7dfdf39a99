package stats

import "math"

// Interval is a closed range, Low <= High.
type Interval struct {
	Low, High float64
}

// maxCount bounds the counts whose tails are computed: beyond it the incomplete beta
// function has fewer than eight digits left.
const maxCount = 10_000_000

// The ranges of a rate, and of a difference of two rates, without any data.
var (
	anyRate       = Interval{0, 1}
	anyDifference = Interval{-1, 1}
)

// open reports whether p lies strictly between 0 and 1; it does not for NaN.
func open(p float64) bool { return p > 0 && p < 1 }

// isRate reports whether p lies in [0, 1].
func isRate(p float64) bool { return p >= 0 && p <= 1 }

// isCount reports whether x successes of n are possible.
func isCount(x, n int) bool { return 0 <= x && x <= n }

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// twoSided is z with a mass of level between -z and z. It uses the lower quantile, because
// 1-(1-level)/2 would lose digits of a level near 1.
func twoSided(level float64) float64 { return -normalQuantile((1 - level) / 2) }
