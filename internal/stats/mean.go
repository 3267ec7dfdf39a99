package stats

import "math"

// Mean returns the arithmetic mean. ok is false without scores, and if a score or the sum is
// not finite.
func Mean(scores []float64) (float64, bool) {
	if len(scores) == 0 {
		return 0, false
	}
	// Summing differences from the first score makes the mean of equal scores exact.
	first, sum := scores[0], 0.0
	for _, s := range scores {
		sum += s - first
	}
	mean := first + sum/float64(len(scores))
	return mean, finite(mean)
}

// StandardError returns the standard error of the mean of independent scores, one per
// item: sqrt(Σ(s-mean)² / (n(n-1))). ok is false for fewer than two, whose error is
// unknown (methods.md §1.2), and if a score is not finite.
//
// Average the traces of an item first: they are not independent (methods.md §5.3).
func StandardError(scores []float64) (float64, bool) {
	mean, ok := Mean(scores)
	if !ok || len(scores) < 2 {
		return 0, false
	}
	n := float64(len(scores))
	se := math.Sqrt(sumSquares(scores, mean) / n / (n - 1))
	return se, finite(se)
}

func sumSquares(scores []float64, mean float64) float64 {
	sum := 0.0
	for _, s := range scores {
		sum += (s - mean) * (s - mean)
	}
	return sum
}
