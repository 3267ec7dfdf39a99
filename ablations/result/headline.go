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

// JudgedPass reports whether a judge decides every query if the setting pass has this value.
func JudgedPass(pass judge.Mode) bool { return len(pass.Judges()) > 0 }

// JudgeDecides reports whether a judge, and not the gold, decides a query: because of the setting pass, or
// because the gold has a condition. Labels of people do not change this.
func JudgeDecides(pass judge.Mode, r store.Record) bool {
	return JudgedPass(pass) || slices.Contains([]string{judge.ByCorrectness, judge.ByQuality, judge.ByJudge},
		r.Before().By)
}

// Settle returns labelled records with the verdicts that the rates use. If a judge decides at least one query
// of the configuration, these are the verdicts before labels. Reason: a rate that mixes verdicts of a judge and
// labels has no meaning.
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

// ErrorsOf returns the errors of a configuration's judge according to its calibration. It returns nil in two
// cases: the correctness judge does not decide all queries, so that the calibration does not apply to all
// verdicts; or the calibration lacks labels of right answers or of wrong answers.
func ErrorsOf(c store.Configuration, decides, queries int) *stats.JudgeErrors {
	all := c.Pass == judge.PassCorrectness || c.Pass == judge.PassGold &&
		decides == queries && queries > 0
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

// calibrated corrects a share of answers that the judge passed; nil if the judge is no better than chance.
func calibrated(c store.Configuration, passed stats.Share, errors *stats.JudgeErrors) *Corrected {
	if errors == nil {
		return nil
	}
	rate, ci, ok := stats.CorrectShare(passed, *errors)
	if !ok {
		return nil
	}
	return &Corrected{Method: "Rogan-Gladen", Labels: c.Calibration.Answers, Rate: rate,
		CI: Interval{"Lang-Reiczigel", Level, ci.Low, ci.High}}
}

// correct sets two figures of a row: the mean of single traces, and the rates of right answers that are
// estimated from the answers that a judge passed.
func (t *tally) correct(row *Configuration, c store.Configuration) {
	row.Judge.Decides, row.Judge.Passed, row.Judge.Calibration = t.decides, t.decidedPassed, c.Calibration
	singles, of := t.outcomes.singles(t.counts)
	row.Singles = singles
	if t.decides == 0 || t.counts.Missing > 0 || t.counts.Unscored > 0 {
		return
	}
	errors := ErrorsOf(c, t.decides, t.counts.Queries)
	if found, _, ok := clusteredRate(t.outcomes.rights(false)); ok {
		row.Judge.Corrected = calibrated(c, found.Share, errors)
	}
	if singles != nil && singles.Value != nil {
		singles.Corrected = calibrated(c, of, errors)
	}
	row.Corrected = row.Judge.Corrected
	if l := row.Labels; l != nil && l.Corrected != nil &&
		(row.Corrected == nil || l.Corrected.CI.Width() < row.Corrected.CI.Width()) {
		row.Corrected = l.Corrected
	}
}

// Width returns the width of the interval.
func (i Interval) Width() float64 { return i.High - i.Low }

// headline adds notes about the rate of a row that a judge decides.
func (n *notes) headline(c Configuration) {
	j := c.Judge
	if j.Decides == 0 || c.PassRate == nil || c.Counts.Unscored > 0 {
		return
	}
	passed := fmt.Sprintf("the judge passed %d of %d", j.Passed, j.Decides)
	var ways []string
	for _, way := range []*Corrected{j.Corrected, c.labelled()} {
		if way != nil {
			ways = append(ways, fmt.Sprintf("by %d labelled answers (%s) %s %% %s are right", way.Labels,
				way.Method, text.Percent(way.Rate, 0), text.Bracketed(way.CI.Low, way.CI.High, 0)))
		}
	}
	switch {
	case len(ways) > 0:
		if j.Decides == c.Counts.Queries && c.CI != nil {
			passed += ", " + text.Percent(*c.PassRate, 0) + " % " + text.Bracketed(c.CI.Low, c.CI.High, 0)
		}
		if len(ways) == 2 {
			ways[1] += "; the narrower interval is used"
		}
		n.when(true, "%s; %s", passed, strings.Join(ways, ", or "))
	case j.Calibration != nil && !j.Knows():
		n.when(true, "%s, and by its calibration it is no better than chance, so the number of right "+
			"answers is unknown: name another judge", passed)
	default:
		n.when(true, "%s: label some answers with `concur label RUN`, or calibrate the judge with `concur judge "+
			"calibrate`, to know how many are right", passed)
	}
}

func (c Configuration) labelled() *Corrected {
	if c.Labels == nil {
		return nil
	}
	return c.Labels.Corrected
}

// Knows reports whether, according to the calibration (not nil), the judge is better than chance.
func (j Judge) Knows() bool {
	w := j.Calibration.Whole
	return w.Sensitivity != nil && w.Specificity != nil && w.Sensitivity.Value+w.Specificity.Value > 1
}

// DecidedByJudge reports whether a judge decides at least one query of the row.
func (c Configuration) DecidedByJudge() bool { return c.Judge.Decides > 0 }

// Headlines returns a result for people. If a judge decides, its rates, differences and effects are those of
// right answers, corrected for the judge's errors. If only some rows can be corrected, the other rows have no
// rate, because a rate of passed answers cannot be compared with a rate of right answers. Counts are still the
// judge's counts.
func Headlines(r *Result) *Result {
	out := *r
	out.Configurations = slices.Clone(r.Configurations)
	corrected := slices.ContainsFunc(out.Configurations, func(c Configuration) bool { return c.Corrected != nil })
	for i := range out.Configurations {
		c := &out.Configurations[i]
		switch {
		case c.Corrected != nil:
			c.PassRate, c.CI = &c.Corrected.Rate, &c.Corrected.CI
		case corrected && c.DecidedByJudge() && c.Counts.Unscored == 0:
			c.PassRate, c.CI, c.Bounds = nil, nil, nil
		}
		if s := c.Singles; s != nil && s.Corrected != nil {
			right := *s
			right.Value, right.CI = &s.Corrected.Rate, &s.Corrected.CI
			c.Singles = &right
		}
	}
	out.Comparisons = slices.Clone(r.Comparisons)
	for i := range out.Comparisons {
		c := &out.Comparisons[i]
		if k := c.Corrected; k != nil {
			c.Difference, c.CI, c.MDE, c.MDEHolm = &k.Difference, &k.CI, k.MDE, k.MDEHolm
		}
		if s := c.Singles; s != nil && s.Corrected != nil {
			right, k := *s, s.Corrected
			right.Difference, right.CI, right.MDE, right.MDEHolm = &k.Difference, &k.CI, k.MDE, k.MDEHolm
			c.Singles = &right
		}
	}
	return &out
}
