package stats

import (
	"math"
)

// Design is a comparison of two configurations on the same items, one outcome per item
// and configuration (K = 1, or the consensus of K).
type Design struct {
	// Base is the rate of the baseline, in (0, 1].
	Base  float64
	Alpha float64 // 0.05 if 0
	Power float64 // 0.80 if 0
	Test  PairedTest
	// Nested assumes that the new configuration only loses items. The default assumes
	// independent runs with a common rate of all items, so that some are gained by chance.
	Nested bool
}

func (d Design) withDefaults() Design {
	if d.Alpha == 0 {
		d.Alpha = 0.05
	}
	if d.Power == 0 {
		d.Power = 0.80
	}
	return d
}

func (d Design) valid() bool {
	return d.Base > 0 && d.Base <= 1 && open(d.Alpha) && open(d.Power) && d.Test.valid()
}

// pairs are the probabilities of a loss and a gain when the rate falls by drop.
func (d Design) pairs(drop float64) (loss, gain float64) {
	if d.Nested {
		return drop, 0
	}
	now := max(0, d.Base-drop)
	return d.Base * (1 - now), (1 - d.Base) * now
}

// MDE returns the minimum detectable effect: the smallest drop of the rate that the test
// detects on n items with the stated power, by exact enumeration, to nine digits. A
// comparison without a detected drop says little about smaller drops. ok is false if even
// a drop to 0 is missed too often, for n outside 1..100000, and for a design
// outside its ranges.
//
// Source: methods.md §5.6: n = 29, base 0.96, independent, mid-p two-sided: 0.273.
func (d Design) MDE(n int) (float64, bool) {
	d = d.withDefaults()
	if !d.valid() || n < 1 || n > maxEnumeratedItems {
		return 0, false
	}
	r := newRegion(n, d.Alpha, d.Test)
	enough := func(drop float64) bool { return r.rate(d.pairs(drop)) >= d.Power }
	if !enough(d.Base) {
		return 0, false
	}
	low, high := 0.0, d.Base
	for high-low > 1e-10 {
		mid := (low + high) / 2
		if enough(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return high, true
}

// NeededSuccesses returns how many of n must succeed for a rate of at least rate:
// ceil(rate·n - 1e-9), since 0.28·25 is 7.000000000000001 in floating point. Thresholds
// compare counts, never rates. It is n+1, which no run reaches, if the rate is above 1 or not
// a number, and never below 0.
//
// Source: methods.md §1.2.
func NeededSuccesses(n int, rate float64) int {
	n = min(max(n, 0), 1<<53) // the largest exact count of a float64
	need := math.Ceil(rate*float64(n) - 1e-9)
	switch {
	case need <= 0:
		return 0
	case need <= float64(n):
		return int(need)
	}
	return n + 1
}

// maxUnpairedTables bounds the tables of an exact enumeration, to limit its time.
const maxUnpairedTables = 4_000_000

// UnpairedDesign is a comparison of two configurations on different items, by Fisher's
// exact two-sided test; Design is the one on the same items.
type UnpairedDesign struct {
	// Base is the rate of the baseline, in (0, 1].
	Base  float64
	Alpha float64 // 0.05 if 0
	Power float64 // 0.80 if 0
}

func (d UnpairedDesign) withDefaults() (UnpairedDesign, bool) {
	paired := Design{Base: d.Base, Alpha: d.Alpha, Power: d.Power}.withDefaults()
	return UnpairedDesign{paired.Base, paired.Alpha, paired.Power}, paired.valid()
}

// MDE returns the minimum detectable effect: the smallest drop of the rate that the test
// finds with the stated power, the baseline on n1 items and the new configuration on n2
// others, by exact enumeration, to nine digits. ok is false where even a drop to 0 would
// be missed too often, for n1 or n2 below 1, for n1·n2 above 4,000,000, and for a design
// outside its ranges.
//
// Source: methods.md §5.6: 29 against 29, base 0.96: 0.305.
func (d UnpairedDesign) MDE(n1, n2 int) (float64, bool) {
	d, ok := d.withDefaults()
	if !ok || !enumerable(n1, n2) {
		return 0, false
	}
	r := newUnpairedRegion(n1, n2, d.Alpha)
	enough := func(drop float64) bool { return r.rate(d.Base, max(0, d.Base-drop)) >= d.Power }
	if !enough(d.Base) {
		return 0, false
	}
	low, high := 0.0, d.Base
	for high-low > 1e-10 {
		mid := (low + high) / 2
		if enough(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return high, true
}

func enumerable(n1, n2 int) bool {
	return n1 >= 1 && n2 >= 1 && n1 <= maxUnpairedTables/n2
}

// unpairedRegion is the rejection region: with s successes in both groups, fewer than
// low[s] in the first or more than high[s].
type unpairedRegion struct {
	n1, n2    int
	low, high []int
}

func newUnpairedRegion(n1, n2 int, alpha float64) unpairedRegion {
	r := unpairedRegion{n1: n1, n2: n2, low: make([]int, n1+n2+1), high: make([]int, n1+n2+1)}
	for s := range r.low {
		r.low[s], r.high[s] = tablesOf(s, n1, n2).accepted(alpha)
	}
	return r
}

// rate is the probability of rejection at the rates p1 and p2.
func (r unpairedRegion) rate(p1, p2 float64) float64 {
	from1, mass1 := binomialBulk(r.n1, p1)
	from2, mass2 := binomialBulk(r.n2, p2)
	sum := 0.0
	for i, m1 := range mass1 {
		x1, inner := from1+i, 0.0
		for j, m2 := range mass2 {
			if s := x1 + from2 + j; x1 < r.low[s] || x1 > r.high[s] {
				inner += m2
			}
		}
		sum += m1 * inner
	}
	return min(1, sum)
}

// binomialBulk gives the probabilities of from, from+1, … successes, without negligible
// ones farther than ten standard deviations from the mean.
func binomialBulk(n int, p float64) (from int, mass []float64) {
	mean := float64(n) * p
	width := 10*math.Sqrt(mean*(1-p)) + 40
	from = max(0, int(mean-width))
	for x := from; x <= min(n, int(mean+width)); x++ {
		mass = append(mass, binomialPMF(x, n, p))
	}
	return from, mass
}

// FreshItem returns the one-sided p-value that an item got worse: x of k fresh traces are
// right, h of m of its history. It is P(X <= x) for X hypergeometric, k traces drawn from
// the k+m of which x+h are right; methods.md §6.2 compares it with a level over all items
// that lost traces. 2 of 6 against 9 of 9 is 0.011.
// Without fresh traces, or without history, it is 1. ok is false for a count outside
// 0 <= x <= k or 0 <= h <= m, or a k+m above 10^7.
//
// Source: methods.md §6.2, Test B; the lower tail of Fisher's exact test.
func FreshItem(x, k, h, m int) (p float64, ok bool) {
	if !isCount(x, k) || !isCount(h, m) || k > maxCount || m > maxCount-k {
		return 0, false
	}
	first, mass := hypergeometricRow(x+h, k, m)
	if x-first >= len(mass)-1 {
		return 1, true
	}
	below, at, _ := split(mass, x-first)
	return min(1, below+at), true
}
