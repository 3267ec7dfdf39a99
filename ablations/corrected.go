package ablations

import (
	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/judge"
)

// correction estimates the difference in right answers from a judge's verdicts on two sides.
type correction struct {
	errors *stats.JudgeErrors // the judge's errors by the calibration of both sides; nil if a side has no calibration
	// labels has the labelled queries, each with labels on both answers; nil if they are fewer than
	// result.MinLabels
	labels []stats.AuditedDifference
	judged []float64          // judged differences of all queries
	found  *stats.JudgeErrors // errors of the judge by these labels; nil if all labels are right, or all are wrong
	// counts has the numbers of labelled answers. The indices are the side, right (1) or wrong (0), and passed
	// (1) or not (0). All numbers are 0 if one of the sides has fewer labels than MinLabels.
	counts [2][2][2]int
	// needed is true if at least one side has a corrected rate. The judged difference is then not the
	// difference of the rates in the first column.
	needed bool
}

func (m match) correction(a, b Side) correction {
	hasRate := func(s Side) bool { return s.Errors != nil || s.Decides > 0 && s.Labels >= result.MinLabels }
	c := correction{needed: hasRate(a) || hasRate(b)}
	if a.unscored() || b.unscored() {
		c.needed = false // the rows have no corrected rates
	}
	if len(m.pairs) == 0 || !c.needed {
		return c
	}
	if a.Errors != nil && b.Errors != nil && *a.Errors == *b.Errors && a.Errors.Slope() > 0 {
		c.errors = a.Errors
	}
	var each [2]int
	for _, p := range m.pairs {
		d := stats.Bit(p[1].Verdict == judge.Correct) - stats.Bit(p[0].Verdict == judge.Correct)
		c.judged = append(c.judged, d)
		for side, q := range p {
			if q.Label != Unlabelled {
				c.counts[side][indicator(q.Label == LabelledRight)][indicator(q.Verdict == judge.Correct)]++
				each[side]++
			}
		}
		if p[0].Label != Unlabelled && p[1].Label != Unlabelled {
			c.labels = append(c.labels, stats.AuditedDifference{Judged: d,
				Right: stats.Bit(p[1].Label == LabelledRight) - stats.Bit(p[0].Label == LabelledRight)})
		}
	}
	if len(c.labels) < result.MinLabels {
		c.labels = nil
	}
	if min(each[0], each[1]) < result.MinLabels {
		c.counts = [2][2][2]int{}
	}
	if n := c.counts; c.labels != nil {
		of := func(right, passed int) float64 { return float64(n[0][right][passed] + n[1][right][passed]) }
		if right, wrong := of(1, 0)+of(1, 1), of(0, 0)+of(0, 1); right > 0 && wrong > 0 {
			c.found = &stats.JudgeErrors{Sensitivity: of(1, 1) / right, Right: right, Specificity: of(0, 0) / wrong,
				Wrong: wrong}
		}
	}
	return c
}

// floor returns the lowest possible judged rate: the rate at which the judge passes wrong answers.
func (c correction) floor() float64 {
	if c.errors == nil {
		return 0
	}
	return 1 - c.errors.Specificity
}

// byCalibration corrects a judged difference with the calibration of the judge. It returns nil if a side has no
// calibration, if there is no interval, or if the judge's errors are not known well enough. least is the
// smallest slope that the calibration allows.
func (c correction) byCalibration(d *float64, ci *result.Interval) (out *result.CorrectedDifference, least float64) {
	if c.errors == nil || d == nil || ci == nil {
		return nil, 0
	}
	value, i, least, ok := stats.CorrectDifference(*d, stats.Interval{Low: ci.Low, High: ci.High}, *c.errors,
		result.Level)
	if !ok {
		return nil, 0
	}
	labels := int(c.errors.Right + c.errors.Wrong + 0.5)
	return &result.CorrectedDifference{
		Method: result.ByCalibration, Labels: labels, Difference: value,
		CI: result.Interval{Method: "mover-r", Level: result.Level, Low: i.Low, High: i.High},
	}, least
}

// ofSingles applies byCalibration to single traces, because people do not label single traces. If there is no
// correction, single traces are compared with the margin itself.
func (c correction) ofSingles(d *float64, ci *result.Interval) (*result.CorrectedDifference, float64) {
	out, slope := c.byCalibration(d, ci)
	if out == nil {
		slope = 1
	}
	return out, slope
}

// byLabels estimates the difference from labels on both sides. same is the p-value for the hypothesis "the
// difference is at least the margin". It returns nil if there are no labels. It also returns nil if there are
// clusters, because the standard error is then unknown.
func (c correction) byLabels(margin float64, clusters bool) (out *result.CorrectedDifference, same float64) {
	if c.labels == nil || clusters {
		return nil, 1
	}
	e, ok := stats.PPIDifference(c.labels, c.judged)
	if !ok {
		return nil, 1
	}
	e.Value = max(-1, min(1, e.Value))
	i, same, ok := stats.CautiousDifference(e, len(c.labels), result.Level, margin)
	if !ok {
		return nil, 1
	}
	return &result.CorrectedDifference{
		Method: result.ByLabels, Labels: len(c.labels), Difference: e.Value,
		CI: result.Interval{Method: "ppi++", Level: result.Level, Low: i.Low, High: i.High},
	}, same
}

// correct sets the corrected differences of votes and of single traces. If both methods can be used, it takes
// the result with the narrower interval. It also sets the data in s that the test of equality needs.
func (c correction) correct(out *result.Comparison, s *sample, margin float64) {
	s.slope = 1
	if !c.needed {
		return
	}
	s.slope = 0
	by, least := c.byCalibration(out.Difference, out.CI)
	labels, same := c.byLabels(margin, out.Clusters != nil)
	switch {
	case labels != nil && (by == nil || labels.CI.Width() < by.CI.Width()):
		out.Corrected, s.same = labels, &same
	case by != nil:
		out.Corrected, s.slope = by, least
	}
	out.Unsized, out.JudgeErrors = out.Corrected == nil, c.differ()
}

// against reports whether labels contradict a call of the judge: the interval of the difference by labels
// contains 0. This can happen if the judge makes other errors on one side than on the other.
func (c correction) against(with result.Comparison) bool {
	k := with.Corrected
	return k != nil && k.Method == result.ByLabels &&
		(with.Call == result.Worse && k.CI.High >= 0 || with.Call == result.Better && k.CI.Low <= 0)
}

// differ returns the judge's errors on the two sides if they differ: Newcombe's interval of their difference,
// adjusted for two intervals, excludes 0. Otherwise it returns nil.
func (c correction) differ() *result.JudgeErrors {
	out, shown := &result.JudgeErrors{}, false
	for right, to := range []*[2]float64{&out.WrongPassed, &out.RightPassed} {
		n := c.counts
		a, b := n[0][right][0]+n[0][right][1], n[1][right][0]+n[1][right][1]
		if a == 0 || b == 0 {
			return nil
		}
		to[0], to[1] = float64(n[0][right][1])/float64(a), float64(n[1][right][1])/float64(b)
		if ci, ok := stats.Newcombe(n[0][right][1], a, n[1][right][1], b, 1-alpha/2); ok &&
			(ci.Low > 0 || ci.High < 0) {
			shown = true
		}
	}
	if !shown {
		return nil
	}
	return out
}

// slope says by how many points the judged rate changes for one point of right answers, according to the
// calibration. It is 1 if there is no calibration.
func (c correction) slope() float64 {
	if c.errors == nil {
		return 1
	}
	return c.errors.Slope()
}

// effects sets the minimum detectable effects of right answers.
func (c correction) effects(out *result.Comparison) {
	if k := out.Corrected; k != nil {
		k.MDE, k.MDEHolm = c.points(k, out.MDE), c.points(k, out.MDEHolm)
	}
	s := out.Singles
	if s == nil {
		return
	}
	if k := s.Corrected; k != nil {
		k.MDE, k.MDEHolm = c.points(k, s.MDE), c.points(k, s.MDEHolm)
	} else if c.needed {
		s.ToDetect = nil // the figures would be about another rate than the headline
	}
}

// points converts a minimum detectable effect of judged rates to points of right answers. It returns nil if the
// slope of the judge is unknown.
func (c correction) points(out *result.CorrectedDifference, mde *float64) *float64 {
	j := c.errors
	if out != nil && out.Method == result.ByLabels {
		j = c.found
	}
	if out == nil || j == nil || j.Slope() <= 0 || mde == nil {
		return nil
	}
	if real := *mde / j.Slope(); real <= 1 {
		return &real
	}
	return nil
}

func indicator(b bool) int { return int(stats.Bit(b)) }
