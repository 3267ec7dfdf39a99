package ablations

import (
	"slices"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/judge"
)

// alpha is the chance of any false better or worse among the comparisons of a family.
const alpha = 0.05

// equivalenceLevel is that of the interval which two one-sided tests at alpha come to.
const equivalenceLevel = 1 - 2*alpha

// family are the comparisons of one table.
type family []sample

// at gives the p-values of a corner, those adjusted over the family, and the calls.
func (f family) at(c corner, margin float64) (p, adjusted []float64, calls []result.Call) {
	tallies := make([]tally, len(f))
	p = make([]float64, len(f))
	for i, s := range f {
		tallies[i] = s.at(c)
		p[i] = tallies[i].p()
	}
	adjusted, _ = stats.Holm(p) // p-values all of them
	calls = make([]result.Call, len(f))
	for i, t := range tallies {
		calls[i] = t.call(adjusted[i], margin)
	}
	return p, adjusted, calls
}

// call is the word for a tally (methods.md §10).
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

// ifScored gives, for each member whose call hangs on its unscored queries or on another's,
// the call that it might have instead; nil for the others. All counted right comes first.
func (f family) ifScored(calls []result.Call, margin float64) []*result.Call {
	out := make([]*result.Call, len(f))
	if !slices.ContainsFunc(f, sample.unscored) {
		return out
	}
	for _, c := range []corner{{true, true}, {false, true}, {true, false}} {
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
