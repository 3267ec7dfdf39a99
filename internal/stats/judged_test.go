package stats_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/internal/stats"
)

const judgedVectors = "testdata/judged_vectors.json" // each was computed in two ways

type errors struct{ Sens, Right, Spec, Wrong float64 }

func (e errors) of() stats.JudgeErrors {
	return stats.JudgeErrors{Sensitivity: e.Sens, Right: e.Right, Specificity: e.Spec, Wrong: e.Wrong}
}

func TestCorrectShareVectors(t *testing.T) {
	type in struct {
		errors
		Judged, Critical float64
		NEff             float64 `json:"n_eff"`
	}
	type out struct {
		Rate float64
		CI   [2]float64
	}
	vectorsOf(t, judgedVectors, "corrected_rate", func(t *testing.T, in in, want out) {
		rate, ci, ok := stats.CorrectShare(stats.Share{Rate: in.Judged, Size: in.NEff, Critical: in.Critical}, in.of())
		number(t, "rate", rate, ok, want.Rate, tenDigits)
		interval(t, "interval", ci, ok, want.CI, tenDigits)
	})
}

func TestCorrectDifferenceVectors(t *testing.T) {
	type in struct {
		errors
		Diff float64
		CI   [2]float64
	}
	type out struct {
		J    float64
		JCI  [2]float64 `json:"J_ci"`
		Diff *float64
		CI   *[2]float64
	}
	vectorsOf(t, judgedVectors, "judge_difference", func(t *testing.T, in in, want out) {
		number(t, "J", in.of().Slope(), true, want.J, tenDigits)
		d, ci, least, ok := stats.CorrectDifference(in.Diff, stats.Interval{Low: in.CI[0], High: in.CI[1]}, in.of(), 0.95)
		number(t, "lower end of J", least, true, want.JCI[0], tenDigits)
		if want.Diff == nil {
			if ok {
				t.Errorf("a judge that may be no better than chance corrects a difference: %v %v", d, ci)
			}
			return
		}
		number(t, "difference", d, ok, *want.Diff, tenDigits)
		interval(t, "interval", ci, ok, *want.CI, tenDigits)
	})
}

// A corrected difference has the sign of the judged one, its interval holds it, and holds 0 where the judged one does.
func TestCorrectDifferenceKeepsTheSign(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.Float64Range(-.5, .5).Draw(t, "d")
		ci := stats.Interval{Low: d - rapid.Float64Range(.001, .4).Draw(t, "below"), High: d + rapid.Float64Range(.001, .4).Draw(t, "above")}
		j := stats.JudgeErrors{
			Sensitivity: rapid.Float64Range(.5, 1).Draw(t, "sens"), Right: rapid.Float64Range(10, 300).Draw(t, "right"),
			Specificity: rapid.Float64Range(.3, 1).Draw(t, "spec"), Wrong: rapid.Float64Range(10, 300).Draw(t, "wrong"),
		}
		got, corrected, least, ok := stats.CorrectDifference(d, ci, j, 0.95)
		if !ok {
			if least > 0 {
				t.Fatalf("refused with a slope of %v at least", least)
			}
			return
		}
		if got*d < 0 || corrected.Low > got+1e-9 || corrected.High < got-1e-9 ||
			math.Abs(ci.Low) > 1e-6 && corrected.Low*ci.Low < 0 || math.Abs(ci.High) > 1e-6 && corrected.High*ci.High < 0 {
			t.Fatalf("%v %v becomes %v %v", d, ci, got, corrected)
		}
	})
}

func TestCorrectionsRefuse(t *testing.T) {
	ci := stats.Interval{Low: -.1, High: .1}
	for _, c := range []struct {
		what string
		errors
	}{
		{"chance", errors{.6, 100, .4, 100}}, {"worse than chance", errors{.4, 100, .4, 100}}, {"no right answers", errors{1, 0, 1, 10}},
		{"no wrong answers", errors{1, 10, 1, 0}}, {"a share above 1", errors{1.1, 10, 1, 10}}, {"no number", errors{math.NaN(), 10, 1, 10}},
	} {
		if _, _, ok := stats.CorrectShare(stats.Share{Rate: .5, Size: 50, Critical: 2}, c.of()); ok {
			t.Errorf("%s corrects a rate", c.what)
		}
		if _, _, _, ok := stats.CorrectDifference(0, ci, c.of(), .95); ok {
			t.Errorf("%s corrects a difference", c.what)
		}
	}
	good := errors{.9, 100, .9, 100}.of()
	for _, s := range []stats.Share{{Rate: 1.1, Size: 9, Critical: 2}, {Rate: .5, Size: 0, Critical: 2}, {Rate: .5, Size: 9}, {Rate: math.NaN(), Size: 9, Critical: 2}, {Rate: .5, Size: math.Inf(1), Critical: 2}} {
		if _, _, ok := stats.CorrectShare(s, good); ok {
			t.Errorf("%+v is corrected", s)
		}
	}
	for _, d := range []float64{.2, -.2, math.NaN()} {
		if _, _, _, ok := stats.CorrectDifference(d, ci, good, .95); ok {
			t.Errorf("%v outside its interval is corrected", d)
		}
	}
	if _, _, _, ok := stats.CorrectDifference(0, ci, good, 1); ok {
		t.Error("the level 1 is corrected")
	}
	for _, bad := range []struct {
		labels []stats.AuditedDifference
		judged []float64
	}{{nil, []float64{1}}, {make([]stats.AuditedDifference, 1), make([]float64, 5)}, {make([]stats.AuditedDifference, 6), make([]float64, 5)},
		{[]stats.AuditedDifference{{2, 0}, {0, 0}}, make([]float64, 5)}, {make([]stats.AuditedDifference, 3), []float64{0, 0, 3}}} {
		if _, ok := stats.PPIDifference(bad.labels, bad.judged); ok {
			t.Errorf("%+v has a difference", bad)
		}
	}
}

func TestPPIRateVectors(t *testing.T) {
	type in struct {
		Labels    [][2]int
		Passed, N int
	}
	type out struct {
		Rate float64
		CI   [2]float64
	}
	vectorsOf(t, judgedVectors, "ppi_rate", func(t *testing.T, in in, want out) {
		var labels []stats.Audited
		for _, l := range in.Labels {
			labels = append(labels, stats.Audited{Judged: l[0] == 1, Right: l[1] == 1, Chance: 1})
		}
		e, ok := stats.PPI(labels, in.Passed, in.N)
		number(t, "rate", e.Value, ok, want.Rate, tenDigits)
		interval(t, "interval", stats.CautiousInterval(e, labels, in.Passed, in.N, 0.95, 0, stats.PPI), ok, want.CI, tenDigits)
	})
}

func TestPPIDifferenceVectors(t *testing.T) {
	type in struct {
		Labels [][2]float64
		Judged []float64
	}
	type out struct{ Diff, SE float64 }
	vectorsOf(t, judgedVectors, "ppi_difference", func(t *testing.T, in in, want out) {
		var labels []stats.AuditedDifference
		for _, l := range in.Labels {
			labels = append(labels, stats.AuditedDifference{Judged: l[0], Right: l[1]})
		}
		e, ok := stats.PPIDifference(labels, in.Judged)
		number(t, "difference", e.Value, ok, want.Diff, tenDigits)
		number(t, "error", e.SE, ok, want.SE, tenDigits)
		ci, same, ok := stats.CautiousDifference(e, len(labels), 0.95, .05)
		if !ok || ci.Low >= e.Value || ci.High <= e.Value || ci.High-ci.Low <= 2*1.95*e.SE || !(same > 0 && same < 1) {
			t.Errorf("%v with the error %v: %v, %v", e.Value, e.SE, ci, same)
		}
	})
}

// Two one-sided tests agree with the interval of level 1 - 2p.
func TestCautiousDifferenceAgrees(t *testing.T) {
	e := stats.Estimate{Value: -.01, SE: .02}
	_, p, ok := stats.CautiousDifference(e, 80, .95, .05)
	if !ok || p <= 0 || p >= .5 {
		t.Fatal(p, ok)
	}
	ci, _, _ := stats.CautiousDifference(e, 80, 1-2*p, .05)
	number(t, "the lower end at the level of p", ci.Low, ok, -.05, tenDigits)
}

// Where a judge passes wrong answers, no rate falls below its floor, and what falls most is the mean less the floor.
func TestLawFloor(t *testing.T) {
	l, _ := stats.StatedLaw(.7, .25)
	d := stats.Design{Queries: 100, K: [2]float64{3, 3}, Level: .05}
	free, ok := l.SinglePower(d, .9)
	if !ok || free < .99 {
		t.Fatal(free, ok)
	}
	l.Floor = .65
	held, ok := l.SinglePower(d, .9)
	if !ok || held >= free {
		t.Errorf("a fall to the floor is found with power %v, one to 0 with %v", held, free)
	}
	l.Floor = 1
	if p, ok := l.SinglePower(d, .9); !ok || p > .026 {
		t.Errorf("a law that cannot fall: power %v, %v", p, ok)
	}
}
