package stats_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/internal/stats"
)

func TestPassVectors(t *testing.T) {
	for _, r := range vectors[[]struct {
		N, C, K int
		At      float64 `json:"pass_at_k"`
		Hat     float64 `json:"pass_hat_k"`
	}](t, "pass") {
		got, ok := stats.PassAtK(r.N, r.C, r.K)
		number(t, fmt.Sprintf("PassAtK(%d, %d, %d)", r.N, r.C, r.K), got, ok, r.At, tenDigits)
		got, ok = stats.PassHatK(r.N, r.C, r.K)
		number(t, fmt.Sprintf("PassHatK(%d, %d, %d)", r.N, r.C, r.K), got, ok, r.Hat, tenDigits)
	}
	for _, c := range [][3]int{{3, 2, 4}, {3, 2, 0}, {3, 4, 1}, {3, -1, 1}, {0, 0, 1}, {-1, -1, -1}} {
		_, at := stats.PassAtK(c[0], c[1], c[2])
		_, hat := stats.PassHatK(c[0], c[1], c[2])
		if at || hat {
			t.Errorf("pass of n, c, k = %v is defined", c)
		}
	}
}

func TestPassProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 300).Draw(t, "n")
		c := rapid.IntRange(0, n).Draw(t, "c")
		k := rapid.IntRange(1, n).Draw(t, "k")
		at, _ := stats.PassAtK(n, c, k)
		hat, _ := stats.PassHatK(n, c, k)
		if k == 1 && !near(at, hat, 1e-15) || hat > at+1e-12 {
			t.Fatalf("pass@%d = %v, pass^%d = %v", k, at, k, hat)
		}
		if more, ok := stats.PassAtK(n, c, k+1); ok && more < at-1e-12 {
			t.Fatalf("pass@k falls from %v to %v", at, more)
		}
		if more, ok := stats.PassHatK(n, c, k+1); ok && more > hat+1e-12 {
			t.Fatalf("pass^k rises from %v to %v", hat, more)
		}
		if fails, _ := stats.PassHatK(n, n-c, k); !near(at, 1-fails, 1e-15) {
			t.Fatalf("pass@k %v, all fail %v", at, fails)
		}
	})
}

func TestItemUndefined(t *testing.T) {
	good := stats.Item{Classes: []stats.Class{{Votes: 2, Right: 2}}, Empty: 1}
	for name, c := range map[string]struct {
		it stats.Item
		k  int
	}{
		"no traces":     {stats.Item{}, 1},
		"k = 0":         {good, 0},
		"too few":       {good, 4},
		"negative":      {stats.Item{Classes: []stats.Class{{Votes: -1}, {Votes: 5}}}, 2},
		"too many":      {stats.Item{Empty: 1 << 40}, 2},
		"negative null": {stats.Item{Empty: -2, Classes: []stats.Class{{Votes: 5}}}, 2},
	} {
		if got, ok := c.it.MajAtK(c.k, stats.Vote{}); ok {
			t.Errorf("%s: maj@k = %v, want undefined", name, got)
		}
		if got, _, ok := c.it.Unanimity(c.k); ok {
			t.Errorf("%s: unanimity = %v, want undefined", name, got)
		}
	}
	if _, _, ok := good.Unanimity(1); ok {
		t.Error("one trace has an unanimity")
	}
}

func TestUnanimity(t *testing.T) {
	it := stats.Item{Classes: []stats.Class{{Votes: 6, Right: 6}, {Votes: 3}, {Votes: 1}}}
	got, right, ok := it.Unanimity(3)
	number(t, "unanimity", got, ok, (20.+1)/120, 1e-12)
	number(t, "unanimously right", right, ok, 20./120, 1e-12)
	// Empty traces are traces, and agree on nothing.
	got, _, ok = stats.Item{Empty: 3}.Unanimity(3)
	number(t, "unanimity of nothing", got, ok, 0, 0)
}

// The counts of τ-bench airline, whose README prints pass^k .420, .273, .220 and .200.
func TestPassOfTauBench(t *testing.T) {
	r := vectors[iccVector](t, "icc")
	for i, want := range []struct{ hat, at float64 }{{.42, .42}, {.2733, .5667}, {.22, .66}, {.20, .72}} {
		k, n := i+1, float64(len(r.successes()))
		var hat, at float64
		for _, c := range r.successes() {
			h, _ := stats.PassHatK(r.K, c, k)
			a, _ := stats.PassAtK(r.K, c, k)
			hat, at = hat+h/n, at+a/n
		}
		number(t, fmt.Sprintf("pass^%d", k), hat, true, want.hat, fourDigits)
		number(t, fmt.Sprintf("pass@%d", k), at, true, want.at, fourDigits)
	}
}

// RightICC and ICC are one figure.
func TestRightICC(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(2, 7).Draw(t, "k")
		queries := rapid.SliceOfN(rapid.IntRange(0, 4), k+1, k+1).Draw(t, "queries")
		var scores [][]float64
		for right, n := range queries {
			row := make([]float64, k)
			for i := range right {
				row[i] = 1
			}
			scores = append(scores, slices.Repeat([][]float64{row}, n)...)
		}
		got, ok := stats.RightICC(queries)
		want, defined := stats.ICC(scores)
		if ok != defined || math.Abs(got-want) > 1e-12 {
			t.Fatalf("RightICC is %v, %t; ICC is %v, %t", got, ok, want, defined)
		}
	})
	if _, ok := stats.RightICC([]int{1, -1, 3}); ok {
		t.Error("a negative number of queries has an ICC")
	}
}
