package result

import "github.com/seed-5817661a/concur/internal/stats"

// confidence is nil unless every query of the run has an agreement and some are scored.
func (t *tally) confidence() *Confidence {
	if t.agreeing != t.counts.Queries {
		return nil
	}
	calibration, ok := stats.Calibrate(t.graded)
	selective, also := stats.RiskCoverage(t.graded)
	if !ok || !also {
		return nil
	}
	out := &Confidence{
		Unscored: t.agreeing - len(t.graded),
		ECE:      calibration.ECE, Brier: calibration.Brier, AUROC: calibration.AUROC,
		AURC: selective.AURC, ExcessAURC: selective.Excess, AUGRC: selective.AUGRC,
	}
	for i, l := range calibration.Levels {
		at := selective.Curve[i]
		out.Levels = append(out.Levels, ConfidenceLevel{
			Agreement: l.Confidence, Queries: l.Items, Correct: l.Correct,
			Accuracy: Rate{l.Accuracy, wilson(l.Correct, l.Items)},
			Coverage: at.Coverage, Risk: at.Risk,
		})
	}
	return out
}
