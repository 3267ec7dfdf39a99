package stats_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/internal/stats"
)

// The drops that 29 against 29 other queries show, in points with one digit (docs/method.md §5.6).
func TestUnpairedMDETable(t *testing.T) {
	for base, want := range map[float64]float64{.96: 30.5, 28. / 29: 30.0, .90: 34.5, .80: 38.6} {
		got, ok := stats.UnpairedMDE(29, 29, base, .05)
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
		got, ok := stats.UnpairedMDE(c.n1, c.n2, c.base, .05)
		number(t, fmt.Sprintf("MDE of %+v", c), got, ok, high, 1e-8)
	}
	there, _ := stats.UnpairedMDE(9, 16, 1, .05)
	back, _ := stats.UnpairedMDE(16, 9, 1, .05)
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
		got := stats.UnpairedPowerAt(c.n1, c.n2, c.base, .05, c.drop)
		number(t, fmt.Sprintf("power of %+v", c), got, true, want, 1e-10)
	}
}

func TestUnpairedMDEIsWherePowerIsReached(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base, alpha := rapid.Float64Range(.3, 1).Draw(t, "base"), rapid.Float64Range(.005, .2).Draw(t, "alpha")
		n1, n2 := rapid.IntRange(2, 90).Draw(t, "n1"), rapid.IntRange(2, 90).Draw(t, "n2")
		mde, ok := stats.UnpairedMDE(n1, n2, base, alpha)
		if !ok {
			if power := stats.UnpairedPowerAt(n1, n2, base, alpha, base); power >= .8 {
				t.Fatalf("no MDE, but the largest drop has power %v", power)
			}
			return
		}
		at, below := stats.UnpairedPowerAt(n1, n2, base, alpha, mde), stats.UnpairedPowerAt(n1, n2, base, alpha, max(0, mde-1e-6))
		if at < .8 || below >= .8 {
			t.Fatalf("power is %v at the MDE %v and %v just below", at, mde, below)
		}
	})
}

// The test never exceeds its level.
func TestSizeOfFisher(t *testing.T) {
	for _, n := range [][2]int{{29, 29}, {29, 60}, {100, 10}} {
		for base := .02; base <= 1; base += .02 {
			if got := stats.UnpairedPowerAt(n[0], n[1], base, .05, 0); got > .05 {
				t.Errorf("size at %v, base %.2f is %v", n, base, got)
			}
		}
	}
}

func TestUnpairedUndefined(t *testing.T) {
	for _, c := range []struct {
		n1, n2      int
		base, alpha float64
	}{
		{29, 29, 0, .05}, {29, 29, 96, .05}, {29, 29, math.NaN(), .05}, {29, 29, .9, 5}, {0, 9, .9, .05}, {9, 0, .9, .05},
		{-1, -1, .9, .05}, {2001, 2000, .9, .05}, {math.MaxInt, math.MaxInt, .9, .05}, {math.MaxInt, 2, .9, .05},
		{3, 3, .9, .05}, // three against three find nothing
	} {
		if got, ok := stats.UnpairedMDE(c.n1, c.n2, c.base, c.alpha); ok {
			t.Errorf("UnpairedMDE(%+v) = %v, want undefined", c, got)
		}
	}
	if _, ok := stats.UnpairedMDE(2000, 2000, .9, .05); !ok {
		t.Error("4,000,000 tables are too many")
	}
}

func BenchmarkUnpairedMDE(b *testing.B) {
	for _, n := range []int{29, 500, 2000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				stats.UnpairedMDE(n, n, .96, .05)
			}
		})
	}
}
