package stats

import "math"

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
