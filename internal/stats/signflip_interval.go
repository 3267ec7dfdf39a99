package stats

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Up to maxSubsetItems differences, all subsets are counted; beyond, subsetDraws are drawn.
// With 9,999 draws the limits at 95 % are the 250th means from either end.
const (
	maxSubsetItems = 13
	subsetDraws    = 9_999
)

// SignFlipInterval holds the shifts of the paired differences (new minus baseline, one per item) that
// the sign-flip test does not reject at 1 - level, two-sided, an interval for their centre. The test
// rejects a shift if few subsets of the differences have a mean beyond it, so the limits are quantiles
// of these means. All subsets are counted up to 13 differences, else 9,999 are drawn, seeded. ok is false
// where a difference is not finite, level is not in (0, 1), or the differences are too few for it: at
// 95 % it takes six.
//
// Source: J. A. Hartigan, "Using subsample values as typical values", JASA 64 (1969).
func SignFlipInterval(differences []float64, level float64, seed uint64) (Interval, bool) {
	if !open(level) || slices.ContainsFunc(differences, func(d float64) bool { return !finite(d) }) {
		return Interval{}, false
	}
	means := subsetMeans(differences, seed)
	// The centre lies with equal probability in each of the len(means)+1 gaps.
	rank := int(math.Floor((1-level)/2*float64(len(means)+1) + 1e-9))
	if rank < 1 {
		return Interval{}, false
	}
	slices.Sort(means)
	return Interval{Low: means[rank-1], High: means[len(means)-rank]}, true
}

// subsetMeans are the means of all non-empty subsets, or of random ones.
func subsetMeans(differences []float64, seed uint64) []float64 {
	n := len(differences)
	if n <= maxSubsetItems {
		means := make([]float64, 0, 1<<n-1)
		for subset := uint64(1); subset < 1<<n; subset++ {
			means = append(means, meanOf(differences, func(int) uint64 { return subset }))
		}
		return means
	}
	r := rand.New(rand.NewPCG(seed, 0))
	means := make([]float64, 0, subsetDraws)
	for len(means) < subsetDraws {
		if m := meanOf(differences, func(int) uint64 { return r.Uint64() }); !math.IsNaN(m) {
			means = append(means, m)
		}
	}
	return means
}

// meanOf is the mean of the items whose bits are set, 64 items a word; NaN without items.
func meanOf(items []float64, word func(i int) uint64) float64 {
	sum, n, bits := 0.0, 0, uint64(0)
	for i, x := range items {
		if i%64 == 0 {
			bits = word(i / 64)
		}
		if bits&1 == 1 {
			sum += x
			n++
		}
		bits >>= 1
	}
	return sum / float64(n)
}
