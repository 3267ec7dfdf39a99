package stats

// sum is the distribution of the number of right current traces: mass[i] is the probability
// of first+i. All terms are positive, so small probabilities keep their digits.
func (c chance) sum() (first int, mass []float64) {
	mass = make([]float64, 1, c.support+1)
	mass[0] = 1
	var low int
	var row []float64
	for i, s := range c.items {
		if i == 0 || byDistribution(c.items[i-1], s) != 0 {
			low, row = hypergeometricRow(s.right(), s.K, s.M)
		}
		first += low
		mass = convolve(mass, row)
	}
	return first, mass
}

// hypergeometricRow is the distribution of the successes among k of the k+m traces:
// mass[i] is the probability of first+i.
func hypergeometricRow(successes, k, m int) (first int, mass []float64) {
	t := tablesOf(successes, k, m)
	total := 0.0
	for _, w := range t.weights {
		total += w
	}
	for i := range t.weights {
		t.weights[i] /= total
	}
	return t.first, t.weights
}

// convolve adds an independent variable to the sum. It grows mass in place, from the top
// down, so that no value is overwritten before it is read.
func convolve(mass, row []float64) []float64 {
	reached := len(mass)
	mass = append(mass, make([]float64, len(row)-1)...)
	for sum := len(mass) - 1; sum >= 0; sum-- {
		v := 0.0
		for j := max(0, sum-reached+1); j <= min(sum, len(row)-1); j++ {
			v += mass[sum-j] * row[j]
		}
		mass[sum] = v
	}
	return mass
}

// split adds up the mass on both sides of a value, each from the outside inwards: the
// distributions have one peak, so small numbers are added first.
func split(mass []float64, at int) (below, here, above float64) {
	for i := 0; i < min(at, len(mass)); i++ {
		below += mass[i]
	}
	for i := len(mass) - 1; i > max(at, -1); i-- {
		above += mass[i]
	}
	if at >= 0 && at < len(mass) {
		here = mass[at]
	}
	return below, here, above
}
