package stats_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/internal/stats"
)

var pairedTests = []stats.PairedTest{stats.MidP, stats.Exact}

func TestMcNemarVectors(t *testing.T) {
	for _, r := range vectors[[]struct {
		Loss      int     `json:"b_loss"`
		Gain      int     `json:"c_gain"`
		Exact     float64 `json:"exact_two"`
		MidP      float64 `json:"midp_two"`
		ExactLoss float64 `json:"exact_one_loss"`
		MidPLoss  float64 `json:"midp_one_loss"`
	}](t, "mcnemar") {
		want := []float64{r.MidP, r.Exact}
		for i, test := range pairedTests {
			got, ok := stats.McNemar(r.Loss, r.Gain, test)
			number(t, fmt.Sprintf("%s(%d, %d)", test, r.Loss, r.Gain), got, ok, want[i], tenDigits)
		}
		above, at := stats.LossTail(r.Loss, r.Gain)
		number(t, "exact, one-sided", above+at, true, r.ExactLoss, tenDigits)
		number(t, "mid-p, one-sided", above+at/2, true, r.MidPLoss, tenDigits)
	}
}

// A p-value that is a power of two is exactly that: 1/32 <= α = 1/32 holds.
func TestMcNemarIsExactInSmallCounts(t *testing.T) {
	for loss := 1; loss <= 60; loss++ {
		if got, _ := stats.McNemar(loss, 0, stats.Exact); got != math.Ldexp(1, 1-loss) {
			t.Errorf("%d losses: %v, want 2^-%d", loss, got, loss-1)
		}
	}
}

func TestMcNemarUndefined(t *testing.T) {
	for _, c := range []struct {
		loss, gain int
		test       stats.PairedTest
	}{{-1, 0, stats.MidP}, {0, -1, stats.Exact}, {math.MaxInt, math.MaxInt, stats.MidP}} {
		if got, ok := stats.McNemar(c.loss, c.gain, c.test); ok {
			t.Errorf("McNemar(%+v) = %v, want undefined", c, got)
		}
	}
}

func TestMcNemarProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		loss := rapid.IntRange(0, 3000).Draw(t, "loss")
		gain := rapid.IntRange(0, 3000).Draw(t, "gain")
		p := map[stats.PairedTest]float64{}
		for _, test := range pairedTests {
			got, ok := stats.McNemar(loss, gain, test)
			if !ok || !(0 <= got && got <= 1) {
				t.Fatalf("%s = %v, %v", test, got, ok)
			}
			p[test] = got
		}
		for _, test := range pairedTests {
			if back, _ := stats.McNemar(gain, loss, test); back != p[test] {
				t.Fatalf("%s is not symmetric: %v and %v", test, p[test], back)
			}
		}
		if p[stats.MidP] > p[stats.Exact] {
			t.Fatalf("mid-p above exact: %v", p)
		}
	})
}

func TestTangoVectors(t *testing.T) {
	for _, r := range vectors[[]struct {
		A, B, C, D       int
		Tango95, Tango90 [2]float64
	}](t, "paired_ci") {
		n := r.A + r.B + r.C + r.D
		got, ok := stats.Tango(n, r.B, r.C, 0.95)
		interval(t, fmt.Sprintf("Tango(%d, %d, %d, 0.95)", n, r.B, r.C), got, ok, r.Tango95, tenDigits)
		got, ok = stats.Tango(n, r.B, r.C, 0.90)
		interval(t, fmt.Sprintf("Tango(%d, %d, %d, 0.90)", n, r.B, r.C), got, ok, r.Tango90, tenDigits)
	}
}

func TestTangoEdges(t *testing.T) {
	got, ok := stats.Tango(0, 0, 0, 0.95)
	interval(t, "Tango of nothing", got, ok, [2]float64{-1, 1}, 0)
	if got, _ := stats.Tango(5, 5, 0, 0.95); got.Low != -1 || got.High >= 0 {
		t.Errorf("all lost: %v", got)
	}
	for _, c := range []struct {
		n, loss, gain int
		level         float64
	}{{3, 2, 2, .95}, {-1, 0, 0, .95}, {3, -1, 0, .95}, {3, 0, -1, .95}, {3, 1, 1, 1}, {3, math.MaxInt, math.MaxInt, .9}} {
		if got, ok := stats.Tango(c.n, c.loss, c.gain, c.level); ok {
			t.Errorf("Tango(%+v) = %v, want undefined", c, got)
		}
	}
}

func TestTangoProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 100_000).Draw(t, "n")
		loss := rapid.IntRange(0, n).Draw(t, "loss")
		gain := rapid.IntRange(0, n-loss).Draw(t, "gain")
		level := rapid.Float64Range(0.5, 0.999).Draw(t, "level")
		got, ok := stats.Tango(n, loss, gain, level)
		d := float64(gain-loss) / float64(n)
		if !ok || !(-1 <= got.Low && got.Low <= d && d <= got.High && got.High <= 1) {
			t.Fatalf("%v, %v is no interval around %v", got, ok, d)
		}
		mirror, _ := stats.Tango(n, gain, loss, level)
		if mirror.Low != -got.High || mirror.High != -got.Low {
			t.Fatalf("%v is not the mirror image of %v", mirror, got)
		}
		wide, _ := stats.Tango(n, loss, gain, (1+level)/2)
		if wide.Low > got.Low+1e-12 || wide.High < got.High-1e-12 {
			t.Fatalf("a higher level narrows %v to %v", got, wide)
		}
		if loss == 0 && gain == 0 {
			z := stats.NormalQuantile((1 + level) / 2)
			if want := z * z / (float64(n) + z*z); !near(got.High, want, 1e-9) {
				t.Fatalf("nothing changed: %v, want %v", got.High, want)
			}
		}
	})
}

func TestNewcombeVectors(t *testing.T) {
	r := vectors[struct {
		X1, N1, X2, N2 int
		CI             [2]float64
	}](t, "unpaired_newcombe")
	got, ok := stats.Newcombe(r.X1, r.N1, r.X2, r.N2, 0.95)
	interval(t, "Newcombe", got, ok, r.CI, tenDigits)
}

func TestNewcombeProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n1, n2 := rapid.IntRange(0, 5000).Draw(t, "n1"), rapid.IntRange(0, 5000).Draw(t, "n2")
		x1, x2 := rapid.IntRange(0, n1).Draw(t, "x1"), rapid.IntRange(0, n2).Draw(t, "x2")
		got, ok := stats.Newcombe(x1, n1, x2, n2, 0.95)
		if !ok || !(-1 <= got.Low && got.Low <= got.High && got.High <= 1) {
			t.Fatalf("%v, %v is no interval", got, ok)
		}
		if n1 == 0 || n2 == 0 {
			if got != (stats.Interval{Low: -1, High: 1}) {
				t.Fatalf("without trials: %v", got)
			}
			return
		}
		if d := float64(x2)/float64(n2) - float64(x1)/float64(n1); !got.Contains(d) {
			t.Fatalf("%v does not contain %v", got, d)
		}
		mirror, _ := stats.Newcombe(x2, n2, x1, n1, 0.95)
		if !near(mirror.Low, -got.High, 1e-12) || !near(mirror.High, -got.Low, 1e-12) {
			t.Fatalf("%v is not the mirror image of %v", mirror, got)
		}
	})
	if _, ok := stats.Newcombe(3, 2, 1, 2, .95); ok {
		t.Error("3 of 2 is defined")
	}
	if _, ok := stats.Newcombe(1, 2, 1, 2, 0); ok {
		t.Error("level 0 is defined")
	}
}
