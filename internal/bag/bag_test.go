package bag_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/internal/bag"
)

func TestBag(t *testing.T) {
	a, b := bag.Bag[string]{}, bag.Bag[string]{}
	a.Add("x")
	a.Add("y")
	b.Add("x")
	a.Merge(b)
	if got := slices.Collect(a.Each(cmp.Compare[string])); a.Len() != 3 || !slices.Equal(got, []string{"x", "x", "y"}) {
		t.Errorf("%d values: %v", a.Len(), got)
	}
	for v := range a.Each(cmp.Compare[string]) {
		if v != "x" {
			t.Error("the sequence does not stop")
		}
		break
	}
}

func TestMean(t *testing.T) {
	b := bag.Bag[float64]{}
	if bag.Mean(b) != nil {
		t.Error("nothing has a mean")
	}
	for _, v := range []float64{1, 0.5, 1} {
		b.Add(v)
	}
	if got := *bag.Mean(b); got != 2.5/3 {
		t.Error(got)
	}
}

// Quantiles are exact for few times, and right within half a per cent for many; parts give what the whole gives.
func TestTimes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(0, 3000), 1, 40).Draw(t, "seconds")
		cut := rapid.IntRange(0, len(values)).Draw(t, "cut")
		times := rapid.SampledFrom([]int{1, bag.Exact/40 + 1}).Draw(t, "times")
		var whole, first, second bag.Times
		var all []float64
		for i, v := range values {
			v = math.Round(v*1e9) / 1e9
			for range times {
				whole.Add(v)
				all = append(all, v)
				if i < cut {
					first.Add(v)
				} else {
					second.Add(v)
				}
			}
		}
		slices.Sort(all)
		first.Merge(&second)
		for _, p := range []float64{0, .5, .95, 1} {
			want := all[max(0, int(math.Ceil(p*float64(len(all))-1e-9))-1)]
			got, merged := *whole.Quantile(p), *first.Quantile(p)
			if got != merged || math.Abs(got-want) > 0.005*want+1e-6 || len(all) <= bag.Exact && got != want {
				t.Errorf("quantile %v of %d: %v, of parts %v, not %v", p, len(all), got, merged, want)
			}
		}
		if whole.Sum() != first.Sum() || whole.Len() != len(all) || first.Len() != len(all) {
			t.Errorf("sums %v and %v of %d and %d", whole.Sum(), first.Sum(), whole.Len(), first.Len())
		}
		sum := 0.0
		for _, v := range all {
			sum += v
		}
		if math.Abs(whole.Sum()-sum) > 1e-9*sum {
			t.Errorf("the sum is %v, not %v", whole.Sum(), sum)
		}
	})
}

func TestTimesOfNothing(t *testing.T) {
	var none bag.Times
	if none.Quantile(.5) != nil || none.Len() != 0 || none.Sum() != 0 {
		t.Error("nothing has a quantile")
	}
	var odd bag.Times
	for range bag.Exact + 1 {
		odd.Add(-1)
	}
	odd.Add(math.Inf(1))
	if q := *odd.Quantile(.5); q != 0 {
		t.Error(q)
	}
	if s := odd.Sum(); s != 1e6 {
		t.Error(s)
	}
}
