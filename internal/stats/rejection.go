package stats

import "math"

// maxEnumeratedItems bounds the items of an exact enumeration, for time.
const maxEnumeratedItems = 100_000

// RejectionRate returns the probability, by enumeration, that a paired test at level
// alpha rejects when each of n items is independently lost with probability loss and
// gained with probability gain. With loss = gain it is the true size of the test, of a
// two-sided one or against losses; otherwise its power. A test rejects where p <= alpha.
// ok is false for n outside 0..100000, probabilities that are negative or above 1 in
// sum, alpha outside (0, 1) or an unknown test.
//
// Source: methods.md §5.6.
func RejectionRate(n int, loss, gain, alpha float64, test PairedTest) (float64, bool) {
	if n < 0 || n > maxEnumeratedItems || !(loss >= 0) || !(gain >= 0) || !(loss+gain <= 1) ||
		!open(alpha) || !test.valid() {
		return 0, false
	}
	return newRegion(n, alpha, test).rate(loss, gain), true
}

// region is where a test rejects: with N discordant pairs, at critical[N] gains or fewer,
// and by symmetry at as few losses where the test is two-sided. -1 is never.
type region struct {
	critical []int
	twoSided bool
}

// newRegion uses that one more pair moves the critical value by 0 or 1.
func newRegion(n int, alpha float64, test PairedTest) region {
	r := region{critical: make([]int, n+1), twoSided: test.twoSided()}
	c := -1
	for pairs := range r.critical {
		most := pairs
		if r.twoSided {
			most = pairs / 2
		}
		for c < most && test.p(c+1, pairs) <= alpha {
			c++
		}
		r.critical[pairs] = c
	}
	return r
}

// rate sums over the number of discordant pairs, which is binomial; given it, the losses
// are too.
func (r region) rate(loss, gain float64) float64 {
	n := len(r.critical) - 1
	discordant := min(1, loss+gain)
	if discordant == 0 {
		return r.given(0, 0.5)
	}
	share := min(1, gain/discordant)
	// What lies farther than ten standard deviations away weighs nothing.
	mean := float64(n) * discordant
	width := 10*math.Sqrt(mean*(1-discordant)) + 40
	sum := 0.0
	for pairs := max(0, int(mean-width)); pairs <= min(n, int(mean+width)); pairs++ {
		sum += binomialPMF(pairs, n, discordant) * r.given(pairs, share)
	}
	return min(1, sum)
}

// given is the chance of rejection with so many pairs, each a gain with this probability.
func (r region) given(pairs int, gain float64) float64 {
	c := r.critical[pairs]
	if c < 0 {
		return 0
	}
	p := binomialCDF(c, pairs, gain)
	if r.twoSided {
		p += binomialCDF(c, pairs, 1-gain)
	}
	return p
}
