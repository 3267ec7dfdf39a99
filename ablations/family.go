package ablations

import (
	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/stats"
)

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
