package stats_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/internal/stats"
)

func TestWilsonVectors(t *testing.T) {
	rows := vectors[[]struct {
		X      int        `json:"x"`
		N      int        `json:"n"`
		Level  float64    `json:"conf"`
		Wilson [2]float64 `json:"wilson"`
	}](t, "binomial_ci")
	if len(rows) != 10 {
		t.Fatalf("read %d vectors, want 10", len(rows))
	}
	for _, r := range rows {
		got, ok := stats.WilsonInterval(r.X, r.N, r.Level)
		interval(t, fmt.Sprintf("Wilson(%d, %d)", r.X, r.N), got, ok, r.Wilson, tenDigits)
	}
}

// The interval of docs/method.md §5.2, to four digits.
func TestWilsonTable(t *testing.T) {
	for _, c := range []struct {
		x, n      int
		low, high float64
	}{
		{27, 29, .7804, .9809},
		{28, 29, .8282, .9939},
		{29, 29, .8830, 1},
		{26, 29, .7361, .9642},
		{0, 29, 0, .1170},
		{1, 1, .2065, 1},
		{270, 290, .8959, .9549},
		{2700, 2900, .9212, .9397},
	} {
		low, high := stats.Wilson(c.x, c.n, 0.95)
		if !near(low, c.low, 5e-5) || !near(high, c.high, 5e-5) {
			t.Errorf("Wilson(%d, %d) = %.4f, %.4f, want %.4f, %.4f", c.x, c.n, low, high, c.low, c.high)
		}
	}
}

func TestWilsonWithoutTrials(t *testing.T) {
	if low, high := stats.Wilson(0, 0, 0.95); low != 0 || high != 1 {
		t.Errorf("Wilson(0, 0) = %v, %v, want 0, 1", low, high)
	}
}

func TestWilsonUndefined(t *testing.T) {
	for _, c := range []struct {
		name  string
		x, n  int
		level float64
	}{
		{"more successes than trials", 3, 2, .95},
		{"negative successes", -1, 2, .95},
		{"negative trials", 0, -1, .95},
		{"level 0", 1, 2, 0},
		{"level 1", 1, 2, 1},
		{"level in percent", 1, 2, 95},
		{"level NaN", 1, 2, math.NaN()},
	} {
		if got, ok := stats.WilsonInterval(c.x, c.n, c.level); ok {
			t.Errorf("%s: got %v, want undefined", c.name, got)
		}
		if low, high := stats.Wilson(c.x, c.n, c.level); low != 0 || high != 1 {
			t.Errorf("%s: got %v, %v, want 0, 1, which claims nothing", c.name, low, high)
		}
	}
}

func TestWilsonProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 1_000_000).Draw(t, "n")
		x := rapid.IntRange(0, n).Draw(t, "x")
		level := rapid.Float64Range(0.001, 0.9999999).Draw(t, "level")
		low, high := stats.Wilson(x, n, level)

		if !(0 <= low && low <= high && high <= 1) {
			t.Fatalf("[%v, %v] is no interval within [0, 1]", low, high)
		}
		if p := float64(x) / float64(n); p < low || p > high {
			t.Fatalf("[%v, %v] does not contain %v", low, high, p)
		}
		if x == 0 && low != 0 || x == n && high != 1 {
			t.Fatalf("[%v, %v] is not closed at the end that was seen", low, high)
		}
		mirrorLow, mirrorHigh := stats.Wilson(n-x, n, level)
		if !near(mirrorLow, 1-high, 1e-12) || !near(mirrorHigh, 1-low, 1e-12) {
			t.Fatalf("[%v, %v] is not the mirror image of [%v, %v]", mirrorLow, mirrorHigh, low, high)
		}
		wideLow, wideHigh := stats.Wilson(x, n, level+(1-level)/2)
		if wideLow > low || wideHigh < high {
			t.Fatalf("a higher level narrows [%v, %v] to [%v, %v]", low, high, wideLow, wideHigh)
		}
	})
}
