package ablations

import (
	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/stats"
)

// FamilyOf says what the adjustment over these comparisons, one table's, asks of the first
// of them to be called better or worse. Nil where none was made.
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
	known := map[[2]int]*float64{} // by pairs and correct ones
	for _, c := range comparisons {
		if c.Refused != nil || c.Pairing != result.Paired || c.CorrectBefore == nil {
			continue
		}
		design := [2]int{c.Queries, *c.CorrectBefore}
		mde, seen := known[design]
		if !seen {
			mde = tally{paired: true, nBase: c.Queries, xBase: *c.CorrectBefore, n: c.Queries}.mde(f.FirstLevel)
			known[design] = mde
		}
		if mde != nil && (f.MDE == nil || *mde < *f.MDE) {
			f.MDE = mde
		}
	}
	return f
}

// leastLosses is nil where even the loss of all pairs does not reach the level. Its loop is
// short: every further loss halves p.
func leastLosses(pairs int, level float64) *int {
	for losses := 1; losses <= pairs; losses++ {
		if p, ok := stats.McNemar(losses, 0, stats.MidP); ok && p <= level {
			return &losses
		}
	}
	return nil
}
