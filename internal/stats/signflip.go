package stats

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// DefaultDraws is the number of random sign patterns. With this number, the standard error of p is below 0.002.
const DefaultDraws = 100_000

// These constants limit the exact count, and so its memory and time.
const (
	maxEnumerated  = 22
	maxDenominator = 5040 // of the common unit; 2520 is a multiple of 1 to 10
	maxSteps       = 100_000_000
	// bulk is the number of standard deviations around the mean within which probabilities are kept. The
	// probability outside is less than 1e-30.
	bulk = 12
)

// SignFlipTest tests the hypothesis that paired differences (new minus baseline, one per item) have no
// direction: each could have the other sign with the same probability. p is two-sided, P(|sum| >= |observed
// sum|). For differences of -1, 0 and 1 it is McNemar's exact p.
//
// There are two ways to compute p:
//
//   - p is exact if at most 22 differences are not 0, or if all differences are multiples of a common fraction,
//     as means of K traces are. A p below 1e-30 is given as 1e-30. The sum of m differences of one size is the
//     size times 2·Bin(m, 1/2) - m. So the test convolves one binomial distribution per size.
//   - Otherwise random signs are drawn from a generator with this seed, and p = (1 + hits)/(1 + draws).
//
// ok is false if a difference or their sum is not finite, and for negative draws. Source: R. A. Fisher, The
// Design of Experiments (1935) §21; docs/method.md §5.4.
func SignFlipTest(differences []float64, seed uint64, draws int) (p float64, ok bool) {
	f, ok := newFlips(differences)
	if !ok || draws < 0 {
		return 0, false
	}
	if len(f.sizes) == 0 {
		return 1, true
	}
	if p, ok := f.bySize(); ok {
		return max(p, 1e-30), true
	}
	if f.count() <= maxEnumerated {
		return f.tails(f.sums()), true
	}
	return f.draw(rand.New(rand.NewPCG(seed, 0)), draws), true
}

// flips holds the differences of the test. Only the sum of the positive differences must be computed, because
// the sum S of all differences is 2·positive - total.
type flips struct {
	sizes    []size
	positive float64 // the observed sum
	total    float64
}

// size is an absolute value of differences, not 0, with the number of differences (count) that have it.
type size struct {
	of    float64
	count int
}

func newFlips(differences []float64) (flips, bool) {
	var f flips
	var sizes []float64
	for _, d := range differences {
		if d == 0 {
			continue
		}
		sizes = append(sizes, math.Abs(d))
		f.total += math.Abs(d)
		f.positive += max(d, 0)
	}
	if !finite(2 * f.total) { // sums up to the total are formed and doubled
		return f, false
	}
	slices.Sort(sizes)
	for _, s := range sizes {
		if last := len(f.sizes) - 1; last >= 0 && s-f.sizes[last].of <= 1e-12*s {
			f.sizes[last].count++
		} else {
			f.sizes = append(f.sizes, size{s, 1})
		}
	}
	return f, true
}

func (f flips) count() (n int) {
	for _, s := range f.sizes {
		n += s.count
	}
	return n
}

// slack returns the largest rounding difference between equal sums.
func (f flips) slack() float64 { return 1e-10 * f.total }

// unit returns the sizes as multiples of a common unit 1/q, where q is at most maxDenominator. ok is false if
// there is no such unit.
func (f flips) unit() (whole []int, q float64, ok bool) {
	if f.sizes[len(f.sizes)-1].of > maxCount {
		return nil, 0, false
	}
	for q := 1.0; q <= maxDenominator; q++ {
		whole = whole[:0]
		for _, s := range f.sizes {
			n := math.Round(s.of * q)
			if n == 0 || math.Abs(s.of*q-n) > 1e-9*max(1, n) {
				break
			}
			whole = append(whole, int(n))
		}
		if len(whole) == len(f.sizes) {
			return whole, q, true
		}
	}
	return nil, 0, false
}

// bySize returns the exact p-value, if all sizes are multiples of a common unit. ok is false if they are not,
// or if the count would take too long.
func (f flips) bySize() (p float64, ok bool) {
	whole, q, ok := f.unit()
	if !ok {
		return 0, false
	}
	total, variance, steps := 0, 0.0, 0.0
	for i, w := range whole {
		total += w * f.sizes[i].count
		variance += float64(w) * float64(w) * float64(f.sizes[i].count) / 4
		// A size with m differences needs m+1 steps for each sum of the sizes before it.
		steps += min(float64(total+1), 2*bulk*math.Sqrt(variance)+2) * min(float64(f.sizes[i].count+1),
			bulk*math.Sqrt(float64(f.sizes[i].count))+2)
	}
	if steps > maxSteps {
		return 0, false
	}
	from, mass := 0, []float64{1} // the sum of the positive differences, so far
	total, variance = 0, 0
	for i, w := range whole {
		m := f.sizes[i].count
		total += w * m
		variance += float64(w) * float64(w) * float64(m) / 4
		least, coins := halfBulk(m)
		next := make([]float64, len(mass)+w*(len(coins)-1))
		for x, c := range coins {
			for j, p := range mass {
				next[x*w+j] += c * p
			}
		}
		from, mass = centre(from+least*w, next, float64(total)/2, variance)
	}
	observed, below, at := int(math.Round(f.positive*q)), 0.0, 0.0
	observed = min(observed, total-observed) // by symmetry, the lower tail is enough
	for j, p := range mass {
		if from+j < observed {
			below += p
		} else if from+j == observed {
			at = p
		}
	}
	return min(1, 2*(below+at)), true
}

// halfBulk returns the distribution of Bin(m, 1/2) without negligible values. from is the first value that it
// has.
func halfBulk(m int) (from int, mass []float64) {
	reach := int(bulk*math.Sqrt(float64(m))/2) + 1
	from = max(0, m/2-reach)
	for x := from; x <= min(m, m-m/2+reach); x++ {
		_, at := halfTail(x, m)
		mass = append(mass, at)
	}
	return from, mass
}

// centre removes the values that are farther than bulk standard deviations from the mean.
func centre(from int, mass []float64, mean, variance float64) (int, []float64) {
	reach := bulk*math.Sqrt(variance) + 1
	first := max(0, int(mean-reach)-from)
	last := min(len(mass), int(mean+reach)+2-from)
	return from + first, mass[first:last]
}

// draw draws random signs. It counts the observed signs as one of the draws, so that p is never 0.
func (f flips) draw(r *rand.Rand, draws int) float64 {
	observed := math.Abs(2*f.positive - f.total)
	hits := 0
	for range draws {
		positive := 0.0
		word, left := uint64(0), 0 // random bits that are not used yet
		for _, s := range f.sizes {
			heads := 0
			for need := s.count; need > 0; {
				if left == 0 {
					word, left = r.Uint64(), 64
				}
				take := min(need, left)
				heads += bits.OnesCount64(word & (1<<take - 1))
				word >>= take
				need, left = need-take, left-take
			}
			positive += float64(heads) * s.of
		}
		if math.Abs(2*positive-f.total) >= observed-f.slack() {
			hits++
		}
	}
	return float64(1+hits) / float64(1+draws)
}

// point is a possible value of the sum of the positive differences, with its probability.
type point struct{ sum, mass float64 }

// sums returns all points, in rising order, of at most maxEnumerated differences.
func (f flips) sums() []point {
	points, next := []point{{0, 1}}, []point{}
	for _, s := range f.sizes {
		for range s.count {
			points, next = f.plus(points, next[:0], s.of), points
		}
	}
	return points
}

// plus appends to out the points after one more difference, with equal sums merged.
func (f flips) plus(points, out []point, size float64) []point {
	add := func(sum, mass float64) {
		if last := len(out) - 1; last >= 0 && sum-out[last].sum <= f.slack() {
			out[last].mass += mass / 2
		} else {
			out = append(out, point{sum, mass / 2})
		}
	}
	i := 0 // index of the points to which size was not added yet
	for _, p := range points {
		for ; points[i].sum+size < p.sum; i++ {
			add(points[i].sum+size, points[i].mass)
		}
		add(p.sum, p.mass)
	}
	for ; i < len(points); i++ {
		add(points[i].sum+size, points[i].mass)
	}
	return out
}

// tails returns P(|S| >= |s|). S is symmetric around 0. If s = 0, each tail has probability 1, as in McNemar's
// test with loss = gain. Each tail is summed from its outer end towards the middle, so that small numbers are
// added first.
func (f flips) tails(sums []point) float64 {
	var below, at, above float64
	for _, p := range sums {
		if p.sum < f.positive-f.slack() {
			below += p.mass
		}
	}
	for _, p := range slices.Backward(sums) {
		if p.sum > f.positive+f.slack() {
			above += p.mass
		} else if p.sum >= f.positive-f.slack() {
			at += p.mass
		}
	}
	return min(1, 2*(min(below, above)+at))
}
