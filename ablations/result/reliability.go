package result

import (
	"github.com/seed-5817661a/concur/internal/bag"
	"github.com/seed-5817661a/concur/internal/stats"
)

// reliability returns the figures on single traces. For an incomplete run they are undefined, because missing
// queries would change the rates. Queries with fewer than k traces that have a verdict are left out of pass@K
// and pass^K.
func (t *tally) reliability(k int) Reliability {
	var out Reliability
	if t.counts.Missing > 0 {
		return out
	}
	full := func(q outcome) bool { return int(q.ruled) == k }
	out.PassAtK = t.outcomes.estimate(full, func(q outcome) bool { return q.right > 0 })
	out.PassHatK = t.outcomes.estimate(full, func(q outcome) bool { return int(q.right) == k })
	if k == 1 {
		return out
	}
	var unanimous, right int
	for q, times := range t.outcomes.all() {
		unanimous += times * bag.OneIf(q.unanimous)
		right += times * bag.OneIf(q.unanimous && isCorrect(q))
	}
	out.Unanimous, out.UnanimousCorrect = &unanimous, &right
	out.AccuracyIfUnanimous, _ = t.outcomes.share(func(q outcome) bool { return q.unanimous }, isCorrect)
	out.ICC = t.votes.Patterns.ICC(k)
	return out
}

func isCorrect(q outcome) bool { return q.verdict == correct }

// share looks only at the queries for which counts is true. It returns their number, and the share of them for
// which holds is true, with its interval. r is nil if there are no such queries.
func (o outcomes) share(counts, holds func(outcome) bool) (r *Rate, queries int) {
	var values stats.Values
	for q, times := range o.all() {
		if counts(q) {
			values.Add(stats.Bit(holds(q)), q.cluster, times)
		}
	}
	return rateOf(&values), values.Len()
}

// estimate returns the same share as an Estimate.
func (o outcomes) estimate(counts, holds func(outcome) bool) Estimate {
	r, n := o.share(counts, holds)
	e := Estimate{Queries: n, Dropped: o.Len() - n}
	if r != nil {
		e.Value, e.CI = &r.Value, r.CI
	}
	return e
}

// rateOf returns the mean of values, each 1 or 0, with Wilson's interval. If two values have the same
// cluster, clusters are the units (docs/method.md §5.3). It returns nil if there are no values.
func rateOf(values *stats.Values) *Rate {
	if !values.Together() {
		return newRate(values.Count(1), values.Len())
	}
	found, ci, ok := clusteredRate(values)
	if !ok {
		return nil
	}
	return &Rate{found.Mean, ci}
}

// estimate returns the estimate of a share. queries is the number of queries for which the share is defined,
// part the number of those that count for it, and of the number of all queries.
func estimate(part, queries, of int) Estimate {
	e := Estimate{Queries: queries, Dropped: of - queries}
	if r := newRate(part, queries); r != nil {
		e.Value, e.CI = &r.Value, r.CI
	}
	return e
}

// newRate returns the rate part/of with its interval; nil if of is 0.
func newRate(part, of int) *Rate {
	value := share(part, of)
	if value == nil {
		return nil
	}
	ci := wilson(part, of)
	return &Rate{*value, &ci}
}

func wilson(part, of int) Interval {
	low, high := stats.Wilson(part, of, Level)
	return Interval{"wilson", Level, low, high}
}

// confidence returns the figures on agreement as confidence. It returns nil unless all queries of the run have
// an agreement and at least one is scored.
func (t *tally) confidence() *Confidence {
	c, ok := t.graded.Calibrate()
	if !ok || t.agreeing != t.counts.Queries {
		return nil
	}
	out := &Confidence{
		Unscored: t.agreeing - t.graded.Len(),
		ECE:      c.ECE, Brier: c.Brier, AUROC: c.AUROC, AURC: c.AURC, ExcessAURC: c.Excess, AUGRC: c.AUGRC,
	}
	for _, l := range c.Levels {
		accuracy, _ := t.outcomes.share(func(q outcome) bool {
			return q.agreement == l.Confidence && q.verdict != unscored
		}, isCorrect)
		out.Levels = append(out.Levels, ConfidenceLevel{
			Agreement: l.Confidence, Queries: l.Items, Correct: l.Correct, Accuracy: *accuracy, Coverage: l.Coverage,
			Risk: l.Risk,
		})
	}
	return out
}
