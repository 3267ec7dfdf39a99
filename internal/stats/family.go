package stats

import (
	"cmp"
	"math"
	"slices"
)

// Holm returns the p-values adjusted as one family, in the given order: comparing them with α
// keeps the probability of any false alarm among them at α.
//
//	adj_(r) = max over s <= r of min(1, (m-s+1)·p_(s)),  p_(1) <= ... <= p_(m)
//
// ok is false if a p-value is not in [0, 1]: the caller leaves out undefined tests, and
// decides whether they count as members of the family.
//
// Source: S. Holm, Scand. J. Statist. 6 (1979) 65-70; methods.md §5.5.
func Holm(p []float64) (adjusted []float64, ok bool) {
	order := make([]int, len(p))
	for i, v := range p {
		if !isRate(v) {
			return nil, false
		}
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	adjusted = make([]float64, len(p))
	running := 0.0
	for rank, i := range order {
		running = max(running, min(1, float64(len(p)-rank)*p[i]))
		adjusted[i] = running
	}
	return adjusted, true
}

// maxEnumeratedItems bounds the items of an exact enumeration, to limit its time.
const maxEnumeratedItems = 100_000

// region is the rejection region of a test: with N discordant pairs, critical[N] gains or
// fewer, and by symmetry as few losses if the test is two-sided. -1 means never.
type region struct {
	critical []int
	twoSided bool
}

// newRegion relies on the critical value growing by 0 or 1 with each further pair.
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
	// Terms farther than ten standard deviations away are negligible.
	mean := float64(n) * discordant
	width := 10*math.Sqrt(mean*(1-discordant)) + 40
	sum := 0.0
	for pairs := max(0, int(mean-width)); pairs <= min(n, int(mean+width)); pairs++ {
		sum += binomialPMF(pairs, n, discordant) * r.given(pairs, share)
	}
	return min(1, sum)
}

// given is the probability of rejection with this number of pairs, each of them a gain with
// the given probability.
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
