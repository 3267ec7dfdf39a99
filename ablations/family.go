package ablations

import (
	"slices"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/judge"
)

// alpha bounds the probability of a false "better" or "worse" anywhere in a family.
const alpha = 0.05

// equivalenceLevel is the confidence level whose interval is equivalent to two one-sided tests at alpha.
const equivalenceLevel = 1 - 2*alpha

// family holds the comparisons of one table.
type family []sample

// at gives the p-values under one counting of unscored queries, the adjusted p-values, and the calls.
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

// ifScored gives, for each member whose call depends on unscored queries, its own or another member's, the
// call that scoring them could lead to; nil for the others. "All counted as right" is tried first.
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

// FamilyOf gives what the adjustment over one table's comparisons requires of a single
// comparison before it is called better or worse. Nil if all were refused.
//
// Source: methods.md §5.5 and §5.6.
func FamilyOf(comparisons []result.Comparison) *result.Family {
	f := &result.Family{}
	pairs := 0
	for _, c := range comparisons {
		if c.Refused != nil {
			continue
		}
		f.Comparisons++
		if c.Pairing == result.Paired {
			pairs = max(pairs, c.Queries)
		}
	}
	if f.Comparisons == 0 {
		return nil
	}
	f.FirstLevel = alpha / float64(f.Comparisons)
	f.LeastLosses = leastLosses(pairs, f.FirstLevel)
	known := mdes{}
	for _, c := range comparisons {
		if c.Refused != nil || c.Pairing != result.Paired || c.CorrectBefore == nil {
			continue
		}
		mde := known.at(f.FirstLevel, tally{paired: true, nBase: c.Queries, xBase: *c.CorrectBefore, n: c.Queries})
		if mde != nil && (f.MDE == nil || *mde < *f.MDE) {
			f.MDE = mde
		}
	}
	return f
}

// leastLosses is the smallest number of losses without a gain that reaches the level; nil
// if the loss of all pairs does not. The loop is short: every further loss halves p.
func leastLosses(pairs int, level float64) *int {
	for losses := 1; losses <= pairs; losses++ {
		if p, ok := stats.McNemar(losses, 0, stats.MidP); ok && p <= level {
			return &losses
		}
	}
	return nil
}
