package result

import "github.com/seed-5817661a/concur/internal/stats"

// confidence is nil unless every query of the run has an agreement.
func confidence(graded []stats.Graded, c Counts) *Confidence {
	if len(graded) != c.Queries {
		return nil
	}
	calibration, ok := stats.Calibrate(graded)
	selective, also := stats.RiskCoverage(graded)
	if !ok || !also {
		return nil
	}
	out := &Confidence{
		ECE: calibration.ECE, Brier: calibration.Brier, AUROC: calibration.AUROC,
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

func meanAgreement(graded []stats.Graded) *float64 {
	agreements := make([]float64, len(graded))
	for i, g := range graded {
		agreements[i] = g.Confidence
	}
	return mean(agreements)
}
