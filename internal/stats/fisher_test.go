package stats_test

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/internal/stats"
)

func TestFisherVectors(t *testing.T) {
	r := vectors[struct {
		X1, N1, X2, N2 int
		P              float64 `json:"fisher_two"`
	}](t, "unpaired_newcombe")
	got, ok := stats.Fisher(r.X1, r.N1, r.X2, r.N2)
	number(t, "Fisher", got, ok, r.P, tenDigits)
}

// By hand: Fisher's tea, 3 of 4 against 1 of 4, is (16+1+16+1)/70 with all tables but the
// middle one; 0 of 5 against 5 of 5 is 2/252; 3/4 against 0/3 has the tables 4, 18, 12, 1
// of 35 and was seen at 4.
func TestFisherByHand(t *testing.T) {
	for _, c := range []struct {
		x1, n1, x2, n2 int
		want           float64
	}{
		{3, 4, 1, 4, 34. / 70}, {4, 4, 0, 4, 2. / 70}, {2, 4, 2, 4, 1}, {0, 5, 5, 5, 2. / 252},
		{3, 4, 0, 3, 5. / 35}, {0, 0, 3, 9, 1}, {0, 9, 0, 9, 1}, {9, 9, 9, 9, 1}, {0, 0, 0, 0, 1},
	} {
		got, ok := stats.Fisher(c.x1, c.n1, c.x2, c.n2)
		number(t, "Fisher", got, ok, c.want, 1e-14)
	}
}

// Every pair of groups of up to 30 items, against whole numbers of tables.
func TestFisherAgainstCounts(t *testing.T) {
	for _, n := range [][2]int{{1, 1}, {2, 7}, {9, 4}, {29, 29}, {30, 11}} {
		for x1 := range n[0] + 1 {
			for x2 := range n[1] + 1 {
				got, ok := stats.Fisher(x1, n[0], x2, n[1])
				number(t, "Fisher", got, ok, fisherByCounts(x1, n[0], x2, n[1]), 1e-12)
			}
		}
	}
}

func fisherByCounts(x1, n1, x2, n2 int) float64 {
	ways := func(x int) *big.Int {
		return new(big.Int).Mul(new(big.Int).Binomial(int64(n1), int64(x)), new(big.Int).Binomial(int64(n2), int64(x1+x2-x)))
	}
	seen, sum := ways(x1), new(big.Int)
	for x := max(0, x1+x2-n2); x <= min(n1, x1+x2); x++ {
		if w := ways(x); w.Cmp(seen) <= 0 {
			sum.Add(sum, w)
		}
	}
	total := new(big.Int).Binomial(int64(n1+n2), int64(x1+x2))
	p, _ := new(big.Rat).SetFrac(sum, total).Float64()
	return p
}

func TestFisherProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n1, n2 := rapid.IntRange(0, 20_000).Draw(t, "n1"), rapid.IntRange(0, 20_000).Draw(t, "n2")
		x1, x2 := rapid.IntRange(0, n1).Draw(t, "x1"), rapid.IntRange(0, n2).Draw(t, "x2")
		p, ok := stats.Fisher(x1, n1, x2, n2)
		if !ok || !(0 <= p && p <= 1) {
			t.Fatalf("p = %v, %v", p, ok)
		}
		if back, _ := stats.Fisher(x2, n2, x1, n1); back != p {
			t.Fatalf("not symmetric: %v and %v", p, back)
		}
		if failures, _ := stats.Fisher(n1-x1, n1, n2-x2, n2); !near(failures, p, 1e-9) {
			t.Fatalf("p of the failures is %v, of the successes %v", failures, p)
		}
		if n1 == n2 && x1 == x2 && p < 1-1e-9 {
			t.Fatalf("p of equal rates is %v", p)
		}
	})
}

func TestFisherUndefined(t *testing.T) {
	for _, c := range [][4]int{{-1, 1, 0, 1}, {2, 1, 0, 1}, {0, 1, 2, 1}, {0, -1, 0, 1}, {0, math.MaxInt, 0, 1}, {0, 1, 0, math.MaxInt}} {
		if got, ok := stats.Fisher(c[0], c[1], c[2], c[3]); ok {
			t.Errorf("Fisher(%v) = %v, want undefined", c, got)
		}
	}
}

func FuzzFisher(f *testing.F) {
	f.Add(27, 29, 24, 29)
	f.Add(0, 10_000_000, 0, 0)
	f.Add(5_000_000, 5_000_000, 0, 5_000_000)
	f.Add(-1, math.MaxInt, math.MinInt, 3)
	f.Fuzz(func(t *testing.T, x1, n1, x2, n2 int) {
		p, ok := stats.Fisher(x1, n1, x2, n2)
		isP(t, "Fisher", p, ok)
		if n1 < 300 && n2 < 300 {
			mde, ok := stats.UnpairedMDE(n1, n2, float64(x1)/float64(n1), .05)
			isP(t, "unpaired MDE", mde, ok)
		}
	})
}
