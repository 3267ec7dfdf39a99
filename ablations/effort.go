package ablations

import (
	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/stats"
)

// effort compares steps, model calls and tokens, over the queries for which no side lost a trace.
func (m match) effort() *result.EffortDifference {
	steps := m.efforts(func(base, other Effort) float64 { return other.Steps - base.Steps })
	if steps.Len() == 0 {
		return nil
	}
	return &result.EffortDifference{Queries: steps.Len(), Steps: shift(steps), StepsShare: m.relative(steps),
		Calls:  shift(m.efforts(func(base, other Effort) float64 { return other.Calls - base.Calls })),
		Tokens: shift(m.efforts(func(base, other Effort) float64 { return other.Tokens - base.Tokens }))}
}

// efforts returns a figure of each query for which no side lost a trace.
func (m match) efforts(of func(base, other Effort) float64) *stats.Values {
	var out stats.Values
	for _, p := range m.pairs {
		if p[0].Measured && p[1].Measured {
			out.Add(of(p[0].Effort, p[1].Effort), "", 1)
		}
	}
	return &out
}

func shift(differences *stats.Values) result.Shift {
	mean, _ := differences.Mean()
	return result.Shift{Difference: mean, CI: result.MeanInterval(differences)}
}

// relative returns the sum of the steps' differences divided by the sum of the steps before. It is nil if the second
// sum is 0. The interval is that of a ratio r of two means over the same queries, by linearisation: Student's
// interval for the mean of r + (d − r·x)/x̄. Here d is a difference, x the value before it, and x̄ the mean of
// the x (Cochran 1977, Sampling Techniques, section 6.3).
func (m match) relative(differences *stats.Values) *result.Shift {
	before, _ := m.efforts(func(base, _ Effort) float64 { return base.Steps }).Mean()
	if before == 0 {
		return nil
	}
	mean, _ := differences.Mean()
	ratio := mean / before
	return &result.Shift{Difference: ratio, CI: result.MeanInterval(m.efforts(func(base, other Effort) float64 {
		return ratio + (other.Steps-base.Steps-ratio*base.Steps)/before
	}))}
}
