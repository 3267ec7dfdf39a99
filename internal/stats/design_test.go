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

func TestDesignItems(t *testing.T) {
	for _, c := range []struct{ base, drop float64 }{{.96, .27}, {.96, .1}, {.9, .05}, {1, .2}} {
		d := stats.Design{Base: c.base}
		n, ok := d.Items(c.drop, 5000)
		if !ok {
			t.Errorf("no number of items for %+v", c)
			continue
		}
		at, _ := d.PowerAt(n, c.drop)
		below, _ := d.PowerAt(n-1, c.drop)
		if at < .8 || below >= .8 {
			t.Errorf("%+v: power %v with %d items and %v with one fewer", c, at, n, below)
		}
	}
	if n, ok := (stats.Design{Base: .96}).Items(.01, 100); ok {
		t.Errorf("%d items show a drop of one point", n)
	}
}

func TestDesignUndefined(t *testing.T) {
	for name, d := range map[string]stats.Design{
		"no base": {}, "base in percent": {Base: 96}, "base NaN": {Base: math.NaN()}, "alpha": {Base: .9, Alpha: 5},
		"power": {Base: .9, Power: 80}, "test": {Base: .9, Test: 9}, "negative": {Base: .9, Alpha: -1},
	} {
		_, mde := d.MDE(29)
		_, power := d.PowerAt(29, .1)
		_, items := d.Items(.1, 100)
		if mde || power || items {
			t.Errorf("%s is defined", name)
		}
	}
	good := stats.Design{Base: .9}
	for _, n := range []int{0, -1, 1 << 40} {
		_, mde := good.MDE(n)
		_, power := good.PowerAt(n, .1)
		_, items := good.Items(.1, n)
		if mde || power || items {
			t.Errorf("n = %d is defined", n)
		}
	}
	if _, ok := good.MDE(5); ok {
		t.Error("five items detect something two-sided at 0.05 with mid-p and base 0.9")
	}
	for _, drop := range []float64{-.1, .95, math.NaN()} {
		_, power := good.PowerAt(29, drop)
		_, items := good.Items(drop, 100)
		if power || items {
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

// Miller's examples, as methods.md §5.3 prints them.
func TestMeans(t *testing.T) {
	n, ok := stats.Means{BetweenVariance: 1. / 9, BaseTraces: 1, NewTraces: 1}.Items(.03)
	if !ok || n != 969 {
		t.Errorf("Items(0.03) = %d, %v, want 969", n, ok)
	}
	for _, c := range []struct {
		n, k int
		want float64
	}{{198, 1, 13.3}, {198, 10, 7.6}, {29, 1, 34.7}, {29, 3, 24.5}, {29, 10, 19.8}} {
		m := stats.Means{BetweenVariance: 1. / 9, BaseVariance: 1. / 6, NewVariance: 1. / 6, BaseTraces: c.k, NewTraces: c.k}
		got, ok := m.MDE(c.n)
		number(t, fmt.Sprintf("MDE(%d), K=%d", c.n, c.k), 100*got, ok, c.want, .0501)
		if back, ok := m.Items(got); !ok || back != c.n {
			t.Errorf("Items(MDE(%d)) = %d, %v", c.n, back, ok)
		}
	}
	good := stats.Means{BetweenVariance: 1, BaseTraces: 1, NewTraces: 1}
	if _, ok := good.MDE(0); ok {
		t.Error("no items have an MDE")
	}
	if n, ok := good.Items(1e-200); ok {
		t.Errorf("%d items for next to nothing", n)
	}
	for name, m := range map[string]stats.Means{
		"no traces": {BetweenVariance: 1}, "negative": {BetweenVariance: -1, BaseTraces: 1, NewTraces: 1},
		"NaN": {NewVariance: math.NaN(), BaseTraces: 1, NewTraces: 1}, "power": {Power: 80, BaseTraces: 1, NewTraces: 1},
	} {
		_, items := m.Items(.1)
		_, mde := m.MDE(29)
		if items || mde {
			t.Errorf("%s is defined", name)
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

func BenchmarkKCurve(b *testing.B) {
	items := make([]stats.Item, 100)
	for i := range items {
		items[i] = stats.Item{Classes: []stats.Class{{Votes: 20, Correct: true}, {Votes: 10}, {Votes: 5}, {Votes: 1}, {Votes: 1}}, Empty: 3}
	}
	for b.Loop() {
		stats.KCurve(items, 40, stats.Vote{})
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
