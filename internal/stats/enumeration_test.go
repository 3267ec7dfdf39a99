package stats_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/seed-5817661a/concur/internal/stats"
)

// binomial is P(X = x) by whole numbers and plain powers.
func binomial(x, n int, p float64) float64 {
	ways, _ := new(big.Float).SetInt(new(big.Int).Binomial(int64(n), int64(x))).Float64()
	return ways * math.Pow(p, float64(x)) * math.Pow(1-p, float64(n-x))
}

// The whole curve of Wilson's coverage at 29 items. p lies in the interval of x where
// |x - np| <= z·sqrt(np(1-p)): no interval is computed here.
func TestWilsonCoverageCurve(t *testing.T) {
	const n, z = 29, 1.959963984540054
	wilson := func(x, n int) (stats.Interval, bool) { return stats.WilsonInterval(x, n, .95) }
	lowest := 1.0
	for i := 1; i < 1000; i++ {
		p := float64(i) / 1000
		want := 0.0
		for x := range n + 1 {
			if math.Abs(float64(x)-n*p) <= z*math.Sqrt(n*p*(1-p)) {
				want += binomial(x, n, p)
			}
		}
		got, ok := stats.CoverageAt(n, p, wilson)
		number(t, "coverage", got, ok, want, 1e-10)
		if .02 <= p && p <= .98 {
			lowest = min(lowest, got)
		}
	}
	if lowest < .83 {
		t.Errorf("coverage falls to %v", lowest)
	}
	at, _ := stats.CoverageAt(n, .88, wilson)
	if !near(at, .924, 5e-4) {
		t.Errorf("coverage at 0.88 is %v", at)
	}
}

// The size of mid-p at 29 items, summed over every table of losses, gains and the rest,
// with p-values from whole numbers.
func TestSizeOfMidPCurve(t *testing.T) {
	const n = 29
	for i := range 41 {
		q := float64(i) / 100
		want := 0.0
		for b := range n + 1 {
			for c := range n + 1 - b {
				if midP(b, c) <= .05 {
					want += binomial(b+c, n, q) * binomial(b, b+c, .5)
				}
			}
		}
		got := stats.RejectionRate(n, q/2, q/2, .05)
		number(t, "size", got, true, want, 1e-10)
		if got >= .05 {
			t.Errorf("size at discordance %.2f is %v", q, got)
		}
	}
}

func midP(b, c int) float64 {
	if b == c {
		return 1
	}
	sum := 0.0
	for i := range min(b, c) {
		sum += 2 * binomial(i, b+c, .5)
	}
	return sum + binomial(min(b, c), b+c, .5)
}
