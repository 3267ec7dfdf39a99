package ablations

import (
	"slices"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/judge"
)

// alpha bounds the probability of a false "better" or "worse" anywhere in a family.
const alpha = 0.05

// equivalenceLevel is the confidence level whose interval is equivalent to two one-sided
// tests at alpha.
const equivalenceLevel = 1 - 2*alpha

// family holds the comparisons of one table.
type family []sample

// at gives the p-values under one counting of unscored queries, the adjusted p-values, and
// the calls.
func (f family) at(c bound, margin float64) (p, adjusted []float64, calls []result.Call) {
	tallies := make([]tally, len(f))
	p = make([]float64, len(f))
	for i, s := range f {
		tallies[i] = s.at(c)
		p[i] = tallies[i].p()
	}
	adjusted, _ = stats.Holm(p)
	calls = make([]result.Call, len(f))
	for i, t := range tallies {
		calls[i] = t.call(adjusted[i], margin)
	}
	return p, adjusted, calls
}

// call gives the verdict on a tally (methods.md §10).
func (t tally) call(adjusted, margin float64) result.Call {
	d, _ := t.difference()
	if adjusted <= alpha && d > 0 {
		return result.Better
	}
	if adjusted <= alpha && d < 0 {
		return result.Worse
	}
	if i := t.interval(equivalenceLevel); i != nil && -margin <= i.Low && i.High <= margin {
		return result.Equivalent
	}
	return result.Undetermined
}

// ifScored gives, for each member whose call depends on unscored queries, its own or
// another member's, the call that scoring them could lead to; nil for the others. "All
// counted as right" is tried first.
func (f family) ifScored(calls []result.Call, margin float64) []*result.Call {
	out := make([]*result.Call, len(f))
	if !slices.ContainsFunc(f, sample.unscored) {
		return out
	}
	for _, c := range []bound{{true, true}, {false, true}, {true, false}} {
		_, _, others := f.at(c, margin)
		for i, call := range others {
			if out[i] == nil && call != calls[i] {
				out[i] = &call
			}
		}
	}
	return out
}

func (s sample) unscored() bool {
	return slices.Contains(s.base, judge.Unscored) || slices.Contains(s.other, judge.Unscored)
}
