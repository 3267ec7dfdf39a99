package stats

import "math"

// MinClusters is the number of clusters below which methods.md §5.3 refuses an interval,
// because the standard error itself is too uncertain.
const MinClusters = 10

// Clustered is the mean of clustered scores, with its sandwich error.
type Clustered struct {
	Mean     float64
	SE       float64 // with the correction C/(C-1) for few clusters
	Clusters int
}

// ClusteredError returns the mean of scores and its standard error where items of one cluster (same
// document, same template) are dependent. Scores are rates of items, or paired differences of them.
//
//	SE² = C/(C-1) · (1/n²) Σ_g (Σ_{i in g} (s_i - mean))²
//
// ok is false for fewer than two clusters, slices of different lengths and a score that is not
// finite. Source: E. Miller, arXiv 2411.00640, appendix A; methods.md §5.3.
func ClusteredError[C comparable](scores []float64, cluster []C) (Clustered, bool) {
	mean, ok := Mean(scores)
	if !ok || len(scores) != len(cluster) {
		return Clustered{}, false
	}
	place, sums := map[C]int{}, []float64{} // in the order of their first item, not that of a map
	for i, c := range cluster {
		if _, seen := place[c]; !seen {
			place[c] = len(sums)
			sums = append(sums, 0)
		}
		sums[place[c]] += scores[i] - mean
	}
	if len(sums) < 2 {
		return Clustered{}, false
	}
	raw := math.Sqrt(sumSquares(sums, 0)) / float64(len(scores))
	c := float64(len(sums))
	return Clustered{Mean: mean, SE: raw * math.Sqrt(c/(c-1)), Clusters: len(sums)}, finite(raw)
}

// RateInterval returns the interval, within [0, 1], of a mean that is a rate. ok is false
// below MinClusters and if EffectiveInterval is undefined.
func (c Clustered) RateInterval(level float64) (Interval, bool) {
	if c.Clusters < MinClusters {
		return Interval{}, false
	}
	return EffectiveInterval(c.Mean, c.SE, c.Clusters, level)
}

// TInterval returns mean ± t·se with Student's t of df degrees of freedom, n-1 for n independent
// differences. ok is false for df < 1, se < 0, a level outside (0, 1), and an infinite result.
func TInterval(mean, se float64, df int, level float64) (Interval, bool) {
	if df < 1 || df > maxCount || !(se >= 0) || !open(level) {
		return Interval{}, false
	}
	half := tQuantile(level, float64(df)) * se
	i := Interval{mean - half, mean + half}
	return i, finite(i.Low) && finite(i.High)
}

// ICC returns the one-way intraclass correlation of scores[item][trace], n items with K traces each:
//
//	ICC(1,1) = (MSB - MSW) / (MSB + (K-1)MSW)
//	MSB = K Σ(mean_i - mean)²/(n-1),  MSW = ΣΣ(y - mean_i)²/(n(K-1))
//
// It is at most 1, and may be negative, which means 0. ok is false for n < 2, K < 2, items with
// different K, a score that is not finite, and where all scores are equal.
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

// EffectiveInterval returns the interval, within [0, 1], for a mean in [0, 1] with standard error se,
// from fractional scores or from clusters: Wilson's for n_eff = m(1-m)/se² yes-or-no trials. units,
// the number of items or of clusters, is n_eff if se = 0 or the mean is 0 or 1, because zero spread
// does not prove certainty. ok is false for a mean outside [0, 1], a negative or infinite se,
// units < 1, an n_eff above 10^7 or a level outside (0, 1).
// Source: E. L. Korn and B. I. Graubard, Survey Methodology 24 (1998) 193-201; methods.md §5.3.
func EffectiveInterval(mean, se float64, units int, level float64) (Interval, bool) {
	if !isRate(mean) || !(se >= 0) || !finite(se) || units < 1 || !open(level) {
		return Interval{}, false
	}
	size := mean * (1 - mean) / (se * se)
	if se*se == 0 || mean == 0 || mean == 1 {
		size = float64(units)
	}
	// An error larger than scores in [0, 1] can have leaves less than one trial.
	if !(size > 0 && size <= maxCount) {
		return Interval{}, false
	}
	low, high := Wilson(mean*size, size, level)
	return Interval{low, high}, true
}
