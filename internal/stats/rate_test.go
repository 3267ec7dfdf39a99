package stats_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/internal/stats"
)

func TestClopperPearsonVectors(t *testing.T) {
	for _, r := range vectors[[]struct {
		X, N int
		Conf float64
		CP   [2]float64 `json:"clopper_pearson"`
	}](t, "binomial_ci") {
		got, ok := stats.ClopperPearson(r.X, r.N, r.Conf)
		interval(t, fmt.Sprintf("ClopperPearson(%d, %d)", r.X, r.N), got, ok, r.CP, tenDigits)
	}
}

func TestOneSidedBoundsVectors(t *testing.T) {
	for _, r := range vectors[[]struct {
		X, N    int
		Lower95 float64
	}](t, "cp_one_sided") {
		got, ok := stats.ClopperPearsonLower(r.X, r.N, 0.95)
		number(t, fmt.Sprintf("ClopperPearsonLower(%d, %d)", r.X, r.N), got, ok, r.Lower95, tenDigits)
	}
	for _, r := range vectors[[]struct {
		N     int
		Upper float64
	}](t, "zero_failures_upper95") {
		got, ok := stats.ClopperPearsonUpper(0, r.N, 0.95)
		number(t, fmt.Sprintf("ClopperPearsonUpper(0, %d)", r.N), got, ok, r.Upper, tenDigits)
	}
}

func TestClopperPearsonEdges(t *testing.T) {
	got, ok := stats.ClopperPearson(0, 0, 0.95)
	interval(t, "ClopperPearson(0, 0)", got, ok, [2]float64{0, 1}, 0)
	got, ok = stats.ClopperPearson(29, 29, 0.95)
	interval(t, "ClopperPearson(29, 29)", got, ok, [2]float64{math.Pow(0.025, 1./29), 1}, 1e-12)
	for _, c := range []struct {
		x, n  int
		level float64
	}{{3, 2, .95}, {-1, 2, .95}, {0, -1, .95}, {1, 2, 95}, {1, 2, 0}, {1, 2, math.NaN()}, {1, 1 << 40, .95}} {
		if got, ok := stats.ClopperPearson(c.x, c.n, c.level); ok {
			t.Errorf("ClopperPearson(%+v) = %v, want undefined", c, got)
		}
		_, low := stats.ClopperPearsonLower(c.x, c.n, c.level)
		_, high := stats.ClopperPearsonUpper(c.x, c.n, c.level)
		if low || high {
			t.Errorf("a bound of %+v is defined", c)
		}
	}
}

func TestClopperPearsonProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 100_000).Draw(t, "n")
		x := rapid.IntRange(0, n).Draw(t, "x")
		level := rapid.Float64Range(0.5, 0.9999).Draw(t, "level")
		got, ok := stats.ClopperPearson(x, n, level)
		if !ok || !(0 <= got.Low && got.Low <= got.High && got.High <= 1) || !got.Contains(float64(x)/float64(n)) {
			t.Fatalf("%v, %v is no interval around %d/%d", got, ok, x, n)
		}
		mirror, _ := stats.ClopperPearson(n-x, n, level)
		if !near(mirror.Low, 1-got.High, 1e-12) || !near(mirror.High, 1-got.Low, 1e-12) {
			t.Fatalf("%v is not the mirror image of %v", mirror, got)
		}
		low, _ := stats.ClopperPearsonLower(x, n, (1+level)/2)
		high, _ := stats.ClopperPearsonUpper(x, n, (1+level)/2)
		if !near(low, got.Low, 1e-9) || !near(high, got.High, 1e-9) {
			t.Fatalf("one-sided %v, %v differ from %v", low, high, got)
		}
	})
}

// Exact intervals cover at least their level, at every rate; score intervals do not.
func TestExactCoverage(t *testing.T) {
	wilson := func(x, n int) (stats.Interval, bool) { return stats.WilsonInterval(x, n, 0.95) }
	exact := func(x, n int) (stats.Interval, bool) { return stats.ClopperPearson(x, n, 0.95) }
	for _, c := range []struct{ p, wilson, exact float64 }{
		{.96, .973, .995}, {.98, .980, -1}, {.99, .966, -1}, {.88, .924, -1},
	} {
		got, ok := stats.CoverageAt(29, c.p, wilson)
		number(t, fmt.Sprintf("coverage of Wilson at %v", c.p), got, ok, c.wilson, 5.1e-4)
		if c.exact > 0 {
			got, ok = stats.CoverageAt(29, c.p, exact)
			number(t, fmt.Sprintf("coverage of Clopper-Pearson at %v", c.p), got, ok, c.exact, 5.1e-4)
		}
	}
	got, ok := stats.CoverageAt(300, .96, wilson)
	number(t, "coverage of Wilson at n=300", got, ok, .947, 5.1e-4)
	for _, n := range []int{1, 2, 5, 29, 100} {
		intervals := make([]stats.Interval, n+1)
		for x := range intervals {
			intervals[x], _ = exact(x, n)
		}
		listed := func(x, _ int) (stats.Interval, bool) { return intervals[x], true }
		for p := 0.0; p <= 1; p += 1. / 128 {
			if got, ok := stats.CoverageAt(n, p, listed); !ok || got < 0.95-1e-9 {
				t.Errorf("Clopper-Pearson covers %v at n=%d, p=%v", got, n, p)
			}
		}
	}
}

func TestCoverageUndefined(t *testing.T) {
	never := func(int, int) (stats.Interval, bool) { return stats.Interval{}, false }
	always := func(int, int) (stats.Interval, bool) { return stats.Interval{Low: 0, High: 1}, true }
	if got, ok := stats.CoverageAt(0, 0.5, always); !ok || got != 1 {
		t.Errorf("coverage of everything = %v, %v", got, ok)
	}
	for _, c := range []struct {
		n  int
		p  float64
		in func(int, int) (stats.Interval, bool)
	}{{-1, .5, always}, {3, math.NaN(), always}, {3, 1.5, always}, {1 << 40, .5, always}, {3, .5, never}} {
		if got, ok := stats.CoverageAt(c.n, c.p, c.in); ok {
			t.Errorf("CoverageAt(%d, %v) = %v, want undefined", c.n, c.p, got)
		}
	}
}

func TestEffectiveIntervalVectors(t *testing.T) {
	for _, r := range vectors[[]struct {
		Mean, SE float64
		Wilson   [2]float64
	}](t, "effective_n_interval") {
		got, ok := stats.EffectiveInterval(r.Mean, r.SE, 12, 0.95)
		interval(t, "Wilson", got, ok, r.Wilson, tenDigits)
	}
}

func TestEffectiveIntervalWithoutSpread(t *testing.T) {
	for _, c := range []struct{ mean, se float64 }{{1, 0}, {0, 0}, {.5, 0}, {1, .1}, {.5, 1e-200}} {
		got, ok := stats.EffectiveInterval(c.mean, c.se, 20, 0.95)
		low, high := stats.Wilson(20*c.mean, 20, 0.95)
		interval(t, fmt.Sprintf("20 units of %+v", c), got, ok, [2]float64{low, high}, 0)
	}
	whole, _ := stats.EffectiveInterval(1, 0, 29, 0.95)
	want, _ := stats.WilsonInterval(29, 29, 0.95)
	if whole != want {
		t.Errorf("29/29 by effective size: %v, want %v", whole, want)
	}
	for _, c := range []struct {
		mean, se float64
		units    int
		level    float64
	}{
		{-.1, .1, 9, .95}, {1.1, .1, 9, .95}, {math.NaN(), .1, 9, .95}, {.5, -1, 9, .95}, {.5, math.NaN(), 9, .95},
		{.5, math.Inf(1), 9, .95}, {.5, .1, 0, .95}, {.5, .1, 9, 1}, {.5, 1e-9, 9, .95}, {.5, 1e200, 9, .95},
	} {
		if got, ok := stats.EffectiveInterval(c.mean, c.se, c.units, c.level); ok {
			t.Errorf("EffectiveInterval(%+v) = %v, want undefined", c, got)
		}
	}
}

// For plain 0/1 outcomes with the binomial variance the effective size is n.
func TestEffectiveIntervalReduceToTheBinomial(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 5000).Draw(t, "n")
		x := rapid.IntRange(1, n-1).Draw(t, "x")
		p := float64(x) / float64(n)
		got, ok := stats.EffectiveInterval(p, math.Sqrt(p*(1-p)/float64(n)), n, 0.95)
		want, _ := stats.WilsonInterval(x, n, 0.95)
		if !ok || !near(got.Low, want.Low, 1e-9) || !near(got.High, want.High, 1e-9) {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}
