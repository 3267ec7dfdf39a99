package reports_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/reports/document"
)

// judgedRow is a configuration of which a judge decides some of 150 queries.
func judgedRow(name string, decides, passed int) result.Configuration {
	c := result.Configuration{Name: name, K: 1, Pass: "correctness", Counts: result.Counts{Queries: 150, Correct: 105, Incorrect: 45}}
	c.PassRate, c.CI = pointer(.7), pointer(wilson(.62, .77))
	c.Judge = result.Judge{Decides: decides, Passed: passed}
	return c
}

func corrected(method string, labels int) *result.Corrected {
	return &result.Corrected{Method: method, Labels: labels, Rate: .587, CI: result.Interval{Low: .5, High: .67}}
}

func calibrated(sens, spec float64) *judge.Calibration {
	return &judge.Calibration{Whole: judge.Agreed{Sensitivity: &judge.Share{Value: sens}, Specificity: &judge.Share{Value: spec}}}
}

// The last sentence speaks of the headline's rate: of right answers where something is known of them, and else it says
// that nothing is. No other rate is in the table.
func TestClosingWhereAJudgeDecides(t *testing.T) {
	for _, c := range []struct {
		what    string
		change  func(*result.Configuration)
		closing string
		header  string
	}{
		{"nothing known", func(*result.Configuration) {}, "The judge passed 105 of 150 answers of a; no person has checked how many of these are right.", "judge passes [95 %]"},
		{"few labels", func(c *result.Configuration) { c.Labels = &result.Labels{Given: 12} }, "people labelled 12 of these answers, which is too few to say how many are right", "judge passes [95 %]"},
		{"chance", func(c *result.Configuration) { c.Judge.Calibration = calibrated(.5, .5) }, "no better than chance, so it is not known how many of these are right.", "judge passes [95 %]"},
		{"a calibration", func(c *result.Configuration) { c.Corrected = corrected("Rogan-Gladen", 160) },
			"Of many queries like these it would have 50 to 67 % right, by its calibration on 160 labelled answers (95 %).", "right, corrected [95 %]"},
		{"labels", func(c *result.Configuration) { c.Corrected = corrected("PPI++", 45) }, "right, by people's labels on 45 of them (95 %).", "right, corrected [95 %]"},
		{"in part", func(c *result.Configuration) { c.Judge.Decides, c.Judge.Passed = 50, 35 },
			"a is right on 70 of 100 queries that the gold decides. Of 50 others the judge passed 35; no person has checked how many of these are right.", "pass rate [95 %]"},
	} {
		t.Run(c.what, func(t *testing.T) {
			a := judgedRow("a", 150, 105)
			c.change(&a)
			r := run(150, nil, a)
			if got := reports.Closing(r); !strings.Contains(got, c.closing) {
				t.Errorf("%q, want %q", got, c.closing)
			}
			shown := written(t, func(b *bytes.Buffer) error {
				return reports.Write(b, document.FormatTable, r, reports.Options{Screen: document.Screen{Width: 100}})
			})
			if !strings.Contains(shown, c.header) || a.Corrected != nil && (strings.Contains(shown, "70 % [62, 77]") || !strings.Contains(shown, "59 % [50, 67]")) {
				t.Errorf("want %q in\n%s", c.header, shown)
			}
		})
	}
}

// Differences, words and the drops that could have been seen are of the headline's rate.
func TestComparedWhereAJudgeDecides(t *testing.T) {
	compared := func(change func(a, b *result.Configuration, c *result.Comparison)) (*result.Result, string) {
		a, b := judgedRow("a", 150, 105), judgedRow("b", 150, 83)
		c := against("b", 30, 8, -.25, -.05, 0.001, 0.001, result.Worse)
		c.Baseline = "a"
		change(&a, &b, &c)
		r := run(150, nil, a, b)
		r.Baseline, r.Comparisons = "a", []result.Comparison{c}
		return r, written(t, func(b *bytes.Buffer) error {
			return reports.Write(b, document.FormatTable, r, reports.Options{Screen: document.Screen{Width: 120}})
		})
	}
	byCalibration := func(a, b *result.Configuration, c *result.Comparison) {
		a.Corrected, b.Corrected = corrected("Rogan-Gladen", 160), corrected("Rogan-Gladen", 160)
		c.Corrected = &result.CorrectedDifference{Method: result.ByCalibration, Difference: -1. / 3, CI: result.Interval{Low: -.64, High: -.11}, MDE: pointer(.4)}
	}
	for _, x := range []struct {
		what          string
		change        func(a, b *result.Configuration, c *result.Comparison)
		cell, closing string
	}{
		{"raw", func(_, _ *result.Configuration, _ *result.Comparison) {}, "worse (−25 … −5)",
			"Points are of answers that the judge passed; no person has checked how many of these are right."},
		{"a calibration", byCalibration, "−33 worse (−64 … −11)", "b is worse than a by 33 points [11, 64]. Points are of right answers, if the judge makes the same errors in all rows."},
		{"a calibration, undetermined", func(a, b *result.Configuration, c *result.Comparison) {
			byCalibration(a, b, c)
			c.Call = result.Undetermined
		}, "−33 ~ (−64 … −11)", "a drop of 40 points would be shown"},
		{"labels", func(a, b *result.Configuration, c *result.Comparison) {
			byCalibration(a, b, c)
			c.Corrected.Method = result.ByLabels
		}, "−33 worse", "Points are of right answers, by people's labels on both rows."},
		{"unsized", func(a, b *result.Configuration, c *result.Comparison) {
			a.Corrected, b.Corrected, c.Unsized = corrected("PPI++", 40), corrected("PPI++", 40), true
		}, "  8  worse  ", "b is worse than a. The judge decides. Labels and calibration do not show how large the difference in right answers is."},
	} {
		t.Run(x.what, func(t *testing.T) {
			r, shown := compared(x.change)
			if got := reports.Closing(r); !strings.Contains(got, x.closing) {
				t.Errorf("%q, want %q", got, x.closing)
			}
			if !strings.Contains(shown, x.cell) || x.what == "unsized" && strings.Contains(shown, "−15") {
				t.Errorf("want %q in\n%s", x.cell, shown)
			}
		})
	}
	r, _ := compared(func(_, _ *result.Configuration, c *result.Comparison) {
		c.JudgeErrors = &result.JudgeErrors{RightPassed: [2]float64{.95, .6}, WrongPassed: [2]float64{.1, .1}}
	})
	shown := written(t, func(b *bytes.Buffer) error { return reports.Write(b, document.FormatTable, r, reports.Options{}) })
	if want := "by labels it passed 95 there and 60 % here of right answers, 10 there and 10 % here of wrong ones"; !strings.Contains(shown, want) {
		t.Errorf("no %q in\n%s", want, shown)
	}
}
