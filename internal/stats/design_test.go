package stats_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/internal/stats"
)

// The table of docs/statistics.md#what-29-queries-can-show, in points with one digit; α = 0.05, power 0.80.
func TestMDETable(t *testing.T) {
	for base, want := range map[float64]float64{.96: 27.3, 28. / 29: 26.7, .90: 32.2, .80: 35.7} {
		got, ok := stats.MDE(29, base, .05)
		number(t, fmt.Sprintf("MDE at %.3f", base), 100*got, ok, want, .0501)
	}
}

func TestMDEIsWherePowerIsReached(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base, alpha := rapid.Float64Range(.5, 1).Draw(t, "base"), rapid.Float64Range(.005, .2).Draw(t, "alpha")
		n := rapid.IntRange(10, 120).Draw(t, "n")
		mde, ok := stats.MDE(n, base, alpha)
		if !ok {
			if power := stats.PowerAt(n, base, alpha, base); power >= .8 {
				t.Fatalf("no MDE, but the largest drop has power %v", power)
			}
			return
		}
		at, below := stats.PowerAt(n, base, alpha, mde), stats.PowerAt(n, base, alpha, max(0, mde-1e-6))
		if at < .8 || below >= .8 {
			t.Fatalf("power is %v at the MDE %v and %v just below", at, mde, below)
		}
	})
}

func TestMDEUndefined(t *testing.T) {
	for _, c := range []struct {
		n           int
		base, alpha float64
	}{
		{29, 0, .05}, {29, 96, .05}, {29, math.NaN(), .05}, {29, .9, 5}, {29, .9, -1}, {29, .9, 0},
		{0, .9, .05}, {-1, .9, .05}, {1 << 40, .9, .05},
		{5, .9, .05}, // five items detect nothing
	} {
		if got, ok := stats.MDE(c.n, c.base, c.alpha); ok {
			t.Errorf("MDE(%+v) = %v, want undefined", c, got)
		}
	}
}

// Mid-p does not exceed its level at the discordances that agents show, up to 0.4.
func TestSizeOfMidP(t *testing.T) {
	for _, n := range []int{1, 10, 29, 50, 100} {
		for discordance := 0.0; discordance <= .4; discordance += .02 {
			if got := stats.RejectionRate(n, discordance/2, discordance/2, .05); got >= .05 {
				t.Errorf("size at n=%d, discordance %.2f is %v", n, discordance, got)
			}
		}
	}
}

// The sum over the discordant pairs, against the sum over every table.
func TestRejectionRateByHand(t *testing.T) {
	const n, loss, gain = 12, .3, .1
	want := 0.0
	for b := range n + 1 {
		for c := range n + 1 - b {
			if p, _ := stats.McNemar(b, c, stats.MidP); p <= .05 {
				ways := math.Gamma(n+1) / math.Gamma(float64(b)+1) / math.Gamma(float64(c)+1) / math.Gamma(float64(n-b-c)+1)
				want += ways * math.Pow(loss, float64(b)) * math.Pow(gain, float64(c)) * math.Pow(1-loss-gain, float64(n-b-c))
			}
		}
	}
	number(t, "rejections", stats.RejectionRate(n, loss, gain, .05), true, want, 1e-12)
}

func BenchmarkMDE(b *testing.B) {
	for _, n := range []int{29, 500, 5000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				stats.MDE(n, .96, .05)
			}
		})
	}
}

func BenchmarkSignFlip(b *testing.B) {
	for name, of := range map[string]func(i int) float64{
		"K=3": func(i int) float64 { return float64(i%7-3) / 3 },
		"K=7": func(i int) float64 { return float64(i%15-7) / 7 },
		// Traces that were lost leave K of 4 to 7.
		"uneven":  func(i int) float64 { return float64(i%5)/float64(4+i%4) - float64(i%3)/float64(4+i/4%4) },
		"no unit": func(i int) float64 { return float64(i%7-3) * math.Pi },
	} {
		d := make([]float64, 10_000)
		for i := range d {
			d[i] = of(i)
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				stats.SignFlipTest(d, 1, stats.DefaultDraws)
			}
		})
	}
}
