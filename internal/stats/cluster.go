package stats

import "math"

// With fewer than MinClusters clusters, or fewer than MinEffective effective ones, clustered queries get no
// interval and no p-value, because the standard error itself is too uncertain. Without clusters, MinUnits
// queries are needed. Source: docs/method.md §5.3.
const (
	MinClusters  = 10
	MinEffective = 5.0
	MinUnits     = 3
)

// Clustered is the mean of values of queries; queries of one cluster depend on each other.
type Clustered struct {
	Mean      float64
	SE        float64 // by CR2; 0 for a single cluster, for which it is undefined
	Items     int
	Clusters  int       // G
	Effective float64   // G* = n²/Σ n_g²: the number of clusters of equal size with the same information
	Sums      []float64 // of the values of each cluster, in the order of their first items
	// Share is the mean with the data for its interval, if the mean is a rate; zero if it has no interval.
	Share Share
}

// ClusteredError returns the mean of values and its standard error if items of one cluster (same
// document, same template) are dependent. Values are rates of items, or paired differences of them;
// cluster nil makes each item a cluster of its own, with the error s/√n.
//
//	SE² = (1/n²) Σ_g S_g² / (1 - n_g/n),  S_g = Σ_{i in g} (v_i - mean)
//
// ok is false without values, for slices of different lengths and a value that is not finite. Source: R. M.
// Bell and D. F. McCaffrey, Survey Methodology 28 (2002) 169-181 (CR2, closed for a mean); docs/method.md §5.3.
func ClusteredError[C comparable](values []float64, cluster []C) (Clustered, bool) {
	mean, ok := Mean(values)
	if !ok || cluster != nil && len(values) != len(cluster) {
		return Clustered{}, false
	}
	c := Clustered{Mean: mean, Items: len(values)}
	place, sizes := map[C]int{}, []float64{} // in the order of their first item, not that of a map
	for i, v := range values {
		at := len(sizes)
		if cluster != nil {
			if known, seen := place[cluster[i]]; seen {
				at = known
			} else {
				place[cluster[i]] = at
			}
		}
		if at == len(sizes) {
			sizes, c.Sums = append(sizes, 0), append(c.Sums, 0)
		}
		sizes[at]++
		c.Sums[at] += v - mean
	}
	n, squares, variance := float64(len(values)), sumSquares(sizes, 0), 0.0
	c.Clusters, c.Effective = len(sizes), n*n/squares
	for g, size := range sizes {
		if size < n {
			variance += c.Sums[g] * c.Sums[g] / (1 - size/n)
		}
		c.Sums[g] += size * mean
	}
	c.SE = math.Sqrt(variance) / n
	return c, finite(c.SE)
}

// Together reports whether at least one cluster has two items.
func (c Clustered) Together() bool { return c.Clusters < c.Items }

// Enough reports whether there are enough units for an interval and a test.
func (c Clustered) Enough() bool {
	return c.Clusters >= MinUnits && (!c.Together() || c.Clusters >= MinClusters && c.Effective >= MinEffective)
}

// QueryMean returns the mean of the means of queries, each of so many traces, with its interval within [0, 1]:
// Wilson's with the effective number of traces for n and Student's t(G*-1) for z,
//
//	n_e = m(1-m) / (SE² + 1/(K·G*)²), at most Σ k_i; G* where m is 0 or 1,  K the harmonic mean of k_i
//
// one more trace of one unit being added to the error, since zero spread does not prove certainty. With one trace
// for each query it is that of ClusteredRate. ci is nil if the units are not Enough. ok is false for a mean
// outside [0, 1], a count below 1, a level outside (0, 1), and if ClusteredError is undefined.
// Source: E. L. Korn and B. I. Graubard, Survey Methodology 24 (1998) 193-201; docs/method.md §5.3 (the added trace).
func QueryMean[C comparable](means []float64, traces []int, cluster []C, level float64) (Clustered, *Interval, bool) {
	k, all, ok := harmonic(traces)
	if !ok || len(means) != len(traces) {
		return Clustered{}, nil, false
	}
	more := 1 / k
	if all == len(means) {
		more = 0
	}
	return meanInterval(means, all, more, cluster, level)
}

// ClusteredRate returns the share of queries that are right, each 1 or 0, with Wilson's interval for n_e = m(1-m)/SE²
// trials, at most n, and t(G*-1) for z; n_e is G* without spread. Where queries are the units it is Wilson's
// interval. ci and ok are as those of QueryMean. Source: Korn and Graubard 1998; docs/method.md §5.3.
func ClusteredRate[C comparable](right []float64, cluster []C, level float64) (c Clustered, ci *Interval, ok bool) {
	return meanInterval(right, len(right), 0, cluster, level)
}

// meanInterval is QueryMean with the variance more/G*² of an added trace; more is 0 for verdicts.
func meanInterval[C comparable](
	means []float64, most int, more float64, cluster []C, level float64,
) (Clustered, *Interval, bool) {
	c, ok := ClusteredError(means, cluster)
	for _, m := range means {
		ok = ok && isRate(m)
	}
	if !ok || !open(level) {
		return Clustered{}, nil, false
	}
	if !c.Enough() {
		return c, nil, true
	}
	if more == 0 && !c.Together() {
		c.Share = Share{c.Mean, float64(most), twoSided(level)}
		i := wilsonAt(c.Share.Rate, c.Share.Size, c.Share.Critical)
		return c, &i, true
	}
	size, mean, variance := c.Effective, c.Mean, c.SE*c.SE+square(more/c.Effective)
	switch {
	case mean <= tiny:
		mean = 0
	case mean >= 1-tiny:
		mean = 1
	case variance >= 1e-15:
		size = min(mean*(1-mean)/variance, float64(most))
	}
	c.Share = Share{mean, size, tQuantile(level, c.Effective-1)}
	i := wilsonAt(mean, size, c.Share.Critical)
	return c, &i, true
}

// tiny is the largest rounding error of a mean of shares.
const tiny = 1e-12

// harmonic returns the harmonic mean of counts, and their sum. ok is false if there are no counts, or one is
// below 1.
func harmonic(counts []int) (mean float64, sum int, ok bool) {
	inverse := 0.0
	for _, k := range counts {
		if k < 1 || k > maxCount {
			return 0, 0, false
		}
		inverse += 1 / float64(k)
		sum += k
	}
	return float64(len(counts)) / inverse, sum, len(counts) > 0
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

// EffectiveInterval returns the interval, within [0, 1], for a mean in [0, 1] with standard error se,
// from fractional scores or from clusters: Wilson's for n_eff = m(1-m)/se² yes-or-no trials. units,
// the number of items or of clusters, is n_eff if se = 0 or the mean is 0 or 1, because zero spread
// does not prove certainty. ok is false for a mean outside [0, 1], a negative or infinite se,
// units < 1, an n_eff above 10^7 or a level outside (0, 1).
// Source: E. L. Korn and B. I. Graubard, Survey Methodology 24 (1998) 193-201; docs/method.md §5.3.
func EffectiveInterval(mean, se float64, units int, level float64) (Interval, bool) {
	if !isRate(mean) || !(se >= 0) || !finite(se) || units < 1 || !open(level) {
		return Interval{}, false
	}
	size := mean * (1 - mean) / (se * se)
	if se*se == 0 || mean == 0 || mean == 1 {
		size = float64(units)
	}
	// If the standard error is larger than scores in [0, 1] allow, the size is less than one trial.
	if !(size > 0 && size <= maxCount) {
		return Interval{}, false
	}
	low, high := Wilson(mean*size, size, level)
	return Interval{low, high}, true
}
