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

// ClusteredError returns the mean of scores and its standard error when items of one
// cluster (same document, same template) are dependent. Scores are
// rates of items, or paired differences of them; cluster names the cluster of each.
//
//	SE² = C/(C-1) · (1/n²) Σ_g (Σ_{i in g} (s_i - mean))²
//
// ok is false for fewer than two clusters, whose error is unknown, for slices of different
// lengths, and if a score is not finite. See MinClusters.
//
// Source: E. Miller, arXiv 2411.00640, appendix A; methods.md §5.3.
func ClusteredError[C comparable](scores []float64, cluster []C) (Clustered, bool) {
	mean, ok := Mean(scores)
	if !ok || len(scores) != len(cluster) {
		return Clustered{}, false
	}
	residuals := make([]float64, len(scores))
	for i, s := range scores {
		residuals[i] = s - mean
	}
	sums, _ := SumClusters(residuals, cluster)
	if len(sums) < 2 {
		return Clustered{}, false
	}
	raw := math.Sqrt(sumSquares(sums, 0)) / float64(len(scores))
	c := float64(len(sums))
	return Clustered{Mean: mean, SE: raw * math.Sqrt(c/(c-1)), Clusters: len(sums)}, finite(raw)
}

// RateIntervals returns the intervals, within [0, 1], of a mean that is a rate. ok is false
// below MinClusters and if EffectiveIntervals is undefined.
func (c Clustered) RateIntervals(level float64) (Effective, bool) {
	if c.Clusters < MinClusters {
		return Effective{}, false
	}
	return EffectiveIntervals(c.Mean, c.SE, c.Clusters, level)
}

// TInterval returns mean ± t·se with Student's t of df degrees of freedom, df = n-1 for
// the mean of n independent differences. ok is false for df < 1, a negative se, a level
// outside (0, 1) and where the result is not finite.
func TInterval(mean, se float64, df int, level float64) (Interval, bool) {
	if df < 1 || df > maxCount || !(se >= 0) || !open(level) {
		return Interval{}, false
	}
	half := tQuantile(level, float64(df)) * se
	i := Interval{mean - half, mean + half}
	return i, finite(i.Low) && finite(i.High)
}

// SumClusters adds the scores of each cluster, clusters in the order of their first
// item, so that the result does not depend on the order of a map. ok is false for
// slices of different lengths.
func SumClusters[C comparable](scores []float64, cluster []C) ([]float64, bool) {
	if len(scores) != len(cluster) {
		return nil, false
	}
	place := map[C]int{}
	sums := []float64{}
	for i, s := range scores {
		at, seen := place[cluster[i]]
		if !seen {
			at = len(sums)
			place[cluster[i]] = at
			sums = append(sums, 0)
		}
		sums[at] += s
	}
	return sums, true
}
