package stats_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/internal/stats"
)

func TestClusterVectors(t *testing.T) {
	r := vectors[struct {
		Clusters       [][]float64
		Mean, IID      float64
		ClusteredSmall float64 `json:"clustered_corrected"`
	}](t, "cluster_se")
	var scores []float64
	var cluster []int
	for g, members := range r.Clusters {
		for _, s := range members {
			scores, cluster = append(scores, s), append(cluster, g)
		}
	}
	got, ok := stats.ClusteredError(scores, cluster)
	number(t, "mean", got.Mean, ok, r.Mean, 1e-12)
	number(t, "corrected", got.SE, ok, r.ClusteredSmall, sixDigits)
	se, ok := stats.StandardError(scores)
	number(t, "independent", se, ok, r.IID, sixDigits)
}

func TestErrorsUndefined(t *testing.T) {
	for name, scores := range map[string][]float64{
		"nothing": nil, "one": {1}, "NaN": {1, math.NaN()}, "infinite": {1, math.Inf(1)},
		"overflow": {math.MaxFloat64, -math.MaxFloat64},
	} {
		if got, ok := stats.StandardError(scores); ok {
			t.Errorf("%s: standard error %v, want undefined", name, got)
		}
		if got, ok := stats.ClusteredError(scores, make([]int, len(scores))); ok {
			t.Errorf("%s: clustered error %v, want undefined", name, got)
		}
	}
	if got, ok := stats.ClusteredError([]float64{0, 1, 1}, []string{"a", "a", "a"}); ok {
		t.Errorf("one cluster: %v, want undefined", got)
	}
	if got, ok := stats.ClusteredError([]float64{0, 1}, []string{"a"}); ok {
		t.Errorf("lengths differ: %v, want undefined", got)
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

func TestIntervalsOfClusters(t *testing.T) {
	scores := []float64{0, 1, 1, 0, 1, 1, 1, 0, 1, 1}
	c, _ := stats.ClusteredError(scores, indices(10))
	rate, ok := c.RateInterval(0.95)
	want, _ := stats.EffectiveInterval(c.Mean, c.SE, 10, 0.95)
	if !ok || rate != want {
		t.Errorf("rate intervals %+v, %v, want %+v", rate, ok, want)
	}
	few, _ := stats.ClusteredError(scores[1:], indices(9))
	_, asRate := few.RateInterval(0.95)
	if few.SE == 0 || asRate {
		t.Errorf("nine clusters have an interval: %+v", few)
	}
}

func TestClusterProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scores := rapid.SliceOfN(rapid.Float64Range(-1, 1), 2, 30).Draw(t, "scores")
		own := make([]int, len(scores))
		for i := range own {
			own[i] = i
		}
		// An item to each cluster is the independent case, the correction being n/(n-1).
		se, _ := stats.StandardError(scores)
		alone, ok := stats.ClusteredError(scores, own)
		if !ok || !near(alone.SE, se, 1e-12) {
			t.Fatalf("clusters of one: %v, independent: %v", alone.SE, se)
		}
		// Copies of the same items teach nothing.
		twice, _ := stats.ClusteredError(append(scores, scores...), append(own, own...))
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
		if se, ok := stats.StandardError(scores); !ok || se != 0 || mean != v {
			t.Fatalf("mean %v of %v, error %v, %v", mean, v, se, ok)
		}
	})
}
