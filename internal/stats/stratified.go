package stats

import (
	"cmp"
	"math"
	"slices"
)

// Stratum is one item: X of K current traces are right, H of M of the history.
type Stratum struct {
	X, K, H, M int
}

// StratifiedTest compares current traces with their history, item by item. The lower tail
// tests for losses: as few right traces as observed, or fewer.
type StratifiedTest struct {
	Exact, MidP           float64
	UpperExact, UpperMidP float64 // as many right, or more

	// Expected and Variance are those of the right current traces if nothing changed.
	Expected, Variance float64
	// Z is (right - Expected + 1/2)/√Variance, nil where the variance is 0.
	Z *float64
	// Method is StratifiedExact or StratifiedNormal.
	Method string
}

// Methods of a StratifiedTest.
const (
	StratifiedExact  = "exact"
	StratifiedNormal = "normal"
)

// maxSupport is the largest range of the sum for which its distribution is computed: fewer
// than a billion steps.
const maxSupport = 20_000

// Stratified tests whether the number of right current traces agrees with the history. If
// nothing changed, every choice of K of an item's N = K+M traces is equally likely given its
// t = X+H right ones, so X is hypergeometric, and the sum over the items has the convolution
// of their distributions. The items' difficulty has no effect; items that are all right or all
// wrong are not used. With K = M = 1 it is McNemar's
// one-sided test.
//
//	Expected = Σ K·t/N,  Variance = Σ K·M·t(N-t)/(N²(N-1))
//
// Where the sum can take more than 20,000 values, the tails are normal: Exact with a
// continuity correction, MidP without. Without items the p-values are 1, mid-p 1/2. The
// order of the items does not matter, to the last digit. ok is false for a count outside
// 0 <= X <= K <= 10^7 or 0 <= H <= M <= 10^7.
//
// Source: methods.md §6.2, Test A; N. Mantel and W. Haenszel, JNCI 22 (1959) 719-748.
func Stratified(items []Stratum) (StratifiedTest, bool) {
	c, ok := newChance(items)
	if !ok {
		return StratifiedTest{}, false
	}
	if c.support > maxSupport {
		return c.normal(), true
	}
	return c.exact(), true
}

func (s Stratum) valid() bool {
	return isCount(s.X, s.K) && isCount(s.H, s.M) && s.K <= maxCount && s.M <= maxCount
}

// right counts the right traces, current and past.
func (s Stratum) right() int { return s.X + s.H }

// width is the range of X given the right traces.
func (s Stratum) width() int { return min(s.K, s.right()) - max(0, s.right()-s.M) }

// chance is the distribution that remains given the right traces of each item.
type chance struct {
	items   []Stratum // with a variable X
	support int       // of the sum
	fixed   int       // right current traces of the other items
	right   int       // of these

	expected, variance float64
}

func newChance(items []Stratum) (chance, bool) {
	var c chance
	for _, s := range items {
		if !s.valid() {
			return chance{}, false
		}
		if s.width() == 0 {
			c.fixed += s.X
			continue
		}
		c.items = append(c.items, s)
		c.support += s.width()
		c.right += s.X
	}
	slices.SortFunc(c.items, byDistribution)
	for _, s := range c.items {
		k, m, t := float64(s.K), float64(s.M), float64(s.right())
		n := k + m
		c.expected += k * t / n
		c.variance += k * m * t * (n - t) / (n * n * (n - 1))
	}
	return c, true
}

// byDistribution sorts items with equal distributions next to each other, and makes sums
// independent of the given order.
func byDistribution(a, b Stratum) int {
	return cmp.Or(cmp.Compare(a.K, b.K), cmp.Compare(a.M, b.M), cmp.Compare(a.right(), b.right()))
}

// test has all results except the tails.
func (c chance) test(method string) StratifiedTest {
	out := StratifiedTest{Expected: float64(c.fixed) + c.expected, Variance: c.variance, Method: method}
	if c.variance > 0 {
		z := c.z(0.5)
		out.Z = &z
	}
	return out
}

// z is the standardised sum, moved by a correction for continuity.
func (c chance) z(correction float64) float64 {
	return (float64(c.right) - c.expected + correction) / math.Sqrt(c.variance)
}

func (c chance) normal() StratifiedTest {
	out := c.test(StratifiedNormal)
	out.Exact, out.MidP = normalCDF(c.z(0.5)), normalCDF(c.z(0))
	out.UpperExact, out.UpperMidP = normalCDF(-c.z(-0.5)), normalCDF(-c.z(0))
	return out
}

func (c chance) exact() StratifiedTest {
	first, mass := c.sum()
	below, at, above := split(mass, c.right-first)
	out := c.test(StratifiedExact)
	out.Exact, out.MidP = min(1, below+at), min(1, below+at/2)
	out.UpperExact, out.UpperMidP = min(1, above+at), min(1, above+at/2)
	return out
}

// normalCDF is Φ(z), accurate in the lower tail.
func normalCDF(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }
