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
		E, Var    float64
		Z         *float64 `json:"z_cc"`
	}](t, "strat_exact") {
		items := make([]stats.Stratum, len(r.Cur))
		for i := range items {
			items[i] = stats.Stratum{X: r.Cur[i], K: r.K, H: r.Hist[i], M: r.M}
		}
		got, ok := stats.Stratified(items)
		what := fmt.Sprintf("%v against %v", r.Cur, r.Hist)
		number(t, what+": exact", got.Exact, ok, r.Lower, tenDigits)
		number(t, what+": mid-p", got.MidP, ok, r.MidP, tenDigits)
		number(t, what+": expected", got.Expected, ok, r.E, tenDigits)
		number(t, what+": variance", got.Variance, ok, r.Var, tenDigits)
		if got.Method != stats.StratifiedExact {
			t.Errorf("%s: method %q", what, got.Method)
		}
		if r.Z != nil {
			pointer(t, what+": z", got.Z, *r.Z, tenDigits)
		} else if got.Z != nil {
			t.Errorf("%s: z = %v, want undefined", what, *got.Z)
		}
	}
}

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
		got, ok := stats.Stratified(items)
		below, at, above := everyChoice(items)
		if !ok || !near(got.Exact, below+at, 1e-12) || !near(got.MidP, below+at/2, 1e-12) ||
			!near(got.UpperExact, above+at, 1e-12) || !near(got.UpperMidP, above+at/2, 1e-12) {
			t.Fatalf("%+v, %v, by hand %v, %v, %v", got, ok, below, at, above)
		}
	})
}

// On single traces the test is McNemar's against a loss.
func TestStratifiedOfSingleTracesIsMcNemar(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		loss, gain := rapid.IntRange(0, 300).Draw(t, "loss"), rapid.IntRange(0, 300).Draw(t, "gain")
		same := rapid.IntRange(0, 5).Draw(t, "unchanged")
		got, ok := stats.Stratified(singleTraces(loss, gain, same))
		exact, _ := stats.McNemar(loss, gain, stats.ExactLoss)
		midP, _ := stats.McNemar(loss, gain, stats.MidPLoss)
		if !ok || !near(got.Exact, exact, 1e-12) || !near(got.MidP, midP, 1e-12) {
			t.Fatalf("%+v, %v; McNemar %v, mid-p %v", got, ok, exact, midP)
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
		got, ok := stats.Stratified(items)
		if !ok {
			t.Fatal("undefined")
		}
		for _, p := range []float64{got.Exact, got.MidP, got.UpperExact, got.UpperMidP} {
			if !(0 <= p && p <= 1) {
				t.Fatalf("p is no probability: %+v", got)
			}
		}
		// Both mid-p share the middle.
		if got.MidP > got.Exact || !near(got.MidP+got.UpperMidP, 1, 1e-9) {
			t.Fatalf("tails do not fit: %+v", got)
		}
		sameResult(t, "reordered", got, rapid.Permutation(items).Draw(t, "order"), 0)
		k, m := rapid.IntRange(0, 40).Draw(t, "K"), rapid.IntRange(0, 40).Draw(t, "M")
		sameResult(t, "with an item that is all right", got, append(items, stats.Stratum{X: k, K: k, H: m, M: m}), k)
		sameResult(t, "with an item that is all wrong", got, append(items, stats.Stratum{K: k, M: m}), 0)

		// Exchanging right and wrong exchanges the tails.
		mirrored := make([]stats.Stratum, len(items))
		for i, s := range items {
			mirrored[i] = stats.Stratum{X: s.K - s.X, K: s.K, H: s.M - s.H, M: s.M}
		}
		if mirror, _ := stats.Stratified(mirrored); !near(mirror.Exact, got.UpperExact, 1e-9) || !near(mirror.MidP, got.UpperMidP, 1e-9) {
			t.Fatalf("%+v, mirrored %+v", got, mirror)
		}
	})
}

// sameResult wants the very same figures, more expected right traces apart.
func sameResult(t *rapid.T, what string, want stats.StratifiedTest, items []stats.Stratum, more int) {
	t.Helper()
	got, ok := stats.Stratified(items)
	if !ok || !near(got.Expected, want.Expected+float64(more), 1e-9) || (got.Z == nil) != (want.Z == nil) ||
		got.Z != nil && *got.Z != *want.Z {
		t.Fatalf("%s: %+v, %v, want %+v", what, got, ok, want)
	}
	got.Expected, got.Z = want.Expected, want.Z
	if got != want {
		t.Fatalf("%s: %+v, want %+v", what, got, want)
	}
}

// One more right trace never makes the loss look surer.
func TestStratifiedIsMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		items := strata(12, 12).Draw(t, "items")
		before, _ := stats.Stratified(items)
		for i := range items {
			if items[i].X == items[i].K {
				continue
			}
			items[i].X++
			after, _ := stats.Stratified(items)
			items[i].X--
			if after.Exact < before.Exact-1e-9 {
				t.Fatalf("item %d: p falls from %v to %v", i, before.Exact, after.Exact)
			}
		}
	})
}

// Beyond the bound on the work the tails are normal, and near the exact ones.
func TestStratifiedLarge(t *testing.T) {
	for _, c := range []struct {
		loss, gain int
		method     string
	}{
		{10_000, 10_000, stats.StratifiedExact}, {10_000, 10_001, stats.StratifiedNormal}, {10_200, 9_900, stats.StratifiedNormal},
	} {
		got, ok := stats.Stratified(singleTraces(c.loss, c.gain, 1))
		if got.Method != c.method {
			t.Fatalf("%+v: method %q", c, got.Method)
		}
		exact, _ := stats.McNemar(c.loss, c.gain, stats.ExactLoss)
		midP, _ := stats.McNemar(c.loss, c.gain, stats.MidPLoss)
		number(t, "exact", got.Exact, ok, exact, 2e-6)
		number(t, "mid-p", got.MidP, ok, midP, 2e-6)
		gains, _ := stats.McNemar(c.gain, c.loss, stats.ExactLoss)
		number(t, "upper", got.UpperExact, ok, gains, 2e-6)
	}
}

func TestStratifiedEdges(t *testing.T) {
	for _, items := range [][]stats.Stratum{nil, {{}}, {{X: 3, K: 3}}, {{H: 3, M: 9}}} {
		got, ok := stats.Stratified(items)
		if !ok || got.Exact != 1 || got.MidP != .5 || got.UpperExact != 1 || got.UpperMidP != .5 || got.Variance != 0 || got.Z != nil {
			t.Errorf("Stratified(%v) = %+v, %v", items, got, ok)
		}
	}
	for _, s := range []stats.Stratum{
		{X: -1, K: 1}, {X: 2, K: 1}, {H: 2, M: 1}, {H: -1, M: 1}, {K: -1, X: -1}, {K: math.MaxInt}, {M: math.MaxInt},
	} {
		if got, ok := stats.Stratified([]stats.Stratum{{X: 1, K: 1, H: 1, M: 1}, s}); ok {
			t.Errorf("Stratified(%+v) = %+v, want undefined", s, got)
		}
	}
}

func FuzzGate(f *testing.F) {
	f.Add(3, 3, 9, 9, 0.05, 0.95)
	f.Add(0, 10_000_000, 10_000_000, 10_000_000, 0.0, 0.5)
	f.Add(5_000_000, 10_000_000, 1, 3, 1.0, 1.0)
	f.Add(math.MinInt, math.MaxInt, -1, 0, math.NaN(), math.Inf(1))
	f.Fuzz(func(t *testing.T, x, k, h, m int, a, b float64) {
		s, ok := stats.Stratified([]stats.Stratum{{X: x, K: k, H: h, M: m}, {X: h, K: m, H: x, M: k}, {X: 1, K: 3, H: 2, M: 4}})
		for _, p := range []float64{s.Exact, s.MidP, s.UpperExact, s.UpperMidP} {
			isP(t, "stratified", p, ok)
		}
		p, ok := stats.FreshItem(x, k, h, m)
		isP(t, "fresh item", p, ok)
		if need := stats.NeededSuccesses(k, a); need < 0 || k >= 0 && need-1 > k {
			t.Errorf("%d of %d successes needed", need, k)
		}
		if lower, shown, ok := stats.NonInferior(k, x, h, a, b); ok && (lower < -1 || lower > 1 || shown != (lower > -a)) {
			t.Errorf("lower bound %v, margin %v, shown %v", lower, a, shown)
		}
		if phi, ok := stats.Dispersion([][]int{{x, h}, {h, x}}, [][]int{{k, m}, {m, k}}); ok && !(0 <= phi.Low && phi.Low <= phi.Value && phi.Value <= phi.High) {
			t.Errorf("%+v", phi)
		}
	})
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
				if _, ok := stats.Stratified(items); !ok {
					b.Fatal("undefined")
				}
			}
		})
	}
}
