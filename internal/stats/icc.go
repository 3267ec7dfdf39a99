package stats

// ICC returns the one-way intraclass correlation of scores[item][trace], n items with
// the same number K of traces:
//
//	ICC(1,1) = (MSB - MSW) / (MSB + (K-1)MSW)
//	MSB = K Σ(mean_i - mean)²/(n-1),  MSW = ΣΣ(y - mean_i)²/(n(K-1))
//
// It is at most 1, and may be negative, which means 0.
//
// ok is false for n < 2, K < 2, items with different K, a score that is not finite, and
// where all scores are equal: without spread there is no share of it.
//
// Source: P. E. Shrout and J. L. Fleiss, Psych. Bulletin 86 (1979) 420-428; methods.md §4.
func ICC(scores [][]float64) (icc float64, ok bool) {
	if len(scores) < 2 || len(scores[0]) < 2 {
		return 0, false
	}
	n, k := float64(len(scores)), float64(len(scores[0]))
	means := make([]float64, len(scores))
	within := 0.0
	for i, traces := range scores {
		mean, ok := Mean(traces)
		if !ok || len(traces) != len(scores[0]) {
			return 0, false
		}
		means[i] = mean
		within += sumSquares(traces, mean)
	}
	mean, ok := Mean(means)
	if !ok {
		return 0, false
	}
	between := k * sumSquares(means, mean) / (n - 1)
	within = within / n / (k - 1)
	spread := between + (k-1)*within
	if !(spread > 0) || !finite(spread) {
		return 0, false
	}
	return (between - within) / spread, true
}
