package stats

import (
	"math"
	"math/rand/v2"
	"slices"
)

// DefaultDraws is the number of random sign patterns that keeps the standard error of p below 0.002.
const DefaultDraws = 100_000

// Bounds of the exact count, to limit its memory and its time.
const (
	maxPoints     = 1 << 20 // unless at most maxEnumerated differences are not 0
	maxEnumerated = 22
	maxSteps      = 50_000_000
)

// SignFlipTest tests whether paired differences (new minus baseline, one per item) have no direction:
// each could as well have the other sign. p is two-sided, P(|sum| >= |observed sum|); for differences of
// -1, 0 and 1 it is McNemar's exact one. It is exact where the sums take few values: the differences are
// multiples of a common fraction (means of K traces are), or at most 22 differ from 0. Else it draws
// patterns from a seeded generator, and p = (1 + hits)/(1 + draws). ok is false where a difference or the
// sum of them is not finite, and for negative draws.
// Source: methods.md §5.4; R. A. Fisher, The Design of Experiments (1935) §21.
func SignFlipTest(differences []float64, seed uint64, draws int) (p float64, ok bool) {
	f, ok := newFlips(differences)
	if !ok || draws < 0 {
		return 0, false
	}
	if sums, ok := f.sums(); ok {
		return f.tails(sums), true
	}
	return f.draw(rand.New(rand.NewPCG(seed, 0)), draws), true
}

// flips reduces the test to the sum of the positive differences, since S = 2·positive - total.
type flips struct {
	sizes    []float64 // |d|, zeros left out
	positive float64   // as observed
	total    float64
}

func newFlips(differences []float64) (flips, bool) {
	var f flips
	for _, d := range differences {
		if d == 0 {
			continue
		}
		f.sizes = append(f.sizes, math.Abs(d))
		f.total += math.Abs(d)
		f.positive += max(d, 0)
	}
	// Sums of up to the total are formed and doubled.
	return f, finite(2 * f.total)
}

// slack is the largest rounding difference between equal sums.
func (f flips) slack() float64 { return 1e-10 * f.total }

// draw counts the observed pattern as one of the draws, so that p is never 0.
func (f flips) draw(r *rand.Rand, draws int) float64 {
	observed := math.Abs(2*f.positive - f.total)
	hits := 0
	for range draws {
		positive, bits := 0.0, uint64(0)
		for i, size := range f.sizes {
			if i%64 == 0 {
				bits = r.Uint64()
			}
			if bits&1 == 1 {
				positive += size
			}
			bits >>= 1
		}
		if math.Abs(2*positive-f.total) >= observed-f.slack() {
			hits++
		}
	}
	return float64(1+hits) / float64(1+draws)
}

// point is a value that the sum of the positive differences can take, with its probability.
type point struct{ sum, mass float64 }

// sums gives all points, in rising order. ok is false if there are too many.
func (f flips) sums() (points []point, ok bool) {
	points, next, steps := []point{{0, 1}}, []point{}, 0
	for _, size := range f.sizes {
		next = next[:0]
		add := func(p point) {
			if last := len(next) - 1; last >= 0 && p.sum-next[last].sum <= f.slack() {
				next[last].mass += p.mass / 2
			} else {
				next = append(next, point{p.sum, p.mass / 2})
			}
		}
		i := 0 // of the points that size was not added to yet
		for _, p := range points {
			for ; points[i].sum+size < p.sum; i++ {
				add(point{points[i].sum + size, points[i].mass})
			}
			add(p)
		}
		for ; i < len(points); i++ {
			add(point{points[i].sum + size, points[i].mass})
		}
		points, next = next, points
		if steps += len(points); len(f.sizes) > maxEnumerated && len(points) > maxPoints || steps > maxSteps {
			return nil, false
		}
	}
	return points, true
}

// tails is P(|S| >= |s|) by the symmetry of S around 0. If s = 0, each tail has all of it, as in
// McNemar's test with loss = gain. Each side is added up from the outside inwards, small numbers first.
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
