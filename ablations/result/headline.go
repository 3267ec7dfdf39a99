package result

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
)

// JudgedPass reports whether a judge decides every query by the setting pass.
func JudgedPass(pass string) bool {
	return slices.Contains([]judge.Mode{judge.PassCorrectness, judge.PassQuality, judge.PassBoth}, judge.Mode(pass))
}

// JudgeDecides reports whether a judge, and not the gold, decides a query: by the setting pass, or by a condition in
// the gold. Labels of people change nothing in that.
func JudgeDecides(pass string, r store.Record) bool {
	return JudgedPass(pass) || slices.Contains([]string{judge.ByCorrectness, judge.ByQuality, judge.ByJudge}, r.Before().By)
}

// Settle gives labelled records the verdicts that count in rates: those before labels where a judge decides some
// query of the configuration, since a rate of answers of which some are judged and others labelled has no meaning.
func Settle(labelled []store.Record, judged bool) []store.Record {
	if !judged {
		return labelled
	}
	out := make([]store.Record, len(labelled))
	for i, r := range labelled {
		out[i] = r.Unlabelled()
	}
	return out
}

// ErrorsOf is how the judge of a configuration did in its calibration; nil without one that says something of its
// verdicts on all queries: the correctness judge decides them, and its labels were of both kinds.
func ErrorsOf(c store.Configuration, decides, queries int) *stats.JudgeErrors {
	all := c.Pass == string(judge.PassCorrectness) || c.Pass == string(judge.PassGold) && decides == queries && queries > 0
	if !all || c.Calibration == nil {
		return nil
	}
	w := c.Calibration.Whole
	if w.Sensitivity == nil || w.Specificity == nil {
		return nil
	}
	return &stats.JudgeErrors{
		Sensitivity: w.Sensitivity.Value, Right: w.RightPassed + w.RightFailed,
		Specificity: w.Specificity.Value, Wrong: w.WrongFailed + w.WrongPassed,
	}
}

// calibrated corrects a share of answers that the judge passed; nil for a judge that is no better than chance.
func calibrated(c store.Configuration, passed stats.Share, errors *stats.JudgeErrors) *Corrected {
	if errors == nil {
		return nil
	}
	rate, ci, ok := stats.CorrectShare(passed, *errors)
	if !ok {
		return nil
	}
	return &Corrected{Method: "Rogan-Gladen", Labels: c.Calibration.Answers, Rate: rate, CI: Interval{"Lang-Reiczigel", Level, ci.Low, ci.High}}
}

// correct fills in single traces, and the rates of right answers behind those that a judge passed.
func (t *tally) correct(row *Configuration, c store.Configuration) {
	row.Judge.Decides, row.Judge.Passed, row.Judge.Calibration = t.decides, t.decidedPassed, c.Calibration
	singles, of := t.outcomes.singles(t.counts)
	row.Singles = singles
	if t.decides == 0 || t.counts.Missing > 0 || t.counts.Unscored > 0 {
		return
	}
	errors := ErrorsOf(c, t.decides, t.counts.Queries)
	if found, _, ok := t.outcomes.rate(t.outcomes.units(), false); ok {
		row.Judge.Corrected = calibrated(c, found.Share, errors)
	}
	if singles != nil && singles.Value != nil {
		singles.Corrected = calibrated(c, of, errors)
	}
	row.Corrected = row.Judge.Corrected
	if l := row.Labels; l != nil && l.Corrected != nil && (row.Corrected == nil || l.Corrected.CI.Width() < row.Corrected.CI.Width()) {
		row.Corrected = l.Corrected
	}
}

// Width is that of the interval.
func (i Interval) Width() float64 { return i.High - i.Low }

// headline says what is behind the rate of a row that a judge decides.
func (n *notes) headline(c Configuration) {
	j := c.Judge
	if j.Decides == 0 || c.PassRate == nil || c.Counts.Unscored > 0 {
		return
	}
	passed := fmt.Sprintf("the judge passed %d of %d", j.Passed, j.Decides)
	var ways []string
	for _, way := range []*Corrected{j.Corrected, c.labelled()} {
		if way != nil {
			ways = append(ways, fmt.Sprintf("by %d labelled answers (%s) %s %% [%.0f, %.0f] are right", way.Labels, way.Method, text.Percent(way.Rate, 0), 100*way.CI.Low, 100*way.CI.High))
		}
	}
	switch {
	case len(ways) > 0:
		if j.Decides == c.Counts.Queries && c.CI != nil {
			passed += fmt.Sprintf(", %s %% [%.0f, %.0f]", text.Percent(*c.PassRate, 0), 100*c.CI.Low, 100*c.CI.High)
		}
		if len(ways) == 2 {
			ways[1] += "; the narrower interval counts"
		}
		n.when(true, "%s; %s", passed, strings.Join(ways, ", or "))
	case j.Calibration != nil && !j.Knows():
		n.when(true, "%s, and by its calibration it is no better than chance, so this says nothing about right answers: name another judge", passed)
	default:
		n.when(true, "%s: label some answers with `concur label RUN`, or calibrate the judge with `concur judge calibrate`, to know how many are right", passed)
	}
}

func (c Configuration) labelled() *Corrected {
	if c.Labels == nil {
		return nil
	}
	return c.Labels.Corrected
}

// Knows reports whether a calibration, which there must be, finds the judge better than chance.
func (j Judge) Knows() bool {
	w := j.Calibration.Whole
	return w.Sensitivity != nil && w.Specificity != nil && w.Sensitivity.Value+w.Specificity.Value > 1
}
