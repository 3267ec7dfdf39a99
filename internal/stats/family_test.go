package stats_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/internal/stats"
)

func TestHolmVectors(t *testing.T) {
	for _, r := range vectors[[]struct{ P, Holm []float64 }](t, "holm") {
		got, ok := stats.Holm(r.P)
		if !ok || len(got) != len(r.Holm) {
			t.Fatalf("Holm(%v) = %v, %v", r.P, got, ok)
		}
		for i := range got {
			number(t, fmt.Sprintf("Holm(%v)[%d]", r.P, i), got[i], ok, r.Holm[i], tenDigits)
		}
	}
	for _, p := range []float64{-0.1, 1.1, math.NaN()} {
		if got, ok := stats.Holm([]float64{0.5, p}); ok {
			t.Errorf("Holm with p = %v gives %v, want undefined", p, got)
		}
	}
}

func TestHolmProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SliceOfN(rapid.Float64Range(0, 1), 1, 20).Draw(t, "p")
		got, ok := stats.Holm(p)
		if !ok {
			t.Fatal("undefined")
		}
		for i := range p {
			if got[i] < p[i] || got[i] > 1 {
				t.Fatalf("p %v is adjusted to %v", p[i], got[i])
			}
			for j := range p {
				if p[i] < p[j] && got[i] > got[j] {
					t.Fatalf("the order of %v and %v turns: %v, %v", p[i], p[j], got[i], got[j])
				}
			}
		}
		smallest := minimum(p)
		if want := min(1, float64(len(p))*p[smallest]); got[smallest] != want {
			t.Fatalf("the smallest is adjusted to %v, want Bonferroni's %v", got[smallest], want)
		}
		// Another order of the family changes nothing but the order.
		order := rapid.Permutation(indices(len(p))).Draw(t, "order")
		moved := make([]float64, len(p))
		for i, from := range order {
			moved[i] = p[from]
		}
		again, _ := stats.Holm(moved)
		for i, from := range order {
			if again[i] != got[from] {
				t.Fatalf("p %v is adjusted to %v and, in another order, to %v", p[from], got[from], again[i])
			}
		}
	})
}

func indices(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func minimum(p []float64) int {
	at := 0
	for i := range p {
		if p[i] < p[at] {
			at = i
		}
	}
	return at
}
