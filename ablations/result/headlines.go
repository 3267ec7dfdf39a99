package result

import "slices"

// DecidedByJudge reports whether a judge decides at least one query of the row.
func (c Configuration) DecidedByJudge() bool { return c.Judge.Decides > 0 }

// Headlines returns a result for people. If a judge decides, its rates, differences and effects are about right
// answers, corrected for the judge's errors. If some rows are corrected, a row whose number of right answers is
// unknown has no rate, because a rate of passed answers is not comparable. Counts remain the judge's.
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
