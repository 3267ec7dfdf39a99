package stats_test

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/internal/stats"
)

func TestSignFlipVector(t *testing.T) {
	r := vectors[struct {
		D []string
		P float64 `json:"one_sided_p"`
	}](t, "sign_flip")
	var d []float64
	for _, s := range r.D {
		fraction, ok := new(big.Rat).SetString(s)
		if !ok {
			t.Fatalf("%q is no fraction", s)
		}
		v, _ := fraction.Float64()
		d = append(d, v)
	}
	got, ok := signFlip(d)
	number(t, "two-sided p", got, ok, 2*r.P, tenDigits)
}

// signFlip makes a draw, if it comes to one, useless.
func signFlip(d []float64) (float64, bool) { return stats.SignFlipTest(d, 1, 0) }

// On single outcomes the test is McNemar's.
func TestSignFlipOfSingleOutcomesIsMcNemar(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		loss, gain := rapid.IntRange(0, 60).Draw(t, "loss"), rapid.IntRange(0, 60).Draw(t, "gain")
		d := make([]float64, rapid.IntRange(0, 5).Draw(t, "unchanged"))
		for range loss {
			d = append(d, -1)
		}
		for range gain {
			d = append(d, 1)
		}
		got, ok := signFlip(d)
		want, _ := stats.McNemar(loss, gain, stats.Exact)
		if !ok || !near(got, want, 1e-9) {
			t.Fatalf("McNemar(%d, %d) = %v, sign flips give %v, %v", loss, gain, want, got, ok)
		}
	})
}

// The count of sums is that of all sign patterns, also of differences without a common fraction.
func TestSignFlipIsEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		units := rapid.SliceOfN(rapid.IntRange(-3, 3), 0, 12).Draw(t, "d")
		d, uneven := make([]float64, len(units)), make([]float64, len(units))
		for i, unit := range units {
			d[i] = float64(unit) / 3
			uneven[i] = d[i] + math.Sqrt(float64(i))*math.Pi
		}
		for _, d := range [][]float64{d, uneven} {
			if got, ok := signFlip(d); !ok || !near(got, enumerated(d), 1e-9) {
				t.Fatalf("%v: %v, %v, want %v", d, got, ok, enumerated(d))
			}
		}
	})
}

// enumerated is the share of sign patterns whose sum is as far from 0 as that of d.
func enumerated(d []float64) float64 {
	observed, hits := 0.0, 0.0
	for _, v := range d {
		observed += v
	}
	for pattern := range 1 << len(d) {
		sum := 0.0
		for i, v := range d {
			sum += v * float64(1-2*(pattern>>i&1))
		}
		if math.Abs(sum) >= math.Abs(observed)-1e-9 {
			hits++
		}
	}
	return hits / float64(int(1)<<len(d))
}

func TestSignFlipByDrawing(t *testing.T) {
	// 40 differences: as thirds they are counted, with a little more or less they are drawn.
	var d, scaled []float64
	for i := range 40 {
		v := float64(i%7-4) / 3
		d, scaled = append(d, v), append(scaled, v+1e-3*math.Sin(float64(i)))
	}
	want, _ := signFlip(d)
	got, ok := stats.SignFlipTest(scaled, 7, stats.DefaultDraws)
	number(t, "two-sided", got, ok && got != want, want, 0.006)

	again, _ := stats.SignFlipTest(scaled, 7, stats.DefaultDraws)
	other, _ := stats.SignFlipTest(scaled, 8, stats.DefaultDraws)
	if again != got || other == got {
		t.Errorf("seed 7 gives %v and %v, seed 8 %v", got, again, other)
	}
	if few, _ := stats.SignFlipTest(scaled, 7, 9); few < 0.1 {
		t.Errorf("9 draws give %v; p cannot be below 1/10", few)
	}
}

func TestSignFlipEdges(t *testing.T) {
	for _, d := range [][]float64{nil, {0}, {0, 0, 0}} {
		if got, ok := signFlip(d); !ok || got != 1 {
			t.Errorf("SignFlipTest(%v) = %v, %v", d, got, ok)
		}
	}
	for _, d := range [][]float64{{math.NaN()}, {1, math.Inf(-1)}, {math.MaxFloat64, math.MaxFloat64}} {
		if got, ok := signFlip(d); ok {
			t.Errorf("SignFlipTest(%v) = %v, want undefined", d, got)
		}
	}
	if _, ok := stats.SignFlipTest(nil, 1, -1); ok {
		t.Error("negative draws are defined")
	}
}
