package stats_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/internal/stats"
)

// clustered returns the values of items, of which those with an equal cluster depend on each other.
func clustered[C comparable](values []float64, cluster []C) *stats.Values {
	v := &stats.Values{}
	for i, value := range values {
		name := ""
		if cluster != nil {
			name = fmt.Sprint("cluster ", cluster[i])
		}
		v.Add(value, name, 1)
	}
	return v
}

func tracesOf(numbers []int) (t stats.Traces) {
	for _, n := range numbers {
		t.Add(n, 1)
	}
	return t
}

// listed computes the figures of ClusteredError from a list of values with a number of the cluster for each, as the
// formula of its comment says.
func listed(values []float64, units []int) (c stats.Clustered, sums []float64) {
	mean, _ := stats.Mean(values)
	place, sizes := map[int]int{}, []float64{}
	for i, v := range values {
		at, seen := place[units[i]]
		if !seen {
			at = len(sizes)
			place[units[i]] = at
			sizes, sums = append(sizes, 0), append(sums, 0)
		}
		sizes[at]++
		sums[at] += v - mean
	}
	n, squares, variance := float64(len(values)), 0.0, 0.0
	for g, size := range sizes {
		squares += size * size
		if size < n {
			variance += sums[g] * sums[g] / (1 - size/n)
		}
		sums[g] += size * mean
	}
	return stats.Clustered{Mean: mean, SE: math.Sqrt(variance) / n, Items: len(values), Clusters: len(sizes),
		Effective: n * n / squares}, sums
}

// Counted values give the figures of a list of the values to the last bit, whatever is counted together.
func TestValuesAreThoseOfAList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var counted stats.Values
		var list []float64
		var units []int
		var traces stats.Traces
		inverse, known := 0.0, map[string]int{}
		for len(list) == 0 || rapid.IntRange(0, 12).Draw(t, "more") > 0 {
			k := rapid.IntRange(1, 7).Draw(t, "traces")
			value := float64(rapid.IntRange(-k, k).Draw(t, "value")) / float64(k)
			cluster := rapid.SampledFrom([]string{"", "", "", "a", "b", "c"}).Draw(t, "cluster")
			items := rapid.IntRange(1, 5).Draw(t, "items")
			counted.Add(value, cluster, items)
			traces.Add(k, items)
			for range items {
				unit, is := known[cluster]
				if !is || cluster == "" {
					unit = len(list)
					known[cluster] = unit
				}
				list, units = append(list, value), append(units, unit)
				inverse += 1 / float64(k)
			}
		}
		want, sums := listed(list, units)
		got, ok := stats.ClusteredError(&counted)
		if !ok || got.Mean != want.Mean || got.SE != want.SE || got.Items != want.Items || got.Clusters != want.Clusters ||
			got.Effective != want.Effective || counted.Together() != (want.Clusters < want.Items) || counted.Len() != len(list) {
			t.Fatalf("%+v, not %+v", got, want)
		}
		mean, _ := counted.Mean()
		squares := 0.0
		for _, v := range list {
			squares += (v - mean) * (v - mean)
		}
		n := float64(len(list))
		if se, ok := stats.StandardError(&counted); mean != want.Mean || ok && se != math.Sqrt(squares/n/(n-1)) {
			t.Fatalf("the mean is %v and its error %v, of %v", mean, se, list)
		}
		if k := traces.Harmonic(); k != n/inverse {
			t.Fatalf("harmonic mean %v, not %v", k, n/inverse)
		}
		paired, ok := stats.NewPairedDifference(&counted, 1)
		sums = slices.DeleteFunc(sums, func(s float64) bool { return math.Abs(s) <= 1e-12 }) // 0, but for rounding
		differing, falls, rises := len(sums), 0.0, 0.0
		for _, v := range list {
			falls += max(-v, 0)
			rises += max(v, 0)
		}
		if !ok || paired.Differing != differing || paired.Falls != falls/n || paired.Rises != rises/n {
			t.Fatalf("%+v of %v", paired, list)
		}
		if p, ok := paired.SignFlip(1, 50); ok {
			if want, _ := stats.SignFlipTest(sums, 1, 50); math.Abs(p-want) > 1e-9 {
				t.Fatalf("p = %v, not %v", p, want)
			}
		}
	})
}

// Values that are added again and again take no more memory.
func TestValuesStaySmall(t *testing.T) {
	var v stats.Values
	v.Add(0, "", 1)
	v.Add(1, "", 1)
	if n := testing.AllocsPerRun(1000, func() { v.Add(1, "", 3) }); n > 0 {
		t.Errorf("%v allocations for a value that is known", n)
	}
	if v.Count(1) != 3*1001+1 || v.Count(0) != 1 || v.Count(2) != 0 {
		t.Errorf("%d of %d", v.Count(1), v.Len())
	}
	v.Add(1, "", 0)
	if v.Len() != 3*1001+2 {
		t.Errorf("%d values", v.Len())
	}
}
