package stats_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/internal/stats"
)

func TestClusterVectors(t *testing.T) {
	r := vectors[struct {
		Clusters  [][]float64
		Mean, IID float64
	}](t, "cluster_se")
	var scores []float64
	var cluster []int
	for g, members := range r.Clusters {
		for _, s := range members {
			scores, cluster = append(scores, s), append(cluster, g)
		}
	}
	got, ok := stats.ClusteredError(clustered(scores, cluster))
	number(t, "mean", got.Mean, ok, r.Mean, 1e-12)
	se, ok := stats.StandardError(stats.ValuesOf(scores...))
	number(t, "independent", se, ok, r.IID, sixDigits)
}

func TestErrorsUndefined(t *testing.T) {
	for name, scores := range map[string][]float64{
		"nothing": nil, "one": {1}, "NaN": {1, math.NaN()}, "infinite": {1, math.Inf(1)},
		"overflow": {math.MaxFloat64, -math.MaxFloat64},
	} {
		if got, ok := stats.StandardError(stats.ValuesOf(scores...)); ok {
			t.Errorf("%s: standard error %v, want undefined", name, got)
		}
		if got, ok := stats.ClusteredError(clustered(scores, make([]int, len(scores)))); ok != (len(scores) == 1) {
			t.Errorf("%s: clustered error %v, %v", name, got, ok)
		}
	}
	if got, ok := stats.ClusteredError(clustered([]float64{0, 1, 1}, []string{"a", "a", "a"})); !ok || got.SE != 0 || got.Enough() {
		t.Errorf("one cluster: %+v, %v, want the mean alone", got, ok)
	}
	if _, ok := stats.Mean(nil); ok {
		t.Error("the mean of nothing is defined")
	}
}

// Student's quantiles at 0.975, from any printed table.
func TestTInterval(t *testing.T) {
	for df, want := range map[int]float64{1: 12.7062047, 2: 4.30265273, 4: 2.77644511, 28: 2.04840714, 100: 1.98397152, 1_000_000: 1.95996636} {
		got, ok := stats.TInterval(0, 1, df, 0.95)
		interval(t, "t interval", got, ok, [2]float64{-want, want}, 1e-7)
	}
	for _, c := range []struct {
		se    float64
		df    int
		level float64
	}{{1, 0, .95}, {-1, 3, .95}, {math.NaN(), 3, .95}, {math.Inf(1), 3, .95}, {1, 3, 1}} {
		if got, ok := stats.TInterval(0, c.se, c.df, c.level); ok {
			t.Errorf("TInterval(%+v) = %v, want undefined", c, got)
		}
	}
}

func TestClusterProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scores := rapid.SliceOfN(rapid.Float64Range(-1, 1), 2, 30).Draw(t, "scores")
		own := make([]int, len(scores))
		for i := range own {
			own[i] = i
		}
		// An item to each cluster is the independent case.
		se, _ := stats.StandardError(stats.ValuesOf(scores...))
		alone, ok := stats.ClusteredError(clustered(scores, own))
		if !ok || !near(alone.SE, se, 1e-12) {
			t.Fatalf("clusters of one: %v, independent: %v", alone.SE, se)
		}
		// Copies of the same items teach nothing.
		twice, _ := stats.ClusteredError(clustered(append(scores, scores...), append(own, own...)))
		if !near(twice.SE, se, 1e-12) || !near(twice.Mean, alone.Mean, 1e-12) {
			t.Fatalf("copied: %v, once: %v", twice, alone)
		}
	})
}

func TestEqualScoresHaveNoError(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Float64Range(-1, 1).Draw(t, "v")
		scores := make([]float64, rapid.IntRange(2, 50).Draw(t, "n"))
		for i := range scores {
			scores[i] = v
		}
		mean, _ := stats.Mean(scores)
		if se, ok := stats.StandardError(stats.ValuesOf(scores...)); !ok || se != 0 || mean != v {
			t.Fatalf("mean %v of %v, error %v, %v", mean, v, se, ok)
		}
	})
}
