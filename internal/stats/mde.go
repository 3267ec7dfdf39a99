package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// power is the probability with which a minimum detectable effect is detected.
const power = 0.80

// The limits of an exact enumeration, which bound its time.
const (
	maxEnumeratedItems = 100_000
	maxUnpairedTables  = 4_000_000
)

// MDE returns the minimum detectable effect of a comparison of two configurations on the same n items, with one
// outcome each. It is the smallest drop from the baseline's rate, base, that McNemar's mid-p test at level
// alpha finds with a power of 80 %. It is exact to nine digits, by enumeration. It assumes two independent
// runs, and one rate for all items. So some items that the baseline had wrong are right in the new run by
// chance.
//
// ok is false if even a drop to 0 is found with less than this power, for base outside (0, 1], alpha outside
// (0, 1), and n outside 1..100000. Example: 0.273 for n = 29 and base 0.96. Source: docs/method.md §5.6.
func MDE(n int, base, alpha float64) (float64, bool) {
	if n < 1 || n > maxEnumeratedItems || !open(alpha) {
		return 0, false
	}
	r := newRegion(n, alpha)
	return leastDrop(base, func(now float64) float64 { return r.rate(base*(1-now), (1-base)*now) })
}

// UnpairedMDE returns the MDE of a comparison on different items: the baseline has n1 items and the new
// configuration n2 others. The test is Fisher's exact test, two-sided. Example: 0.305 for 29 against 29 and
// base 0.96. ok is false in the same cases as for MDE, and for n1·n2 above 4,000,000. Source: docs/method.md
// §5.6.
func UnpairedMDE(n1, n2 int, base, alpha float64) (float64, bool) {
	if n1 < 1 || n2 < 1 || n1 > maxUnpairedTables/n2 || !open(alpha) {
		return 0, false
	}
	r := newUnpairedRegion(n1, n2, alpha)
	return leastDrop(base, func(now float64) float64 { return r.rate(base, now) })
}

// leastDrop returns the smallest drop from base that is detected with the constant power. found returns the
// probability of a rejection at the new rate.
func leastDrop(base float64, found func(now float64) float64) (float64, bool) {
	if !(base > 0 && base <= 1) || found(0) < power {
		return 0, false
	}
	low, high := 0.0, base
	for high-low > 1e-10 {
		if mid := (low + high) / 2; found(base-mid) >= power {
			high = mid
		} else {
			low = mid
		}
	}
	return high, true
}

// region is the rejection region of McNemar's two-sided mid-p test. With N discordant pairs, the test rejects
// if at most region[N] of the pairs are gains, or if at most region[N] are losses. If region[N] is -1, the test
// never rejects.
type region []int

// newRegion computes the region. The critical value never falls when the number of pairs grows, so the search for
// each number of pairs begins at the value of the number before it.
func newRegion(n int, alpha float64) region {
	r := make(region, n+1)
	c := -1
	for pairs := range r {
		for c < pairs/2 && MidP.p(c+1, pairs) <= alpha {
			c++
		}
		r[pairs] = c
	}
	return r
}

// rate returns the probability of a rejection on either side.
func (r region) rate(loss, gain float64) float64 {
	return min(1, r.worse(loss, gain)+r.worse(gain, loss))
}

// worse returns the probability of a rejection with more losses than gains. It sums over the number of
// discordant pairs, which has a binomial distribution. For a given number of pairs, the number of gains also
// has a binomial distribution.
func (r region) worse(loss, gain float64) float64 {
	n, sum := len(r)-1, 0.0
	discordant := min(1, loss+gain)
	if discordant == 0 {
		return 0 // without a discordant pair, no test rejects
	}
	share := min(1, gain/discordant)
	from, mass := binomialBulk(n, discordant)
	for i, m := range mass {
		if c := r[from+i]; c >= 0 {
			a, b := float64(from+i-c), float64(c+1) // P(X <= c) = I_{1-p}(pairs-c, c+1)
			sum += m * mathext.RegIncBeta(a, b, 1-share)
		}
	}
	return min(1, sum)
}

// unpairedRegion is the rejection region of Fisher's test. s is the number of successes in both groups
// together. The test rejects if the first group has fewer than low[s] or more than high[s] successes.
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

// rate returns the probability of rejection at the rates p1 and p2.
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

// binomialBulk returns the probabilities of from, from+1, … successes. It leaves out numbers that are farther
// than ten standard deviations from the mean, because their probabilities are negligible.
func binomialBulk(n int, p float64) (from int, mass []float64) {
	mean := float64(n) * p
	width := 10*math.Sqrt(mean*(1-p)) + 40
	from = max(0, int(mean-width))
	for x := from; x <= min(n, int(mean+width)); x++ {
		mass = append(mass, binomialPMF(x, n, p))
	}
	return from, mass
}
