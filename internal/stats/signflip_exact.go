package stats

import "math"

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
