package stats

import (
	"math"
	"slices"
	"sort"
)

// Ranked is an item with a score, of one of two classes.
type Ranked struct {
	Score   float64
	Right   bool
	Cluster string // items of one cluster depend on each other
}

// Discrimination is the chance that a right item has a higher score than a wrong one; a tie counts half.
type Discrimination struct {
	AUROC float64
	SE    float64 // the standard error by clusters; 0 if it is undefined
	// Clusters is the number of clusters; RightClusters and WrongClusters are those with a right and with a wrong item.
	Clusters, RightClusters, WrongClusters int
}

// ClusteredAUROC returns the area under the ROC curve, and its standard error if items of one cluster depend on each
// other. With one item in each cluster, the error is DeLong's.
//
//	SE² = S10/M + S01/N + 2·S11/(MN)
//
// for M right and N wrong items, where S10, S01 and S11 are the sums of squares and products of the clusters' sums of
// structural components. ok is false unless there are items of both classes, and for a score that is not finite.
// Source: N. A. Obuchowski, Biometrics 53 (1997) 567-578; docs/method.md §5.12.
func ClusteredAUROC(items []Ranked) (d Discrimination, ok bool) {
	var right, wrong []float64
	for _, i := range items {
		if !finite(i.Score) {
			return d, false
		}
		if i.Right {
			right = append(right, i.Score)
		} else {
			wrong = append(wrong, i.Score)
		}
	}
	if len(right) == 0 || len(wrong) == 0 {
		return d, false
	}
	slices.Sort(right)
	slices.Sort(wrong)
	for _, score := range right {
		d.AUROC += below(wrong, score)
	}
	d.AUROC /= float64(len(right))
	type sums struct{ right, wrong, deviation10, deviation01 float64 }
	of := map[string]*sums{}
	var order []*sums // so that the sums are always added in the same order
	for _, i := range items {
		c := of[i.Cluster]
		if c == nil {
			c = &sums{}
			of[i.Cluster] = c
			order = append(order, c)
		}
		if i.Right {
			c.right++
			c.deviation10 += below(wrong, i.Score) - d.AUROC
		} else {
			c.wrong++
			c.deviation01 += 1 - below(right, i.Score) - d.AUROC
		}
	}
	d.Clusters = len(order)
	var squares10, squares01, products float64
	for _, c := range order {
		if c.right > 0 {
			d.RightClusters++
		}
		if c.wrong > 0 {
			d.WrongClusters++
		}
		squares10 += c.deviation10 * c.deviation10
		squares01 += c.deviation01 * c.deviation01
		products += c.deviation10 * c.deviation01
	}
	if d.RightClusters < 2 || d.WrongClusters < 2 {
		return d, true
	}
	m, n, clusters := float64(len(right)), float64(len(wrong)), float64(d.Clusters)
	grow := func(clusters int) float64 { return float64(clusters) / float64(clusters-1) }
	variance := grow(d.RightClusters)*squares10/(m*m) + grow(d.WrongClusters)*squares01/(n*n) +
		2*clusters/(clusters-1)*products/(m*n)
	d.SE = math.Sqrt(max(0, variance))
	return d, true
}

// Interval returns the interval AUROC ± t·SE within [0, 1], with Student's t of the smaller number of clusters, less
// one. ok is false if a class has fewer than MinClusters clusters, if SE is 0, and for a level outside (0, 1).
func (d Discrimination) Interval(level float64) (Interval, bool) {
	units := min(d.RightClusters, d.WrongClusters)
	if units < MinClusters || d.SE <= 0 {
		return Interval{}, false
	}
	i, ok := TInterval(d.AUROC, d.SE, units-1, level)
	return Interval{max(0, i.Low), min(1, i.High)}, ok
}

// below returns the share of sorted values that are below a value; equal values count half.
func below(sorted []float64, value float64) float64 {
	first := sort.SearchFloat64s(sorted, value)
	after := first + sort.Search(len(sorted)-first, func(i int) bool { return sorted[first+i] > value })
	return float64(first+after) / 2 / float64(len(sorted))
}
