package ablations

import (
	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/stats"
)

// effort compares steps, model calls and tokens, over the queries for which no side lost a trace.
func (m match) effort() *result.EffortDifference {
	var steps, calls, tokens, before []float64
	for _, p := range m.pairs {
		if base, other := p[0].Effort, p[1].Effort; base != nil && other != nil {
			steps, before = append(steps, other.Steps-base.Steps), append(before, base.Steps)
			calls = append(calls, other.Calls-base.Calls)
			tokens = append(tokens, other.Tokens-base.Tokens)
		}
	}
	if len(steps) == 0 {
		return nil
	}
	return &result.EffortDifference{Queries: len(steps), Steps: shift(steps), StepsShare: relative(steps, before),
		Calls: shift(calls), Tokens: shift(tokens)}
}

func shift(differences []float64) result.Shift {
	mean, _ := stats.Mean(differences)
	return result.Shift{Difference: mean, CI: result.MeanInterval(differences)}
}

// relative returns the sum of differences divided by the sum of the values before. It is nil if the second sum
// is 0. The interval is that of a ratio r of two means over the same queries, by linearisation: Student's
// interval for the mean of r + (d − r·x)/x̄. Here d is a difference, x the value before it, and x̄ the mean of
// the x (Cochran 1977, Sampling Techniques, section 6.3).
func relative(differences, before []float64) *result.Shift {
	base, _ := stats.Mean(before)
	if base == 0 {
		return nil
	}
	mean, _ := stats.Mean(differences)
	ratio := mean / base
	terms := make([]float64, len(differences))
	for i, d := range differences {
		terms[i] = ratio + (d-ratio*before[i])/base
	}
	return &result.Shift{Difference: ratio, CI: result.MeanInterval(terms)}
}
