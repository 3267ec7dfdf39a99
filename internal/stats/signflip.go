package stats

import (
	"math"
	"math/rand/v2"
)

// DefaultDraws is the number of random sign patterns if there are too many to enumerate.
const DefaultDraws = 100_000

// SignFlipOptions set the random draws of an inexact test.
type SignFlipOptions struct {
	Seed  uint64
	Draws int // DefaultDraws if 0
}

// SignFlip is the result of a sign-flip test.
type SignFlip struct {
	Loss, LossMidP         float64 // P(sum <= observed)
	TwoSided, TwoSidedMidP float64 // P(|sum| >= |observed|)
	Exact                  bool    // all patterns were counted
	Draws                  int     // 0 if exact
}

// SignFlipTest tests whether paired differences (new minus baseline, one per item) have
// no direction: under that hypothesis each could as well have the other sign. The
// statistic is their sum. It suits fractional scores; for differences of -1, 0 and 1 it
// is McNemar's test. Items of one cluster flip together: pass SumClusters' sums.
//
// It is exact where the differences are multiples of a common fraction (means of K
// traces are) or at most 22 differ from 0. Otherwise it draws patterns from a seeded
// generator, and p = (1 + hits)/(1 + draws), whose standard error is below 0.002 at the
// default. Without differences p is 1 (mid-p of a loss: 1/2). ok is false where a
// difference or the sum of them is not finite, and for negative draws.
//
// Source: methods.md §5.4; R. A. Fisher, The Design of Experiments (1935) §21.
func SignFlipTest(differences []float64, o SignFlipOptions) (SignFlip, bool) {
	f, ok := newFlips(differences)
	if !ok || o.Draws < 0 {
		return SignFlip{}, false
	}
	if c, ok := f.integers(); ok {
		return c.count().exact(), true
	}
	if len(f.sizes) <= maxEnumerated {
		return f.enumerate().exact(), true
	}
	draws := o.Draws
	if draws == 0 {
		draws = DefaultDraws
	}
	return f.draw(rand.New(rand.NewPCG(o.Seed, 0)), draws), true
}

// flips reduces the test to the sum of the positive differences, since S = 2·positive -
// total.
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

// tally is the mass of the patterns by their sum S compared with the observed s.
type tally struct {
	below, at float64 // S < s, S = s
	far, same float64 // |S| > |s|, |S| = |s|
}

// tallyOf completes the masses below, at and above by the symmetry of S around 0. If s = 0,
// each tail has all of it, as in McNemar's test with loss = gain.
func tallyOf(below, at, above float64) tally {
	return tally{below: below, at: at, far: 2 * min(below, above), same: 2 * at}
}

func (t tally) exact() SignFlip {
	return SignFlip{
		Loss: min(1, t.below+t.at), LossMidP: min(1, t.below+t.at/2),
		TwoSided: min(1, t.far+t.same), TwoSidedMidP: min(1, t.far+t.same/2),
		Exact: true,
	}
}

// draw counts the observed pattern as one of the draws, so that p is never 0.
func (f flips) draw(r *rand.Rand, draws int) SignFlip {
	var t tally
	slack := f.slack()
	observed := 2*f.positive - f.total
	for range draws {
		s := 2*f.pattern(r) - f.total
		switch {
		case s < observed-slack:
			t.below++
		case s <= observed+slack:
			t.at++
		}
		switch far := math.Abs(s) - math.Abs(observed); {
		case far > slack:
			t.far++
		case far >= -slack:
			t.same++
		}
	}
	b := 1 + float64(draws)
	out := SignFlip{
		Loss: (1 + t.below + t.at) / b, LossMidP: (0.5 + t.below + t.at/2) / b,
		TwoSided: (1 + t.far + t.same) / b, TwoSidedMidP: (0.5 + t.far + t.same/2) / b,
		Draws: draws,
	}
	if math.Abs(observed) <= slack {
		out.TwoSided, out.TwoSidedMidP = 1, 1
	}
	return out
}

// pattern draws the signs, one bit each, and adds up the positive differences.
func (f flips) pattern(r *rand.Rand) float64 {
	sum, bits := 0.0, uint64(0)
	for i, size := range f.sizes {
		if i%64 == 0 {
			bits = r.Uint64()
		}
		if bits&1 == 1 {
			sum += size
		}
		bits >>= 1
	}
	return sum
}

// slack is the largest rounding difference between equal sums.
func (f flips) slack() float64 { return 1e-10 * f.total }
