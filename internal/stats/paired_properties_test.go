package stats_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/internal/stats"
)

// p is at most .05 exactly where the 95 % interval leaves out 0, the interval contains the difference and has a width,
// and exchanging the two rows mirrors all.
func TestPairedDifferenceProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(1, 7).Draw(t, "k")
		n := rapid.IntRange(3, 60).Draw(t, "n")
		d, mirrored, cluster := make([]float64, n), make([]float64, n), make([]int, n)
		size := rapid.IntRange(1, 4).Draw(t, "size")
		for i := range d {
			d[i] = float64(rapid.IntRange(-k, k).Draw(t, "d")) / float64(k)
			mirrored[i], cluster[i] = -d[i], i/size
		}
		one, ok := stats.NewPairedDifference(clustered(d, cluster), float64(k))
		two, _ := stats.NewPairedDifference(clustered(mirrored, cluster), float64(k))
		if !ok {
			t.Fatal("undefined")
		}
		i, defined := one.Interval(0.95)
		p, hasP := one.P()
		if defined != one.Enough() || hasP != defined {
			t.Fatalf("%d clusters of %d, interval %v, p %v", one.Clusters, n, defined, hasP)
		}
		if !defined {
			return
		}
		if !(i.Low <= one.Mean+1e-9 && one.Mean-1e-9 <= i.High && i.High-i.Low > 1e-6) {
			t.Fatalf("interval %v of %v", i, one.Mean)
		}
		if excludes := i.Low > 1e-9 || i.High < -1e-9; math.Abs(p-0.05) > 1e-6 && excludes != (p < 0.05) {
			t.Fatalf("p = %v, interval %v", p, i)
		}
		j, _ := two.Interval(0.95)
		q, _ := two.P()
		if !near(i.Low, -j.High, 1e-9) || !near(i.High, -j.Low, 1e-9) || !near(p, q, 1e-9) {
			t.Fatalf("%v p = %v, mirrored %v p = %v", i, p, j, q)
		}
		notWorse, same, _ := one.Within(0.05)
		if notWorse > same+1e-12 || !(0 <= same && same <= 1) {
			t.Fatalf("not worse %v, same %v", notWorse, same)
		}
	})
}

// Verdicts of queries without clusters are what Tango's interval is of, but for t in place of z.
func TestPairedDifferenceOfVerdicts(t *testing.T) {
	d := make([]float64, 1000)
	for i := range d[:60] {
		d[i] = -1
	}
	for i := range d[:20] {
		d[60+i] = 1
	}
	p, ok := stats.NewPairedDifference(stats.ValuesOf(d...), 1)
	got, defined := p.Interval(0.95)
	want, _ := stats.Tango(1000, 60, 20, 0.95)
	interval(t, "interval", got, ok && defined, [2]float64{want.Low, want.High}, 1e-4)
}

func TestPairedRefusals(t *testing.T) {
	tenOf := func(n, of int) (cluster []int) {
		for i := range n {
			cluster = append(cluster, min(i, of-1))
		}
		return cluster
	}
	for name, c := range map[string]struct {
		n       int
		cluster []int
		enough  bool
	}{
		"two queries": {2, nil, false}, "three": {3, nil, true},
		"nine clusters":                      {18, append(indices(9), indices(9)...), false},
		"ten clusters":                       {20, append(indices(10), indices(10)...), true},
		"one of twenty among ten":            {29, tenOf(29, 10), false},
		"one cluster":                        {5, make([]int, 5), false},
		"a cluster to each is no clustering": {4, indices(4), true},
	} {
		t.Run(name, func(t *testing.T) {
			d := make([]float64, c.n)
			d[0] = 1
			p, ok := stats.NewPairedDifference(clustered(d, c.cluster), 1)
			_, flip := p.SignFlip(1, 0)
			_, interval := p.Interval(0.95)
			if _, _, same := p.Within(0.05); !ok || p.Enough() != c.enough || flip != c.enough || interval != c.enough || same != c.enough {
				t.Errorf("%+v: enough %v", p, p.Enough())
			}
		})
	}
	if _, ok := stats.NewPairedDifference(stats.ValuesOf(0, 1.5, 0), 1); ok {
		t.Error("a difference of 1.5 is defined")
	}
	if _, ok := stats.NewPairedDifference(stats.ValuesOf(0, 1, 0), 0.5); ok {
		t.Error("half a trace is defined")
	}
	for name, traces := range map[string][]int{"none": {3, 0, 3}, "fewer": {3, 3}} {
		if _, _, ok := stats.QueryMean(stats.ValuesOf(1, 0, 1), tracesOf(traces), 0.95); ok {
			t.Errorf("%s traces of a query are defined", name)
		}
	}
	if _, _, ok := stats.QueryMean(stats.ValuesOf(1, 2, 1), tracesOf([]int{1, 1, 1}), 0.95); ok {
		t.Error("a mean of 2 is defined")
	}
}

// With one trace a query and no clusters, the mean has the interval of the rate of verdicts.
func TestQueryMeanOfOneTrace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(3, 200).Draw(t, "n")
		x := rapid.IntRange(0, n).Draw(t, "x")
		means, traces := make([]float64, n), make([]int, n)
		for i := range means {
			means[i], traces[i] = stats.Bit(i < x), 1
		}
		_, ci, ok := stats.QueryMean(stats.ValuesOf(means...), tracesOf(traces), 0.95)
		low, high := stats.Wilson(x, n, 0.95)
		if !ok || ci == nil || !near(ci.Low, low, 1e-12) || !near(ci.High, high, 1e-12) {
			t.Fatalf("%v, want %v to %v", ci, low, high)
		}
	})
}

// mockLaw has queries with true rates from .05 to 1.
func mockLaw(queries, k int) (right, traces []int) {
	rates := []float64{.05, .2, .35, .5, .6, .7, .75, .8, .85, .9, .95, 1, 1}
	for i := range queries {
		right, traces = append(right, int(math.Round(rates[i%13]*float64(k)))), append(traces, k)
	}
	return right, traces
}

// More queries, more traces and a larger drop find more; the power at the MDE is 80 %.
func TestPowerProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(2, 7).Draw(t, "k")
		right, traces := mockLaw(rapid.IntRange(13, 80).Draw(t, "queries"), k)
		l, ok := stats.NewLaw(right, traces)
		if !ok || len(l.Points) == 0 || !slices.IsSorted(l.Points) {
			t.Fatalf("law %+v, %v", l, ok)
		}
		d := stats.Design{Queries: float64(len(right)), K: [2]float64{float64(k), float64(k)}, Level: .05}
		drop := rapid.Float64Range(0.01, 0.4).Draw(t, "drop")
		at, _ := l.SinglePower(d, drop)
		larger, _ := l.SinglePower(d, drop+.02)
		more := d
		more.Queries += 5
		queries, _ := l.SinglePower(more, drop)
		if !(0 <= at && at <= larger+1e-9 && at <= queries+1e-9 && queries <= 1) {
			t.Fatalf("power %v, of a larger drop %v, of more queries %v", at, larger, queries)
		}
	})
}

func TestPowerRefusals(t *testing.T) {
	right, traces := mockLaw(29, 3)
	l, _ := stats.NewLaw(right, traces)
	good := stats.Design{Queries: 29, K: [2]float64{3, 3}, Level: .05}
	for name, d := range map[string]stats.Design{
		"two queries": {Queries: 2, K: good.K, Level: .05}, "no traces": {Queries: 29, Level: .05},
		"a level of 0": {Queries: 29, K: good.K}, "too many": {Queries: 1e6, K: good.K, Level: .05},
	} {
		_, single := l.SingleMDE(d)
		_, vote := l.VoteMDE(d)
		if _, power := l.SinglePower(d, .1); single || vote || power {
			t.Errorf("%s has a power", name)
		}
	}
	never, _ := stats.NewLaw(make([]int, 29), traces)
	if mde, ok := never.SingleMDE(good); ok {
		t.Errorf("nothing right can be lost: %v", mde)
	}
	for name, c := range map[string][2][]int{"more right than traces": {{4, 3}, {3, 3}}, "no queries": {}, "no traces": {{0}, {0}}} {
		if _, ok := stats.NewLaw(c[0], c[1]); ok {
			t.Errorf("%s have a law", name)
		}
	}
	one, ok := stats.NewLaw([]int{1, 0, 1}, []int{1, 1, 1})
	if !ok || !one.AtMost || len(one.Points) != 1 || l.AtMost {
		t.Errorf("one trace a query: %+v", one)
	}
	if _, ok := l.SingleQueries(.9, 3, .05); ok {
		t.Error("rates fall by more than they are")
	}
	stated, ok := stats.StatedLaw(.9, .1)
	single, defined := stated.SingleQueries(.05, 3, .05)
	vote, both := stated.VoteQueries(.05, 3, .05)
	if !ok || !defined || !both || single >= vote {
		t.Errorf("stated rates need %d and %d", single, vote)
	}
	for _, c := range [][2]float64{{0, .1}, {1, 0}, {.9, .3}, {.9, -1}, {math.NaN(), .1}, {.5, math.NaN()}} {
		if _, ok := stats.StatedLaw(c[0], c[1]); ok {
			t.Errorf("rates of mean %v that deviate by %v are possible", c[0], c[1])
		}
	}
}

// On five queries no difference of single traces is called one (docs/method.md §5.4), so no drop is found on them.
func TestNoDropIsFoundOnFiveQueries(t *testing.T) {
	l, _ := stats.StatedLaw(.9, .1)
	for _, k := range []int{1, 3, 10} {
		five := stats.Design{Queries: 5, K: [2]float64{float64(k), float64(k)}, Level: .05}
		if power, ok := l.SinglePower(five, .9); !ok || power != 0 {
			t.Errorf("K=%d: five queries find a drop of 90 points with power %v", k, power)
		}
		if mde, ok := l.SingleMDE(five); ok {
			t.Errorf("K=%d: five queries find a drop of %v", k, mde)
		}
		if n, ok := l.SingleQueries(.8, k, .05); !ok || n < stats.MinDiffering {
			t.Errorf("K=%d: %d queries are enough", k, n)
		}
	}
}

// The exact count by size is McNemar's test however many queries differ, and the count of 10,000 is quick.
func TestSignFlipOfMany(t *testing.T) {
	var d []float64
	for i := range 10_000 {
		d = append(d, float64(i%15-7)/7)
	}
	for i := range 300 {
		d[i] = -1. / 7
	}
	got, ok := stats.SignFlipTest(d, 1, 0) // without draws p would be 1
	z := 0.0
	var variance float64
	for _, v := range d {
		z += v
		variance += v * v
	}
	want := math.Erfc(math.Abs(z) / math.Sqrt(2*variance))
	number(t, "p", got, ok && got < 1, want, 2e-3)
	all, ok := stats.SignFlipTest(slices.Repeat([]float64{-1. / 3}, 10_000), 1, 0)
	if !ok || all != 1e-30 {
		t.Errorf("p of 10,000 losses is %v", all)
	}
}

// The spread of fifteen queries that are nearly all right or all wrong: no vote is gained, and rounding must not make
// the share of gains negative.
func TestVotesOfExtremeRates(t *testing.T) {
	right := []int{3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 0, 0, 0, 0}
	l, _ := stats.NewLaw(right, slices.Repeat([]int{3}, 15))
	for _, k := range []int{1, 2, 3, 5, 7, 10} {
		if n, ok := l.VoteQueries(.1, k, .05); !ok || n < 4 {
			t.Errorf("K=%d: %d, %v", k, n, ok)
		}
	}
}
