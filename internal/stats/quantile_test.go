package stats_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/internal/stats"
)

func TestNormalQuantileValues(t *testing.T) {
	for _, c := range []struct{ p, z float64 }{
		{0.5, 0},
		{0.975, 1.959963984540054},
		{0.995, 2.575829303548901},
		{0.95, 1.644853626951472},
		{0.025, -1.959963984540054},
		{1e-10, -6.361340902404056},
		{1e-20, -9.262340089798408},
	} {
		number(t, fmt.Sprintf("NormalQuantile(%v)", c.p), stats.NormalQuantile(c.p), true, c.z, 1e-9)
	}
}

// Φ(z) = erfc(-z/√2)/2 is accurate in the lower tail, so it checks every
// branch of the approximation independently of its coefficients.
func TestNormalQuantileInvertsTheDistribution(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		exponent := rapid.Float64Range(-300, math.Log10(0.5)).Draw(t, "log10 p")
		p := math.Pow(10, exponent)
		z := stats.NormalQuantile(p)
		back := math.Erfc(-z/math.Sqrt2) / 2
		// d(log p)/dz grows with |z|, and so does the effect of a last-bit error.
		if math.Abs(back/p-1) > 1e-13*(1+z*z) {
			t.Fatalf("Φ(NormalQuantile(%g)) = %g (z = %v)", p, back, z)
		}
		if mirror := stats.NormalQuantile(1 - p); p > 1e-3 && !near(mirror, -z, 1e-12) {
			t.Fatalf("quantiles of %g and its mirror image differ: %v", p, z)
		}
	})
}
