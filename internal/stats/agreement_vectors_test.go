package stats_test

import (
	"math"
	"testing"

	"github.com/seed-5817661a/concur/internal/stats"
)

func TestKappa(t *testing.T) {
	for _, v := range vectors[[]struct {
		Matrix                [][]int
		Kappa, Quadratic, Ac1 float64
	}](t, "kappa") {
		c, ok := stats.Kappa(v.Matrix)
		if !ok {
			t.Errorf("%v has no kappa", v.Matrix)
		}
		pointer(t, "kappa", c.Kappa, v.Kappa, tenDigits)
		pointer(t, "quadratic", c.Quadratic, v.Quadratic, tenDigits)
		pointer(t, "AC1", c.AC1, v.Ac1, tenDigits)
	}
	for _, bad := range [][][]int{nil, {{3}}, {{0, 0}, {0, 0}}, {{1, 2}, {3}}, {{1, -1}, {2, 3}}} {
		if c, ok := stats.Kappa(bad); ok {
			t.Errorf("%v has a kappa: %+v", bad, c)
		}
	}
	if c, ok := stats.Kappa([][]int{{9, 0}, {0, 0}}); !ok || c.Kappa != nil || c.AC1 == nil || *c.AC1 != 1 {
		t.Errorf("one category alone: %+v, %v; want no kappa, and an AC1 of 1", c, ok)
	}
}

func TestAlpha(t *testing.T) {
	v := vectors[struct {
		Units   [][]float64
		Nominal float64
	}](t, "krippendorff")
	got, ok := stats.Alpha(v.Units)
	number(t, "alpha", got, ok, v.Nominal, tenDigits)
	for _, bad := range [][][]float64{nil, {{1}}, {{1}, {2}}, {{1, 1}, {1, 1}}} {
		if got, ok := stats.Alpha(bad); ok {
			t.Errorf("%v has an alpha of %v", bad, got)
		}
	}
}

func TestCorrectShare(t *testing.T) {
	for _, v := range vectors[[]struct {
		P             float64
		Spec          float64 `json:"spec_q0"`
		Sens          float64 `json:"sens_q1"`
		N             int
		M0, M1        float64
		Point         float64
		CI            [2]float64 `json:"ci95"`
		AdjustedPoint float64    `json:"adjusted_point"`
	}](t, "rogan_gladen") {
		rate, ci, ok := stats.CorrectShare(stats.Share{Rate: v.P, Size: float64(v.N), Critical: stats.NormalQuantile(.975)},
			stats.JudgeErrors{Sensitivity: v.Sens, Right: v.M1, Specificity: v.Spec, Wrong: v.M0})
		number(t, "rate", rate, ok, v.Point, tenDigits)
		interval(t, "its interval", ci, ok, v.CI, tenDigits)
	}
	if _, _, ok := stats.CorrectShare(stats.Share{Rate: .5, Size: 10, Critical: stats.NormalQuantile(.975)},
		stats.JudgeErrors{Sensitivity: .5, Right: 10, Specificity: .5, Wrong: 10}); ok {
		t.Error("a judge that is no better than chance corrects a rate")
	}
}

func TestPPI(t *testing.T) {
	v := vectors[struct {
		Y, F      []int
		N         int
		Passed    int `json:"f_pass"`
		Theta, SE float64
	}](t, "ppi")
	var labels []stats.Audited
	for i := range v.Y {
		labels = append(labels, stats.Audited{Judged: v.F[i] == 1, Right: v.Y[i] == 1})
	}
	got, ok := stats.PPI(labels, v.Passed, v.N)
	number(t, "PPI++", got.Value, ok, v.Theta, tenDigits)
	number(t, "its error", got.SE, ok, v.SE, fourDigits)

	// Labels on all items leave the variance of the labels alone, whatever the judge says.
	y := make([]float64, len(labels))
	for i := range labels {
		labels[i].Right, labels[i].Judged = i%3 > 0, i%2 == 0 || i > 6
		y[i] = float64(min(1, i%3))
	}
	passed := 0
	for _, l := range labels {
		if l.Judged {
			passed++
		}
	}
	all, ok := stats.PPI(labels, passed, len(labels))
	mean, se := 0.0, 0.0
	for _, v := range y {
		mean += v / float64(len(y))
	}
	for _, v := range y {
		se += (v - mean) * (v - mean) / float64(len(y)-1) / float64(len(y))
	}
	number(t, "PPI++ with labels on all", all.SE*all.SE+all.Overlap, ok, se, tenDigits)

	// docs/method.md §7.5, labels drawn with unequal chances.
	labels = nil
	for i, chance := range []float64{.5, .2, .5, .1, .4} {
		labels = append(labels, stats.Audited{Judged: i != 4, Right: i == 0 || i == 1 || i == 3, Chance: chance})
	}
	got, ok = stats.HorvitzThompson(labels, 36, 40)
	number(t, "Horvitz-Thompson", got.Value, ok, .85, tenDigits)
	number(t, "its error", got.SE, ok, .0353553, sixDigits)
}

func TestEffectiveVotes(t *testing.T) {
	one := []float64{1, 0, 0, 1, 1, 0, math.NaN(), 0}
	if got, ok := stats.EffectiveVotes([][]float64{one, one, one, one, one}); !ok || !near(got, 1, 1e-12) {
		t.Errorf("five copies of one judge are worth %v votes, %v", got, ok)
	}
	got, ok := stats.EffectiveVotes([][]float64{{1, 1, 0, 0}, {1, 0, 1, 0}, {1, 0, 0, 1}})
	number(t, "three independent series", got, ok, 3, 1e-12)
	if got, ok := stats.EffectiveVotes([][]float64{{1, 1}, {0, 1}}); ok {
		t.Errorf("a series that does not vary gives %v votes", got)
	}
}
