package stats

// Reliability is how much of the spread of single traces is between items rather than
// between the traces of one item.
type Reliability struct {
	// ICC is ICC(1,1), at most 1. It may come out below 0, which reads as 0.
	ICC float64
	// Between and Within are the mean squares MSB and MSW.
	Between, Within float64
	// Traces is K, those of each item.
	Traces int
}

// ICC returns the one-way intraclass correlation of scores[item][trace], n items with
// the same number K of traces:
//
//	ICC(1,1) = (MSB - MSW) / (MSB + (K-1)MSW)
//	MSB = K Σ(mean_i - mean)²/(n-1),  MSW = ΣΣ(y - mean_i)²/(n(K-1))
//
// ok is false for n < 2, K < 2, items with different K, a score that is not finite, and
// where all scores are equal: without spread there is no share of it.
//
// Source: P. E. Shrout and J. L. Fleiss, Psych. Bulletin 86 (1979) 420-428; methods.md §4.
func ICC(scores [][]float64) (Reliability, bool) {
	if len(scores) < 2 || len(scores[0]) < 2 {
		return Reliability{}, false
	}
	n, k := float64(len(scores)), float64(len(scores[0]))
	means := make([]float64, len(scores))
	within := 0.0
	for i, traces := range scores {
		mean, ok := Mean(traces)
		if !ok || len(traces) != len(scores[0]) {
			return Reliability{}, false
		}
		means[i] = mean
		within += sumSquares(traces, mean)
	}
	mean, ok := Mean(means)
	if !ok {
		return Reliability{}, false
	}
	r := Reliability{Between: k * sumSquares(means, mean) / (n - 1), Within: within / n / (k - 1), Traces: len(scores[0])}
	spread := r.Between + (k-1)*r.Within
	if !(spread > 0) || !finite(spread) {
		return Reliability{}, false
	}
	r.ICC = (r.Between - r.Within) / spread
	return r, true
}

// OfMean returns the reliability of the mean of k >= 1 traces by the Spearman-Brown
// formula k·ICC/(1+(k-1)ICC), with a negative ICC read as 0. ok is false for k < 1.
func (r Reliability) OfMean(k int) (float64, bool) {
	if k < 1 {
		return 0, false
	}
	icc := max(r.ICC, 0)
	return float64(k) * icc / (1 + float64(k-1)*icc), true
}
