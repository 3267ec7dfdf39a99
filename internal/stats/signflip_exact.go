package stats

import (
	"math"
	"math/rand/v2"
	"slices"
)

const (
	// maxEnumerated differences have at most four million sign patterns.
	maxEnumerated = 22
	// maxDenominator is the largest common denominator tried; 840 covers every K up to 8.
	maxDenominator = 840
	// maxSteps bounds the work of the exact count.
	maxSteps = 50_000_000
)

// enumerate visits every sign pattern.
func (f flips) enumerate() tally {
	var below, at, above float64
	slack := f.slack()
	var visit func(i int, sum float64)
	visit = func(i int, sum float64) {
		switch {
		case i < len(f.sizes):
			visit(i+1, sum)
			visit(i+1, sum+f.sizes[i])
		case sum < f.positive-slack:
			below++
		case sum > f.positive+slack:
			above++
		default:
			at++
		}
	}
	visit(0, 0)
	patterns := math.Ldexp(1, len(f.sizes))
	return tallyOf(below/patterns, at/patterns, above/patterns)
}

// integerFlips is a sign-flip test whose differences are whole numbers.
type integerFlips struct {
	sizes           []int
	positive, total int
}

// integers scales the differences by their common denominator. ok is false if none is small
// enough, or the count would take too long.
func (f flips) integers() (integerFlips, bool) {
	for scale := 1; scale <= maxDenominator; scale++ {
		if c, whole := f.scaled(float64(scale)); whole {
			return c, len(c.sizes)*(c.total+1) <= maxSteps
		}
	}
	return integerFlips{}, false
}

func (f flips) scaled(scale float64) (integerFlips, bool) {
	if f.total*scale > maxSteps {
		return integerFlips{}, false
	}
	var c integerFlips
	for _, size := range f.sizes {
		whole := math.Round(size * scale)
		if whole < 1 || math.Abs(size*scale-whole) > 1e-9 {
			return integerFlips{}, false
		}
		c.sizes = append(c.sizes, int(whole))
		c.total += int(whole)
	}
	c.positive = int(math.Round(f.positive * scale))
	return c, true
}

// count finds the distribution of the positive sum by convolution.
func (c integerFlips) count() tally {
	mass := make([]float64, c.total+1)
	mass[0] = 1
	reached := 0
	for _, size := range c.sizes {
		reached += size
		for sum := reached; sum >= 0; sum-- {
			from := 0.0
			if sum >= size {
				from = mass[sum-size]
			}
			mass[sum] = (mass[sum] + from) / 2
		}
	}
	var below, above float64
	for sum, m := range mass {
		switch {
		case sum < c.positive:
			below += m
		case sum > c.positive:
			above += m
		}
	}
	return tallyOf(below, mass[c.positive], above)
}

// Up to maxSubsetItems differences, all subsets are counted; beyond, subsetDraws are drawn.
// With 9,999 draws the limits at 95 % are the 250th means from either end.
const (
	maxSubsetItems = 13
	subsetDraws    = 9_999
)

// SignFlipInterval inverts the sign-flip test: it holds the shifts of the paired differences
// (new minus baseline, one per item) that the test does not reject at 1 - level, two-sided,
// an interval for their centre. The test rejects a shift if few subsets of the differences
// have a mean beyond it, so the limits are quantiles of these means.
//
// All subsets are counted up to 13 differences, else 9,999 are drawn from a generator seeded
// with the seed. ok is false where a difference is not finite, level is not in (0, 1), or the
// differences are too few for the level: at 95 % it takes six.
//
// Source: J. A. Hartigan, "Using subsample values as typical values", JASA 64 (1969);
// methods.md §5.4 for the test.
func SignFlipInterval(differences []float64, level float64, seed uint64) (Interval, bool) {
	if !(level > 0 && level < 1) || slices.ContainsFunc(differences, func(d float64) bool { return !finite(d) }) {
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
