package result_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
)

// calibration is of a judge that passed so many of the right and of the wrong answers that people labelled.
func calibration(rightPassed, right, wrongPassed, wrong float64) *judge.Calibration {
	return &judge.Calibration{Answers: int(right + wrong), Whole: judge.Agreed{
		RightPassed: rightPassed, RightFailed: right - rightPassed, WrongPassed: wrongPassed, WrongFailed: wrong - wrongPassed,
		Sensitivity: &judge.Share{Value: rightPassed / right}, Specificity: &judge.Share{Value: 1 - wrongPassed/wrong},
	}}
}

// row sums up records of one configuration.
func row(t *testing.T, records []store.Record, pass judge.Mode, c *judge.Calibration) (result.Configuration, string) {
	t.Helper()
	m := manifest(len(records), 1, "a")
	m.Configurations[0].Pass, m.Configurations[0].Calibration = pass, c
	r, err := result.Summarize(m, all(records, nil))
	if err != nil {
		t.Fatal(err)
	}
	return r.Configurations[0], strings.Join(r.Warnings, "\n")
}

// The headline of a row that a judge decides is the corrected rate: by its calibration, by labels, or by that of the
// two with the narrower interval. Without either the row has no corrected rate.
func TestCorrectedRateIsTheHeadline(t *testing.T) {
	good, poor := calibration(98, 100, 2, 100), calibration(20, 30, 10, 30)
	for _, c := range []struct {
		what        string
		labels      int
		calibration *judge.Calibration
		method      string
		note        string
	}{
		{"nothing", 0, nil, "", "label some answers with `concur label RUN`, or calibrate"},
		{"few labels", 29, nil, "", "label some answers"},
		{"labels", 60, nil, "PPI++", "by 60 labelled answers (PPI++) "},
		{"a calibration", 0, good, "Rogan-Gladen", "by 200 labelled answers (Rogan-Gladen)"},
		{"a good calibration and labels", 30, good, "Rogan-Gladen", "; the narrower interval is used"},
		{"a poor calibration and labels", 150, poor, "PPI++", "; the narrower interval is used"},
		{"a judge worse than chance", 0, calibration(40, 100, 60, 100), "", "no better than chance"},
		{"a judge at chance", 0, calibration(50, 100, 50, 100), "", "no better than chance"},
	} {
		t.Run(c.what, func(t *testing.T) {
			records, right := judgedRun(rand.New(rand.NewPCG(1, 2)), 200, .7, .95, .7)
			label(records, right, 3, true, c.labels)
			got, notes := row(t, records, judge.PassCorrectness, c.calibration)
			method := ""
			if got.Corrected != nil {
				method = got.Corrected.Method
			}
			if method != c.method || !strings.Contains(notes, c.note) || !strings.Contains(notes, "the judge passed ") {
				t.Errorf("headline %q, want %q; notes\n%s", method, c.method, notes)
			}
		})
	}
}

// No rate counts some answers by the judge and others by labels: all figures of a row that a judge decides, also in
// part, are those before labels.
func TestLabelsDoNotMixWithJudgedRates(t *testing.T) {
	for _, by := range []string{judge.ByCorrectness, judge.ByGold} {
		plain, right := judgedRun(rand.New(rand.NewPCG(4, 2)), 100, .5, .9, .6)
		if by == judge.ByGold { // that of all but one query
			for i := range plain[1:] {
				plain[i+1].Verdict.By = by
			}
		}
		want, _ := row(t, plain, judge.PassGold, nil)
		labelled, _ := judgedRun(rand.New(rand.NewPCG(4, 2)), 100, .5, .9, .6)
		for i := range labelled {
			labelled[i].Verdict.By = plain[i].Verdict.By
		}
		label(labelled, right, 3, true, 40)
		got, _ := row(t, labelled, judge.PassGold, nil)
		if got.Labels.Overruled == 0 {
			t.Fatal("no label overrules the judge")
		}
		if got.Counts != want.Counts || *got.PassRate != *want.PassRate || *got.Reliability.PassAtK.Value != *want.Reliability.PassAtK.Value ||
			*got.Singles.Value != *want.Singles.Value || got.ByCategory["lookup"] != want.ByCategory["lookup"] {
			t.Errorf("by %s: labels change %+v to %+v", by, want.Counts, got.Counts)
		}
		if got.Corrected == nil || got.Judge.Passed != want.Judge.Passed || got.Judge.Decides != want.Judge.Decides {
			t.Errorf("by %s: %+v, %+v", by, got.Corrected, got.Judge)
		}
	}
}

// Where the gold decides every query, a person's word replaces the gold's, as before.
func TestLabelsCountWhereTheGoldDecides(t *testing.T) {
	records, right := judgedRun(rand.New(rand.NewPCG(4, 2)), 60, .5, .9, .6)
	for i := range records {
		records[i].Verdict.By = judge.ByGold
	}
	label(records, right, 3, false, 60)
	n := 0
	for _, is := range right {
		n += map[bool]int{true: 1}[is]
	}
	got, _ := row(t, records, judge.PassGold, nil)
	if got.Counts.Correct != n || got.Corrected != nil || got.Judge.Decides != 0 {
		t.Errorf("%d right of %d by labels: %+v, %+v", got.Counts.Correct, n, got.Corrected, got.Judge)
	}
}

// A calibration says nothing of a rate that another judge, or the gold, has a part in, nor of one with missing verdicts.
func TestCalibrationOfItsOwnRateAlone(t *testing.T) {
	for _, c := range []struct {
		pass   judge.Mode
		change func(*store.Record)
		is     bool
	}{
		{judge.PassCorrectness, func(*store.Record) {}, true},
		{judge.PassGold, func(*store.Record) {}, true}, // conditions in all golds
		{judge.PassGold, func(r *store.Record) { r.Verdict.By = judge.ByGold }, false},
		{judge.PassQuality, func(*store.Record) {}, false},
		{judge.PassBoth, func(*store.Record) {}, false},
		{judge.PassCorrectness, func(r *store.Record) { r.Verdict.Verdict = judge.Unscored }, false},
	} {
		records, _ := judgedRun(rand.New(rand.NewPCG(1, 2)), 50, .7, .95, .7)
		c.change(&records[7])
		got, _ := row(t, records, c.pass, calibration(95, 100, 20, 100))
		if (got.Corrected != nil) != c.is {
			t.Errorf("pass %s: corrected %+v, want %t", c.pass, got.Corrected, c.is)
		}
	}
}

// With K=1 single traces are the answers, so that their corrected rate is the headline's.
func TestCorrectedSingleTraces(t *testing.T) {
	records, _ := judgedRun(rand.New(rand.NewPCG(1, 2)), 90, .7, .95, .7)
	got, _ := row(t, records, judge.PassCorrectness, calibration(95, 100, 20, 100))
	if s := got.Singles; s == nil || s.Corrected == nil || *s.Corrected != *got.Corrected {
		t.Errorf("%+v, the headline is %+v", s, got.Corrected)
	}
}

// For people the corrected rate takes the place of the judged one; a judged row beside it has no rate of its own.
func TestHeadlines(t *testing.T) {
	records, _ := judgedRun(rand.New(rand.NewPCG(1, 2)), 90, .7, .95, .7)
	corrected, _ := row(t, records, judge.PassCorrectness, calibration(95, 100, 20, 100))
	raw, _ := row(t, records, judge.PassCorrectness, nil)
	r := &result.Result{Configurations: []result.Configuration{corrected, raw}}
	shown := result.Headlines(r).Configurations
	if *shown[0].PassRate != corrected.Corrected.Rate || *shown[0].CI != corrected.Corrected.CI || shown[1].PassRate != nil || shown[1].Bounds != nil {
		t.Errorf("%+v, %+v", shown[0].PassRate, shown[1].PassRate)
	}
	if r.Configurations[0].PassRate == shown[0].PassRate || r.Configurations[1].PassRate == nil {
		t.Error("the result itself was changed")
	}
	if alone := result.Headlines(&result.Result{Configurations: []result.Configuration{raw}}).Configurations[0]; *alone.PassRate != *raw.PassRate {
		t.Error("a judged row alone has lost its rate")
	}
}
