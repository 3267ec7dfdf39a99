package stats_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/internal/stats"
)

// ranked returns items: a letter of clusters, and 1 or 0 of right, for each score.
func ranked(clusters, right string, scores ...float64) (out []stats.Ranked) {
	for i, s := range scores {
		out = append(out, stats.Ranked{Score: s, Right: right[i] == '1', Cluster: clusters[i : i+1]})
	}
	return out
}

// The numbers were computed by another program, which follows the paper item by item.
func TestClusteredAUROC(t *testing.T) {
	for _, c := range []struct {
		name    string
		items   []stats.Ranked
		auc, se float64
	}{
		{"one item in each cluster", ranked("abcdef", "111000", 3, 2, 1, 2, 0, -1), 0.8333333333333334, 0.19245008972987526},
		{"pairs", ranked("aabbccddee", "1100101100", 3, 2, 1, 2, 0, -1, 2.5, 2, 2, .3), 0.76, 0.14130817386124558},
		{"unequal clusters", ranked("aabbccc", "1010100", 3, 2, 1, 2, 0.5, .25, -1), 0.6666666666666666, 0.22047927592204922},
	} {
		got, ok := stats.ClusteredAUROC(c.items)
		if !ok || math.Abs(got.AUROC-c.auc) > 1e-12 || math.Abs(got.SE-c.se) > 1e-12 {
			t.Errorf("%s: got %+v, %t; want %g and %g", c.name, got, ok, c.auc, c.se)
		}
	}
}

func TestUndefinedAUROC(t *testing.T) {
	for _, items := range [][]stats.Ranked{nil, ranked("ab", "11", 1, 2), ranked("ab", "10", math.NaN(), 2)} {
		if got, ok := stats.ClusteredAUROC(items); ok {
			t.Errorf("%v: got %+v, want it undefined", items, got)
		}
	}
	alone, ok := stats.ClusteredAUROC(ranked("aab", "100", 3, 2, 1))
	if _, has := alone.Interval(.95); !ok || alone.AUROC != 1 || alone.SE != 0 || has {
		t.Errorf("right items of one cluster: got %+v, %t; want an area without an error", alone, ok)
	}
}

func TestAUROCInterval(t *testing.T) {
	var items []stats.Ranked
	for i := range 24 {
		items = append(items, stats.Ranked{Score: float64(i*7%24) / 24, Right: i%3 == 0, Cluster: strings.Repeat("c", 1+i/2)})
	}
	d, ok := stats.ClusteredAUROC(items)
	if _, has := d.Interval(.95); !ok || has {
		t.Errorf("%+v has an interval with %d clusters of right items", d, d.RightClusters)
	}
	items = slices.Concat(items, items)
	for i := range 24 {
		items[24+i].Cluster += "x"
	}
	d, _ = stats.ClusteredAUROC(items)
	i, has := d.Interval(.95)
	if !has || i.Low < 0 || i.High > 1 || i.Low >= d.AUROC || i.High <= d.AUROC {
		t.Errorf("%+v: interval %+v, %t", d, i, has)
	}
}

func TestMeanInterval(t *testing.T) {
	c, _ := stats.ClusteredError(stats.ValuesOf(-1, 0, 1, 2, 3))
	i, ok := c.MeanInterval(.95)
	// The mean is 1, the error √.5, and t of 4 degrees of freedom 2.7764451051977987.
	if half := 2.7764451051977987 * math.Sqrt(.5); !ok || math.Abs(i.Low-(1-half)) > 1e-9 || math.Abs(i.High-(1+half)) > 1e-9 {
		t.Errorf("got %+v, %t", i, ok)
	}
	var together stats.Values
	for n := range 12 {
		together.Add(float64(n), string(rune('a'+n/2)), 1)
	}
	few, _ := stats.ClusteredError(&together)
	same, _ := stats.ClusteredError(stats.ValuesOf(2, 2, 2, 2))
	for _, c := range []stats.Clustered{few, same} {
		if i, ok := c.MeanInterval(.95); ok {
			t.Errorf("%+v has the interval %+v", c, i)
		}
	}
}
