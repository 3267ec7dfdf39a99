package result

import (
	"github.com/seed-5817661a/concur/internal/stats"
)

// reliability is undefined for an incomplete run: missing queries would change the rates.
func (v *votes) reliability(k int, c Counts) Reliability {
	var out Reliability
	if c.Missing > 0 {
		return out
	}
	var queries, some, all int
	for _, p := range v.patterns.All() {
		if p.Ruled != k {
			continue
		}
		queries += p.Queries
		if p.Right > 0 {
			some += p.Queries
		}
		if p.Right == k {
			all += p.Queries
		}
	}
	out.PassAtK = estimate(some, queries, c.Queries)
	out.PassHatK = estimate(all, queries, c.Queries)
	if k == 1 {
		return out
	}
	unanimous, correct := v.unanimous, v.unanimousCorrect
	out.Unanimous, out.UnanimousCorrect = &unanimous, &correct
	out.AccuracyIfUnanimous = newRate(correct, unanimous)
	out.ICC = v.patterns.ICC(k)
	return out
}

// estimate returns the estimate of a share over those queries of a run that define it.
func estimate(part, queries, of int) Estimate {
	e := Estimate{Queries: queries, Dropped: of - queries}
	if r := newRate(part, queries); r != nil {
		e.Value, e.CI = &r.Value, &r.CI
	}
	return e
}

// newRate is nil if of is 0.
func newRate(part, of int) *Rate {
	value := share(part, of)
	if value == nil {
		return nil
	}
	return &Rate{*value, wilson(part, of)}
}

func wilson(part, of int) Interval {
	low, high := stats.Wilson(part, of, Level)
	return Interval{"wilson", Level, low, high}
}

// confidence returns nil unless every query of the run has an agreement and some are scored.
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
		out.Levels = append(out.Levels, ConfidenceLevel{
			Agreement: l.Confidence, Queries: l.Items, Correct: l.Correct,
			Accuracy: Rate{l.Accuracy, wilson(l.Correct, l.Items)}, Coverage: l.Coverage, Risk: l.Risk,
		})
	}
	return out
}
