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
		D    []string
		P    float64 `json:"one_sided_p"`
		MidP float64 `json:"mid_p"`
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
	got, ok := stats.SignFlipTest(d, stats.SignFlipOptions{})
	number(t, "loss", got.Loss, ok && got.Exact, r.P, tenDigits)
	number(t, "mid-p", got.LossMidP, ok, r.MidP, tenDigits)
}

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
		got, ok := stats.SignFlipTest(d, stats.SignFlipOptions{})
		if !ok || !got.Exact {
			t.Fatalf("%+v, %v", got, ok)
		}
		p := []float64{got.TwoSidedMidP, got.TwoSided, got.LossMidP, got.Loss}
		for i, test := range pairedTests {
			if want, _ := stats.McNemar(loss, gain, test); !near(p[i], want, 1e-9) {
				t.Fatalf("%s(%d, %d) = %v, sign flips give %v", test, loss, gain, want, p[i])
			}
		}
	})
}

// Counting by convolution, enumerating, and drawing answer the same question.
func TestSignFlipWaysAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.SliceOfN(rapid.Map(rapid.IntRange(-3, 3), func(i int) float64 { return float64(i) / 3 }), 0, 12).Draw(t, "d")
		whole, _ := stats.SignFlipTest(d, stats.SignFlipOptions{})
		// A factor without a small denominator sends the same differences to enumeration.
		scaled := make([]float64, len(d))
		for i, v := range d {
			scaled[i] = v * math.Pi
		}
		listed, _ := stats.SignFlipTest(scaled, stats.SignFlipOptions{})
		if !whole.Exact || !listed.Exact {
			t.Fatalf("not exact: %+v, %+v", whole, listed)
		}
		for _, pair := range [][2]float64{
			{whole.Loss, listed.Loss}, {whole.LossMidP, listed.LossMidP},
			{whole.TwoSided, listed.TwoSided}, {whole.TwoSidedMidP, listed.TwoSidedMidP},
		} {
			if !near(pair[0], pair[1], 1e-9) || pair[0] < 0 || pair[0] > 1 {
				t.Fatalf("convolution %+v, enumeration %+v", whole, listed)
			}
		}
	})
}

func TestSignFlipByDrawing(t *testing.T) {
	// 40 differences: as thirds they are counted, times π they are drawn.
	var d, scaled []float64
	for i := range 40 {
		v := float64(i%7-4) / 3
		d, scaled = append(d, v), append(scaled, v*math.Pi)
	}
	want, _ := stats.SignFlipTest(d, stats.SignFlipOptions{})
	got, ok := stats.SignFlipTest(scaled, stats.SignFlipOptions{Seed: 7})
	if !ok || got.Exact || got.Draws != stats.DefaultDraws {
		t.Fatalf("%+v, %v is not drawn", got, ok)
	}
	number(t, "loss", got.Loss, ok, want.Loss, 0.006)
	number(t, "loss mid-p", got.LossMidP, ok, want.LossMidP, 0.006)
	number(t, "two-sided", got.TwoSided, ok, want.TwoSided, 0.006)
	number(t, "two-sided mid-p", got.TwoSidedMidP, ok, want.TwoSidedMidP, 0.006)

	again, _ := stats.SignFlipTest(scaled, stats.SignFlipOptions{Seed: 7})
	other, _ := stats.SignFlipTest(scaled, stats.SignFlipOptions{Seed: 8})
	if again != got || other == got {
		t.Errorf("seed 7 gives %+v and %+v, seed 8 %+v", got, again, other)
	}
	few, _ := stats.SignFlipTest(scaled, stats.SignFlipOptions{Draws: 9})
	if few.Draws != 9 || few.Loss < 0.1 {
		t.Errorf("9 draws give %+v; p cannot be below 1/10", few)
	}
}

func TestSignFlipEdges(t *testing.T) {
	for _, d := range [][]float64{nil, {0}, {0, 0, 0}} {
		got, ok := stats.SignFlipTest(d, stats.SignFlipOptions{})
		if want := (stats.SignFlip{Loss: 1, LossMidP: .5, TwoSided: 1, TwoSidedMidP: 1, Exact: true}); !ok || got != want {
			t.Errorf("SignFlipTest(%v) = %+v, %v", d, got, ok)
		}
	}
	for _, d := range [][]float64{{math.NaN()}, {1, math.Inf(-1)}, {math.MaxFloat64, math.MaxFloat64}} {
		if got, ok := stats.SignFlipTest(d, stats.SignFlipOptions{}); ok {
			t.Errorf("SignFlipTest(%v) = %+v, want undefined", d, got)
		}
	}
	if _, ok := stats.SignFlipTest(nil, stats.SignFlipOptions{Draws: -1}); ok {
		t.Error("negative draws are defined")
	}
}
