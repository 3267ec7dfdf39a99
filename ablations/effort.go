package ablations

import (
	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/stats"
)

// effort compares steps, model calls and tokens over the queries for which both sides lost
// no trace.
//
// Source: methods.md §5.4, the sign-flip test.
func (m match) effort() *result.EffortDifference {
	var steps, calls, tokens []float64
	for _, p := range m.pairs {
		if base, other := p[0].Effort, p[1].Effort; base != nil && other != nil {
			steps = append(steps, other.Steps-base.Steps)
			calls = append(calls, other.Calls-base.Calls)
			tokens = append(tokens, other.Tokens-base.Tokens)
		}
	}
	if len(steps) == 0 {
		return nil
	}
	return &result.EffortDifference{Queries: len(steps), Steps: shift(steps), Calls: shift(calls), Tokens: shift(tokens)}
}

// shift is the mean of differences with the interval of the sign-flip test.
func shift(differences []float64) result.Shift {
	s := result.Shift{}
	for _, d := range differences {
		s.Difference += d / float64(len(differences))
	}
	if i, ok := stats.SignFlipInterval(differences, result.Level, 1); ok {
		s.CI = &result.Interval{Method: "sign-flip", Level: result.Level, Low: i.Low, High: i.High}
	}
	return s
}
