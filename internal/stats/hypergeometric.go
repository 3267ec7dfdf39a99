package stats

import "math"

// exactDraws is the population up to which the ratio of the counts is taken as it stands:
// the product of two of them still fits.
const exactDraws = 500

// hypergeometricPMF is the probability of x marked among drawn items, taken without
// replacement from total items of which marked are marked; 0 outside the support.
func hypergeometricPMF(x, total, marked, drawn int) float64 {
	if x < max(0, drawn+marked-total) || x > min(marked, drawn) {
		return 0
	}
	if total <= exactDraws {
		return choose(marked, x) * choose(total-marked, drawn-x) / choose(total, drawn)
	}
	return math.Exp(logChoose(marked, x) + logChoose(total-marked, drawn-x) - logChoose(total, drawn))
}
