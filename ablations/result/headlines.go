package result

import "slices"

// DecidedByJudge reports whether a judge decides some query of the row.
func (c Configuration) DecidedByJudge() bool { return c.Judge.Decides > 0 }

// Headlines is a result for people: where a judge decides, the rates, differences and effects of its rows are those of
// right answers, corrected for the judge's errors. Where some rows are corrected, a row whose right answers are not
// known has no rate, since what a judge passed is not comparable with it. Counts stay those of the judge.
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
