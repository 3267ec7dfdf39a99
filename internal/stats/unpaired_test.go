package stats_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/internal/stats"
)

// The row of methods.md §5.6, in points with one digit.
func TestUnpairedMDETable(t *testing.T) {
	for base, want := range map[float64]float64{.96: 30.5, 28. / 29: 30.0, .90: 34.5, .80: 38.6} {
		got, ok := stats.UnpairedDesign{Base: base}.MDE(29, 29)
		number(t, fmt.Sprintf("MDE at %.3f", base), 100*got, ok, want, .0501)
	}
}

// Groups of unequal size: which of them is the baseline's matters. The figures come from
// the p-value of every table and a bisection of their own.
func TestUnpairedMDEOfUnequalGroups(t *testing.T) {
	for _, c := range []struct {
		n1, n2 int
		base   float64
	}{{9, 16, 1}, {16, 9, 1}, {9, 16, .9}, {16, 9, .9}} {
		power := func(drop float64) float64 {
			sum := 0.0
			for x1 := range c.n1 + 1 {
				for x2 := range c.n2 + 1 {
					if p, _ := stats.Fisher(x1, c.n1, x2, c.n2); p <= .05 {
						sum += binomial(x1, c.n1, c.base) * binomial(x2, c.n2, c.base-drop)
					}
				}
			}
			return sum
		}
		low, high := 0.0, c.base
		for high-low > 1e-9 {
			if mid := (low + high) / 2; power(mid) >= .8 {
				high = mid
			} else {
				low = mid
			}
		}
		got, ok := stats.UnpairedDesign{Base: c.base}.MDE(c.n1, c.n2)
		number(t, fmt.Sprintf("MDE of %+v", c), got, ok, high, 1e-8)
	}
	there, _ := stats.UnpairedDesign{Base: 1}.MDE(9, 16)
	back, _ := stats.UnpairedDesign{Base: 1}.MDE(16, 9)
	number(t, "MDE of 9 against 16", there, true, .5115563, 5e-8)
	number(t, "MDE of 16 against 9", back, true, .4176816, 5e-8)
}

// Power by the p-value of every table, one by one.
func TestUnpairedPowerByTables(t *testing.T) {
	for _, c := range []struct {
		n1, n2     int
		base, drop float64
	}{{29, 29, .96, .305}, {12, 31, .8, .4}, {31, 12, .8, .4}, {1, 5, .5, .5}, {40, 40, .9, 0}, {25, 25, 1, 1}} {
		want := 0.0
		for x1 := range c.n1 + 1 {
			for x2 := range c.n2 + 1 {
				if p, _ := stats.Fisher(x1, c.n1, x2, c.n2); p <= .05 {
					want += binomial(x1, c.n1, c.base) * binomial(x2, c.n2, c.base-c.drop)
				}
			}
		}
		got, ok := stats.UnpairedDesign{Base: c.base}.PowerAt(c.n1, c.n2, c.drop)
		number(t, fmt.Sprintf("power of %+v", c), got, ok, want, 1e-10)
	}
}

func TestUnpairedMDEIsWherePowerIsReached(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := stats.UnpairedDesign{Base: rapid.Float64Range(.3, 1).Draw(t, "base"), Power: rapid.Float64Range(.5, .95).Draw(t, "power")}
		n1, n2 := rapid.IntRange(2, 90).Draw(t, "n1"), rapid.IntRange(2, 90).Draw(t, "n2")
		mde, ok := d.MDE(n1, n2)
		if !ok {
			if power, _ := d.PowerAt(n1, n2, d.Base); power >= d.Power {
				t.Fatalf("no MDE, but the largest drop has power %v", power)
			}
			return
		}
		at, _ := d.PowerAt(n1, n2, mde)
		below, _ := d.PowerAt(n1, n2, max(0, mde-1e-6))
		if at < d.Power || below >= d.Power {
			t.Fatalf("power is %v at the MDE %v and %v just below, want %v between", at, mde, below, d.Power)
		}
	})
}

// The test never exceeds its level.
func TestSizeOfFisher(t *testing.T) {
	for _, n := range [][2]int{{29, 29}, {29, 60}, {100, 10}} {
		for base := .02; base <= 1; base += .02 {
			if got, ok := (stats.UnpairedDesign{Base: base}).PowerAt(n[0], n[1], 0); !ok || got > .05 {
				t.Errorf("size at %v, base %.2f is %v, %v", n, base, got, ok)
			}
		}
	}
}

func TestUnpairedUndefined(t *testing.T) {
	for name, d := range map[string]stats.UnpairedDesign{
		"no base": {}, "percent": {Base: 96}, "NaN": {Base: math.NaN()}, "alpha": {Base: .9, Alpha: 5}, "power": {Base: .9, Power: 80},
	} {
		_, mde := d.MDE(29, 29)
		_, power := d.PowerAt(29, 29, .1)
		if mde || power {
			t.Errorf("%s is defined", name)
		}
	}
	good := stats.UnpairedDesign{Base: .9}
	for _, n := range [][2]int{{0, 9}, {9, 0}, {-1, -1}, {2001, 2000}, {math.MaxInt, math.MaxInt}, {math.MaxInt, 2}} {
		_, mde := good.MDE(n[0], n[1])
		_, power := good.PowerAt(n[0], n[1], .1)
		if mde || power {
			t.Errorf("n = %v is defined", n)
		}
	}
	if _, ok := good.MDE(3, 3); ok {
		t.Error("three against three find something at 0.05")
	}
	for _, drop := range []float64{-.1, .95, math.NaN()} {
		if _, ok := good.PowerAt(29, 29, drop); ok {
			t.Errorf("a drop of %v is defined", drop)
		}
	}
	if _, ok := good.MDE(2000, 2000); !ok {
		t.Error("4,000,000 tables are too many")
	}
}

func BenchmarkUnpairedMDE(b *testing.B) {
	for _, n := range []int{29, 500, 2000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				stats.UnpairedDesign{Base: .96}.MDE(n, n)
			}
		})
	}
}
