package stats

import "math"

// Minimum numbers for an interval and a p-value. If queries are in clusters, there must be at least MinClusters
// clusters and MinEffective effective clusters. With fewer, the standard error itself is too uncertain. Without
// clusters, there must be at least MinUnits queries. Source: docs/method.md §5.3.
const (
	MinClusters  = 10
	MinEffective = 5.0
	MinUnits     = 3
)

// Clustered is the mean of one value per query, where the queries of a cluster depend on each other.
type Clustered struct {
	Mean      float64
	SE        float64 // by CR2; 0 for a single cluster, for which it is undefined
	Items     int
	Clusters  int     // G
	Effective float64 // G* = n²/Σ n_g²: the number of clusters of equal size with the same information
	// Share has the mean and the data for its interval, if the mean is a rate. It is zero if the mean has no
	// interval.
	Share Share

	units []unit // in the order of their first items
}

// unit has clusters in succession that have one sum.
type unit struct {
	sum, size float64 // the sum of the values of a cluster, and its number of items
	clusters  int32
}

// ClusteredError returns the mean of values and its standard error if items of one cluster (same document, same
// template) depend on each other. A value is the rate of an item, or a paired difference of rates. If each item is
// a cluster of its own, the error is s/√n.
//
//	SE² = (1/n²) Σ_g S_g² / (1 - n_g/n),  S_g = Σ_{i in g} (v_i - mean)
//
// ok is false without values, and for a value that is not finite. Source: R. M. Bell and D. F. McCaffrey, Survey
// Methodology 28 (2002) 169-181 (CR2, in closed form for a mean); docs/method.md §5.3.
func ClusteredError(values *Values) (Clustered, bool) {
	mean, ok := values.Mean()
	if !ok {
		return Clustered{}, false
	}
	c := Clustered{Mean: mean, Items: values.items}
	place := map[int32]int{} // the unit of each cluster
	for _, r := range values.runs {
		if r.cluster == alone {
			c.units = append(c.units, unit{r.value - mean, 1, r.items})
			continue
		}
		at, seen := place[r.cluster]
		if !seen {
			at = len(c.units)
			place[r.cluster] = at
			c.units = append(c.units, unit{clusters: 1})
		}
		u := &c.units[at]
		u.size += float64(r.items)
		for range r.items {
			u.sum += r.value - mean
		}
	}
	n, squares, variance := float64(values.items), 0.0, 0.0
	for i := range c.units {
		u := &c.units[i]
		c.Clusters += int(u.clusters)
		squares += float64(u.clusters) * u.size * u.size
		if u.size < n {
			for range u.clusters {
				variance += u.sum * u.sum / (1 - u.size/n)
			}
		}
		u.sum += u.size * mean
	}
	c.Effective = n * n / squares
	c.SE = math.Sqrt(variance) / n
	return c, finite(c.SE)
}

// Together reports whether at least one cluster has two items.
func (c Clustered) Together() bool { return c.Clusters < c.Items }

// Enough reports whether there are enough units for an interval and a test.
func (c Clustered) Enough() bool {
	return c.Clusters >= MinUnits && (!c.Together() || c.Clusters >= MinClusters && c.Effective >= MinEffective)
}

// MeanInterval returns the interval Mean ± t·SE of values that have no bounds, such as gains, with Student's t(G*-1).
// ok is false if there are not enough units (see Enough), if all values are equal, because that does not prove that
// further values would be equal, and for a level outside (0, 1). Source: docs/method.md §5.12.
func (c Clustered) MeanInterval(level float64) (Interval, bool) {
	if !c.Enough() || c.SE <= 0 || !open(level) {
		return Interval{}, false
	}
	half := tQuantile(level, c.Effective-1) * c.SE
	i := Interval{c.Mean - half, c.Mean + half}
	return i, finite(i.Low) && finite(i.High)
}

// QueryMean returns the mean of the means of queries, where query i has k_i traces, and its interval within
// [0, 1]. The interval is Wilson's, with n_e in place of n, and with Student's t(G*-1) in place of z:
//
//	n_e = m(1-m) / (SE² + 1/(K·G*)²), at most Σ k_i
//	n_e = G* if m is 0 or 1
//
// m is the mean, SE and G* are those of ClusteredError, and K is the harmonic mean of the k_i. The term
// 1/(K·G*) adds one trace of one unit to the error. Reason: if all values are equal, this does not prove that
// further values would be equal. If each query has one trace, the result is that of ClusteredRate.
//
// ci is nil if the method Enough returns false for the units. ok is false for a mean outside [0, 1], a count
// below 1, a level outside (0, 1), and if ClusteredError is undefined. Source: E. L. Korn and B. I. Graubard,
// Survey Methodology 24 (1998) 193-201; docs/method.md §5.3 for the added trace.
func QueryMean(means *Values, traces Traces, level float64) (Clustered, *Interval, bool) {
	if traces.invalid || traces.queries == 0 || means.items != traces.queries {
		return Clustered{}, nil, false
	}
	more := 1 / traces.Harmonic()
	if traces.sum == means.items {
		more = 0
	}
	return meanInterval(means, traces.sum, more, level)
}

// ClusteredRate returns the share of queries that are right, and its interval. right has 1 or 0 for each query.
// If queries are the units, the interval is Wilson's. With clusters it is Wilson's, with n_e = m(1-m)/SE² (at
// most n) in place of n, and t(G*-1) in place of z. If all values are equal, n_e is G*. ci is nil and ok is
// false in the same cases as for QueryMean. Source: Korn and Graubard 1998; docs/method.md §5.3.
func ClusteredRate(right *Values, level float64) (c Clustered, ci *Interval, ok bool) {
	return meanInterval(right, right.items, 0, level)
}

// meanInterval computes the interval of QueryMean and ClusteredRate. more/G* is the error that the added trace
// contributes; more is 0 for verdicts.
func meanInterval(means *Values, most int, more float64, level float64) (Clustered, *Interval, bool) {
	c, ok := ClusteredError(means)
	if !ok || !means.all(isRate) || !open(level) {
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

// TInterval returns the interval mean ± t·se, where t is of Student's distribution with df degrees of freedom.
// For n independent differences, df is n-1. ok is false for df < 1, se < 0, a level outside (0, 1), and an
// infinite result.
func TInterval(mean, se float64, df int, level float64) (Interval, bool) {
	if df < 1 || df > maxCount || !(se >= 0) || !open(level) {
		return Interval{}, false
	}
	half := tQuantile(level, float64(df)) * se
	i := Interval{mean - half, mean + half}
	return i, finite(i.Low) && finite(i.High)
}

// EffectiveInterval returns an interval, within [0, 1], for a mean of scores that may be fractions (such as the
// share of right traces of each query) or that may depend on each other in clusters. mean is in [0, 1], and se
// is its standard error. The interval is Wilson's for n_eff = mean·(1-mean)/se² trials. If se is 0, or mean is
// 0 or 1, n_eff is units, the number of scores or of clusters. Reason: equal scores do not prove that further
// scores would be equal.
//
// ok is false for a mean outside [0, 1], a negative or infinite se, units < 1, an n_eff above 10^7 and a level
// outside (0, 1). Source: E. L. Korn and B. I. Graubard, Survey Methodology 24 (1998) 193-201; docs/method.md
// §5.3.
func EffectiveInterval(mean, se float64, units int, level float64) (Interval, bool) {
	if !isRate(mean) || !(se >= 0) || !finite(se) || units < 1 || !open(level) {
		return Interval{}, false
	}
	size := mean * (1 - mean) / (se * se)
	if se*se == 0 || mean == 0 || mean == 1 {
		size = float64(units)
	}
	// If the standard error is larger than scores in [0, 1] allow, size is below one trial.
	if !(size > 0 && size <= maxCount) {
		return Interval{}, false
	}
	low, high := Wilson(mean*size, size, level)
	return Interval{low, high}, true
}
