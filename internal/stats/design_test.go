package stats_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/internal/stats"
)

// The tables of methods.md §5.6, in points with one digit; α = 0.05, power 0.80.
func TestMDETable(t *testing.T) {
	order := []stats.PairedTest{stats.Exact, stats.MidP, stats.ExactLoss, stats.MidPLoss}
	for _, row := range []struct {
		base   float64
		nested bool
		want   [4]float64
	}{
		{.96, true, [4]float64{25.9, 22.1, 22.1, 18.2}},
		{.96, false, [4]float64{30.7, 27.3, 27.1, 23.6}},
		{28. / 29, false, [4]float64{30.1, 26.7, 26.6, 23.0}},
		{.90, false, [4]float64{35.4, 32.2, 31.1, 27.8}},
		{.80, false, [4]float64{38.7, 35.7, 34.2, 31.1}},
	} {
		for i, test := range order {
			got, ok := stats.Design{Base: row.base, Nested: row.nested, Test: test}.MDE(29)
			number(t, fmt.Sprintf("MDE at %.3f, nested %v, %s", row.base, row.nested, test), 100*got, ok, row.want[i], .0501)
		}
	}
	// The table rounds 5.446 at n = 100 twice, to 5.5; 1-Σ_{i<4} C(100,i)δ^i(1-δ)^(100-i)
	// is 0.8 at 5.446.
	for n, want := range map[int]float64{50: 10.8, 100: 5.446, 200: 2.7, 300: 1.8} {
		got, ok := stats.Design{Base: .96, Nested: true, Test: stats.MidPLoss}.MDE(n)
		number(t, fmt.Sprintf("nested MDE at n=%d", n), 100*got, ok, want, .0501)
	}
	for n, want := range map[int]float64{50: 20.5, 100: 12.5, 200: 7.9, 300: 6.1} {
		got, ok := stats.Design{Base: .96, Test: stats.Exact}.MDE(n)
		number(t, fmt.Sprintf("MDE at n=%d", n), 100*got, ok, want, .0501)
	}
}

func TestMDEIsWherePowerIsReached(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := stats.Design{
			Base: rapid.Float64Range(.5, 1).Draw(t, "base"), Power: rapid.Float64Range(.5, .95).Draw(t, "power"),
			Test: rapid.SampledFrom(pairedTests).Draw(t, "test"), Nested: rapid.Bool().Draw(t, "nested"),
		}
		n := rapid.IntRange(10, 120).Draw(t, "n")
		mde, ok := d.MDE(n)
		if !ok {
			if power, _ := d.PowerAt(n, d.Base); power >= d.Power {
				t.Fatalf("no MDE, but the largest drop has power %v", power)
			}
			return
		}
		at, _ := d.PowerAt(n, mde)
		below, _ := d.PowerAt(n, max(0, mde-1e-6))
		if at < d.Power || below >= d.Power {
			t.Fatalf("power is %v at the MDE %v and %v just below, want %v between", at, mde, below, d.Power)
		}
	})
}

func TestDesignUndefined(t *testing.T) {
	for name, d := range map[string]stats.Design{
		"no base": {}, "base in percent": {Base: 96}, "base NaN": {Base: math.NaN()}, "alpha": {Base: .9, Alpha: 5},
		"power": {Base: .9, Power: 80}, "test": {Base: .9, Test: 9}, "negative": {Base: .9, Alpha: -1},
	} {
		_, mde := d.MDE(29)
		_, power := d.PowerAt(29, .1)
		if mde || power {
			t.Errorf("%s is defined", name)
		}
	}
	good := stats.Design{Base: .9}
	for _, n := range []int{0, -1, 1 << 40} {
		_, mde := good.MDE(n)
		_, power := good.PowerAt(n, .1)
		if mde || power {
			t.Errorf("n = %d is defined", n)
		}
	}
	if _, ok := good.MDE(5); ok {
		t.Error("five items detect something two-sided at 0.05 with mid-p and base 0.9")
	}
	for _, drop := range []float64{-.1, .95, math.NaN()} {
		_, power := good.PowerAt(29, drop)
		if power {
			t.Errorf("a drop of %v is defined", drop)
		}
	}
}

// Exact tests never exceed their level. Mid-p does not at the discordances that agents
// show, up to 0.4.
func TestSizeOfPairedTests(t *testing.T) {
	for _, n := range []int{1, 10, 29, 50, 100} {
		for discordance := 0.0; discordance <= 1; discordance += .02 {
			for _, test := range pairedTests {
				got, ok := stats.RejectionRate(n, discordance/2, discordance/2, .05, test)
				exact := test == stats.Exact || test == stats.ExactLoss
				if !ok || exact && got > .05 || discordance <= .4 && test == stats.MidP && got >= .05 {
					t.Errorf("size of %s at n=%d, discordance %.2f is %v, %v", test, n, discordance, got, ok)
				}
			}
		}
	}
}

// The sum over the discordant pairs, against the sum over every table.
func TestRejectionRateByHand(t *testing.T) {
	for _, test := range pairedTests {
		const n, loss, gain = 12, .3, .1
		want := 0.0
		for b := range n + 1 {
			for c := range n + 1 - b {
				if p, _ := stats.McNemar(b, c, test); p <= .05 {
					ways := math.Gamma(n+1) / math.Gamma(float64(b)+1) / math.Gamma(float64(c)+1) / math.Gamma(float64(n-b-c)+1)
					want += ways * math.Pow(loss, float64(b)) * math.Pow(gain, float64(c)) * math.Pow(1-loss-gain, float64(n-b-c))
				}
			}
		}
		got, ok := stats.RejectionRate(n, loss, gain, .05, test)
		number(t, test.String(), got, ok, want, 1e-12)
	}
	for _, c := range []struct {
		n                 int
		loss, gain, alpha float64
		test              stats.PairedTest
	}{{-1, 0, 0, .05, 0}, {9, -.1, 0, .05, 0}, {9, .6, .6, .05, 0}, {9, math.NaN(), 0, .05, 0}, {9, .1, .1, 0, 0}, {9, .1, .1, .05, 9}, {1 << 40, .1, .1, .05, 0}} {
		if got, ok := stats.RejectionRate(c.n, c.loss, c.gain, c.alpha, c.test); ok {
			t.Errorf("RejectionRate(%+v) = %v, want undefined", c, got)
		}
	}
}

func BenchmarkMDE(b *testing.B) {
	for _, n := range []int{29, 500, 5000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				stats.Design{Base: .96}.MDE(n)
			}
		})
	}
}

func BenchmarkSignFlip(b *testing.B) {
	for _, factor := range []float64{1. / 3, math.Pi} {
		d := make([]float64, 500)
		for i := range d {
			d[i] = float64(i%7-3) * factor
		}
		b.Run(fmt.Sprintf("%.2f", factor), func(b *testing.B) {
			for b.Loop() {
				stats.SignFlipTest(d, stats.SignFlipOptions{Seed: 1})
			}
		})
	}
}
