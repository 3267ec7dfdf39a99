package stats_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/internal/stats"
)

type iccVector struct {
	Counts        map[int]int `json:"counts_success_of_4"`
	N, K          int
	MSB, MSW, ICC float64
}

// successes lists the items by their successes of K.
func (v iccVector) successes() []int {
	var out []int
	for c := 0; c <= v.K; c++ {
		for range v.Counts[c] {
			out = append(out, c)
		}
	}
	return out
}

func TestICCVector(t *testing.T) {
	r := vectors[iccVector](t, "icc")
	var scores [][]float64
	for _, c := range r.successes() {
		traces := make([]float64, r.K)
		for i := range c {
			traces[i] = 1
		}
		scores = append(scores, traces)
	}
	got, ok := stats.ICC(scores)
	number(t, "ICC", got, ok, r.ICC, fourDigits)
}

func TestICCEdges(t *testing.T) {
	for name, scores := range map[string][][]float64{
		"nothing": nil, "one item": {{0, 1}}, "one trace": {{0}, {1}}, "ragged": {{0, 1}, {1}},
		"no spread": {{.1, .1, .1}, {.1, .1, .1}}, "NaN": {{0, math.NaN()}, {1, 1}}, "infinite": {{0, 1}, {math.Inf(1), 1}},
		"overflow": {{math.MaxFloat64, 0}, {0, math.MaxFloat64}},
	} {
		if got, ok := stats.ICC(scores); ok {
			t.Errorf("%s: ICC %+v, want undefined", name, got)
		}
	}
	got, ok := stats.ICC([][]float64{{1, 0}, {0, 1}, {1, 0}})
	number(t, "ICC of items that are alike", got, ok, -1, 1e-12)
	got, ok = stats.ICC([][]float64{{.1, .1, .1}, {.7, .7, .7}})
	number(t, "ICC of traces that are alike", got, ok, 1, 0)
}

// graded makes n answers of one confidence, right of them correct.
func graded(confidence float64, right, wrong int) []stats.Graded {
	var out []stats.Graded
	for range right {
		out = append(out, stats.Graded{Confidence: confidence, Correct: true})
	}
	for range wrong {
		out = append(out, stats.Graded{Confidence: confidence})
	}
	return out
}

func TestCalibrationVector(t *testing.T) {
	r := vectors[struct {
		Acc, ECE, Brier, Rel, Res, Unc, AUROC, AURC float64
		Oracle                                      float64 `json:"oracle_aurc"`
		Excess                                      float64 `json:"e_aurc"`
		AUGRC                                       float64
	}](t, "calibration")
	answers := append(append(graded(1, 6, 1), graded(2./3, 2, 2)...), graded(1./3, 0, 1)...)
	c, ok := stats.Calibrate(answers)
	number(t, "accuracy", c.Accuracy, ok, r.Acc, tenDigits)
	number(t, "ECE", c.ECE, ok, r.ECE, tenDigits)
	number(t, "Brier", c.Brier, ok, r.Brier, tenDigits)
	pointer(t, "AUROC", c.AUROC, r.AUROC, tenDigits)

	number(t, "AURC", c.AURC, ok, r.AURC, sixDigits)
	number(t, "oracle", c.Oracle, ok, r.Oracle, sixDigits)
	number(t, "excess", c.Excess, ok, r.Excess, sixDigits)
	number(t, "AUGRC", c.AUGRC, ok, r.AUGRC, sixDigits)
	want := []stats.Level{{Confidence: 1, Coverage: 7. / 12, Risk: 1. / 7}, {Confidence: 2. / 3, Coverage: 11. / 12, Risk: 3. / 11}, {Confidence: 1. / 3, Coverage: 1, Risk: 4. / 12}}
	if len(c.Levels) != len(want) {
		t.Fatalf("%d levels, want %d", len(c.Levels), len(want))
	}
	for i, p := range c.Levels {
		if !near(p.Confidence, want[i].Confidence, 0) || !near(p.Coverage, want[i].Coverage, 1e-12) || !near(p.Risk, want[i].Risk, 1e-12) {
			t.Errorf("point %d is %+v, want %+v", i, p, want[i])
		}
	}
}

func TestCalibrationEdges(t *testing.T) {
	for name, answers := range map[string][]stats.Graded{
		"nothing": nil, "above 1": graded(1.5, 1, 0), "negative": graded(-.1, 1, 0), "NaN": graded(math.NaN(), 1, 1),
	} {
		if _, ok := stats.Calibrate(answers); ok {
			t.Errorf("%s is defined", name)
		}
	}
	for name, answers := range map[string][]stats.Graded{"all right": graded(.9, 3, 0), "all wrong": graded(.9, 0, 3)} {
		if c, ok := stats.Calibrate(answers); !ok || c.AUROC != nil {
			t.Errorf("%s: AUROC %v, %v, want undefined", name, c.AUROC, ok)
		}
	}
}

func TestCalibrationProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		answers := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) stats.Graded {
			return stats.Graded{Confidence: float64(rapid.IntRange(0, 5).Draw(t, "votes")) / 5, Correct: rapid.Bool().Draw(t, "correct")}
		}), 1, 40).Draw(t, "answers")
		c, ok := stats.Calibrate(answers)
		if !ok || !(0 <= c.ECE && c.ECE <= 1 && c.ECE*c.ECE <= c.Brier+1e-12) {
			t.Fatalf("%v, ECE %v against a Brier score of %v", ok, c.ECE, c.Brier)
		}
		last := c.Levels[len(c.Levels)-1]
		if last.Coverage != 1 || !near(last.Risk, 1-c.Accuracy, 1e-12) || c.AURC < c.Oracle-1e-12 || c.AUGRC > c.AURC+1e-12 {
			t.Fatalf("%+v", c)
		}
		// The order of answers says nothing.
		moved := rapid.Permutation(answers).Draw(t, "order")
		if again, _ := stats.Calibrate(moved); again.AURC != c.AURC {
			t.Fatalf("another order gives %v, want %v", again.AURC, c.AURC)
		}
	})
}
