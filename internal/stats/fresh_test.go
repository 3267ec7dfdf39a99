package stats_test

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/internal/stats"
)

func TestFreshItemVectors(t *testing.T) {
	for _, r := range vectors[[]struct {
		X int `json:"x_new"`
		K int
		H int `json:"x_hist"`
		M int
		P float64
	}](t, "fisher_one_sided_less") {
		got, ok := stats.FreshItem(r.X, r.K, r.H, r.M)
		number(t, fmt.Sprintf("FreshItem(%d, %d, %d, %d)", r.X, r.K, r.H, r.M), got, ok, r.P, tenDigits)
	}
}

// Whole numbers of ways to choose the k fresh traces.
func freshByCounts(x, k, h, m int) float64 {
	right := int64(x + h)
	sum := new(big.Int)
	for i := int64(0); i <= int64(x); i++ {
		sum.Add(sum, new(big.Int).Mul(new(big.Int).Binomial(right, i), waysToFail(int64(k+m)-right, int64(k)-i)))
	}
	p, _ := new(big.Rat).SetFrac(sum, new(big.Int).Binomial(int64(k+m), int64(k))).Float64()
	return p
}

func waysToFail(wrong, drawn int64) *big.Int {
	if drawn > wrong {
		return new(big.Int)
	}
	return new(big.Int).Binomial(wrong, drawn)
}

func TestFreshItemProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k, m := rapid.IntRange(0, 60).Draw(t, "k"), rapid.IntRange(0, 90).Draw(t, "m")
		h := rapid.IntRange(0, m).Draw(t, "h")
		least, _ := stats.FreshItem(0, k, h, m)
		last := 0.0
		for x := range k + 1 {
			p, ok := stats.FreshItem(x, k, h, m)
			if want := freshByCounts(x, k, h, m); !ok || !near(p, want, 1e-12) {
				t.Fatalf("%d of %d against %d of %d: %v, %v, want %v", x, k, h, m, p, ok, want)
			}
			one, _ := stats.Stratified([]stats.Stratum{{X: x, K: k, H: h, M: m}}, same)
			if !near(one.Below+one.At, p, 1e-12) {
				t.Fatalf("as a single stratum %v, alone %v", one.Below+one.At, p)
			}
			if p < last-1e-12 || p < least-1e-12 {
				t.Fatalf("%d right: p = %v after %v, least %v", x, p, last, least)
			}
			last = p
		}
		if last != 1 {
			t.Fatalf("all right: p = %v", last)
		}
	})
}

func TestFreshItemEdges(t *testing.T) {
	for _, c := range [][4]int{{0, 0, 0, 0}, {0, 0, 3, 9}, {0, 6, 0, 0}, {2, 6, 0, 0}, {0, 6, 0, 9}, {0, 10_000_000, 0, 0}} {
		if p, ok := stats.FreshItem(c[0], c[1], c[2], c[3]); !ok || p != 1 {
			t.Errorf("FreshItem(%v) = %v, %v, want 1", c, p, ok)
		}
	}
	for _, c := range [][4]int{{-1, 1, 0, 1}, {2, 1, 0, 1}, {0, 1, 2, 1}, {0, 1, -1, 1}, {0, -1, 0, 0}, {0, math.MaxInt, 0, 1}, {0, 1, 0, math.MaxInt}} {
		if p, ok := stats.FreshItem(c[0], c[1], c[2], c[3]); ok {
			t.Errorf("FreshItem(%v) = %v, want undefined", c, p)
		}
	}
}
