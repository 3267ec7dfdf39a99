package stats_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/internal/stats"
)

func TestStratifiedVectors(t *testing.T) {
	for _, r := range vectors[[]struct {
		Cur, Hist []int
		K, M      int
		Lower     float64 `json:"p_exact_lower"`
		MidP      float64 `json:"p_mid_lower"`
	}](t, "strat_exact") {
		items := make([]stats.Stratum, len(r.Cur))
		for i := range items {
			items[i] = stats.Stratum{X: r.Cur[i], K: r.K, H: r.Hist[i], M: r.M}
		}
		got, ok := stats.Stratified(items, same)
		what := fmt.Sprintf("%v against %v", r.Cur, r.Hist)
		number(t, what+": exact", got.Below+got.At, ok, r.Lower, tenDigits)
		number(t, what+": mid-p", got.Below+got.At/2, ok, r.MidP, tenDigits)
	}
}

// same gives all items one weight.
func same(stats.Stratum) int { return 1 }

func strata(most, items int) *rapid.Generator[[]stats.Stratum] {
	one := rapid.Custom(func(t *rapid.T) stats.Stratum {
		k, m := rapid.IntRange(0, most).Draw(t, "k"), rapid.IntRange(0, most).Draw(t, "m")
		return stats.Stratum{X: rapid.IntRange(0, k).Draw(t, "x"), K: k, H: rapid.IntRange(0, m).Draw(t, "h"), M: m}
	})
	return rapid.SliceOfN(one, 0, items)
}

// everyChoice goes through every way to call K of an item's K+M traces the current ones.
func everyChoice(items []stats.Stratum) (below, at, above float64) {
	right := 0
	for _, s := range items {
		right += s.X
	}
	var visit func(i, trace, drawn, sum int)
	visit = func(i, trace, drawn, sum int) {
		switch {
		case i == len(items):
			switch {
			case sum < right:
				below++
			case sum > right:
				above++
			default:
				at++
			}
		case trace == items[i].K+items[i].M:
			if drawn == items[i].K {
				visit(i+1, 0, 0, sum)
			}
		default:
			visit(i, trace+1, drawn, sum)
			if trace < items[i].X+items[i].H {
				sum++
			}
			visit(i, trace+1, drawn+1, sum)
		}
	}
	visit(0, 0, 0, 0)
	all := below + at + above
	return below / all, at / all, above / all
}

func TestStratifiedByHand(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		items := strata(3, 3).Draw(t, "items")
		got, ok := stats.Stratified(items, same)
		below, at, above := everyChoice(items)
		if !ok || !near(got.Below, below, 1e-12) || !near(got.At, at, 1e-12) || !near(got.Above, above, 1e-12) {
			t.Fatalf("%+v, %v, by hand %v, %v, %v", got, ok, below, at, above)
		}
	})
}

// On single traces the test is McNemar's against a loss.
func TestStratifiedOfSingleTracesIsMcNemar(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		loss, gain := rapid.IntRange(0, 300).Draw(t, "loss"), rapid.IntRange(0, 300).Draw(t, "gain")
		unchanged := rapid.IntRange(0, 5).Draw(t, "unchanged")
		got, ok := stats.Stratified(singleTraces(loss, gain, unchanged), same)
		below, at := stats.LossTail(loss, gain)
		if !ok || !near(got.Below, below, 1e-12) || !near(got.At, at, 1e-12) {
			t.Fatalf("%+v, %v; McNemar %v, %v", got, ok, below, at)
		}
	})
}

func singleTraces(loss, gain, same int) []stats.Stratum {
	var items []stats.Stratum
	for range loss {
		items = append(items, stats.Stratum{X: 0, K: 1, H: 1, M: 1})
	}
	for range gain {
		items = append(items, stats.Stratum{X: 1, K: 1, H: 0, M: 1})
	}
	for range same {
		items = append(items, stats.Stratum{X: 1, K: 1, H: 1, M: 1}, stats.Stratum{X: 0, K: 1, H: 0, M: 1})
	}
	return items
}

func TestStratifiedProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		items := strata(40, 30).Draw(t, "items")
		got, ok := stats.Stratified(items, same)
		if !ok || got.Below < 0 || got.At <= 0 || got.Above < 0 || !near(got.Below+got.At+got.Above, 1, 1e-9) {
			t.Fatalf("%+v, %v is no distribution", got, ok)
		}
		sameTails(t, "reordered", got, rapid.Permutation(items).Draw(t, "order"))
		k, m := rapid.IntRange(0, 40).Draw(t, "K"), rapid.IntRange(0, 40).Draw(t, "M")
		sameTails(t, "with an item that is all right", got, append(items, stats.Stratum{X: k, K: k, H: m, M: m}))
		sameTails(t, "with an item that is all wrong", got, append(items, stats.Stratum{K: k, M: m}))

		// Exchanging right and wrong exchanges the tails.
		mirrored := make([]stats.Stratum, len(items))
		for i, s := range items {
			mirrored[i] = stats.Stratum{X: s.K - s.X, K: s.K, H: s.M - s.H, M: s.M}
		}
		sameTails(t, "mirrored", stats.Tails{Below: got.Above, At: got.At, Above: got.Below}, mirrored)
	})
}

func sameTails(t *rapid.T, what string, want stats.Tails, items []stats.Stratum) {
	t.Helper()
	got, ok := stats.Stratified(items, same)
	if !ok || !near(got.Below, want.Below, 1e-12) || !near(got.At, want.At, 1e-12) || !near(got.Above, want.Above, 1e-12) {
		t.Fatalf("%s: %+v, %v, want %+v", what, got, ok, want)
	}
}

// One more right trace never makes the loss look surer.
func TestStratifiedIsMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		items := strata(12, 12).Draw(t, "items")
		before, _ := stats.Stratified(items, same)
		for i := range items {
			if items[i].X == items[i].K {
				continue
			}
			items[i].X++
			after, _ := stats.Stratified(items, same)
			items[i].X--
			if after.Below+after.At < before.Below+before.At-1e-9 {
				t.Fatalf("item %d: p falls from %+v to %+v", i, before, after)
			}
		}
	})
}

func TestStratifiedEdges(t *testing.T) {
	for _, items := range [][]stats.Stratum{nil, {{}}, {{X: 3, K: 3}}, {{H: 3, M: 9}}} {
		if got, ok := stats.Stratified(items, same); !ok || got != (stats.Tails{At: 1}) {
			t.Errorf("Stratified(%v) = %+v, %v", items, got, ok)
		}
	}
	for _, s := range []stats.Stratum{
		{X: -1, K: 1}, {X: 2, K: 1}, {H: 2, M: 1}, {H: -1, M: 1}, {K: -1, X: -1}, {K: math.MaxInt}, {M: math.MaxInt},
	} {
		if got, ok := stats.Stratified([]stats.Stratum{{X: 1, K: 1, H: 1, M: 1}, s}, same); ok {
			t.Errorf("Stratified(%+v) = %+v, want undefined", s, got)
		}
	}
}

// FuzzGate holds what a gate computes against what must be true of it, whatever the counts.
func FuzzGate(f *testing.F) {
	f.Add(3, 3, 9, 9, 0.05)
	f.Add(0, 10_000_000, 10_000_000, 10_000_000, 0.0)
	f.Add(5_000_000, 10_000_000, 1, 3, 1.0)
	f.Add(7, 25, 2, 4, 0.28)
	f.Add(math.MinInt, math.MaxInt, -1, 0, math.NaN())
	f.Fuzz(func(t *testing.T, x, k, h, m int, rate float64) {
		few := stats.Stratum{X: x % 1000, K: k % 1000, H: h % 1000, M: m % 1000} // the time grows with the counts
		items := []stats.Stratum{few, {X: few.H, K: few.M, H: few.X, M: few.K}, {X: 1, K: 3, H: 2, M: 4}}
		turned := make([]stats.Stratum, len(items)) // the history in place of the current traces
		for i, s := range items {
			turned[i] = stats.Stratum{X: s.H, K: s.M, H: s.X, M: s.K}
		}
		s, ok := stats.Stratified(items, same)
		back, again := stats.Stratified(turned, same)
		sides := 0 <= few.X && few.X <= few.K && 0 <= few.H && few.H <= few.M
		if ok != sides || again != sides {
			t.Fatalf("%+v: taken %v, and turned round %v", items, ok, again)
		}
		const exact = 1e-9
		if one := s.Below + s.At + s.Above; ok && !(math.Abs(one-1) < exact && s.Below >= 0 && s.At > 0 && s.Above >= 0) {
			t.Errorf("%+v: %+v are no probabilities of one outcome among all", items, s)
		}
		if ok && !(math.Abs(s.Below-back.Above) < exact && math.Abs(s.Above-back.Below) < exact) { // Σ X + Σ H is given
			t.Errorf("%+v: %+v, and turned round %+v", items, s, back)
		}
		freshItem(t, few)
		needed(t, k%1_000_000, rate)
		if phi, ok := stats.Dispersion([][]int{{x, h}, {h, x}}, [][]int{{k, m}, {m, k}}); ok && !(0 <= phi.Low && phi.Low <= phi.Value && phi.Value <= phi.High) {
			t.Errorf("%+v", phi)
		}
	})
}

// freshItem: one more right trace never makes an item look worse, and the two tails of a table overlap in it alone.
func freshItem(t *testing.T, s stats.Stratum) {
	t.Helper()
	p, ok := stats.FreshItem(s.X, s.K, s.H, s.M)
	isP(t, "fresh item", p, ok)
	if more, defined := stats.FreshItem(s.X+1, s.K, s.H, s.M); ok && defined && more < p-1e-9 {
		t.Errorf("%+v: p = %v, and %v with one more right", s, p, more)
	}
	if turned, _ := stats.FreshItem(s.H, s.M, s.X, s.K); ok && p+turned < 1-1e-9 {
		t.Errorf("%+v: the tails %v and %v leave something out", s, p, turned)
	}
}

// needed: with that many successes the rate is reached, and with one less it is not.
func needed(t *testing.T, n int, rate float64) {
	t.Helper()
	if n < 0 || !(0 <= rate && rate <= 1) {
		return
	}
	need := stats.NeededSuccesses(n, rate)
	const rounding = 2e-9
	if need < 0 || need > n || float64(need) < rate*float64(n)-rounding || need > 0 && float64(need-1) > rate*float64(n)-rounding/4 {
		t.Errorf("%d of %d needed for the rate %v", need, n, rate)
	}
}

// GOLD29 with three current traces against fifteen, and thousands of items.
func BenchmarkStratified(b *testing.B) {
	for _, n := range []int{29, 300, 3000, 6600} {
		items := make([]stats.Stratum, n)
		for i := range items {
			items[i] = stats.Stratum{X: 3 - i%2, K: 3, H: 13 - i%3, M: 15}
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				if _, ok := stats.Stratified(items, same); !ok {
					b.Fatal("undefined")
				}
			}
		})
	}
}
