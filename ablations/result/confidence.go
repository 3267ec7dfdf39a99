package result

import "github.com/seed-5817661a/concur/internal/stats"

// confidence is nil unless every query of the run has an agreement and some are scored.
func (t *tally) confidence() *Confidence {
	c, ok := stats.Calibrate(t.graded)
	if !ok || t.agreeing != t.counts.Queries {
		return nil
	}
	out := &Confidence{
		Unscored: t.agreeing - len(t.graded),
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
