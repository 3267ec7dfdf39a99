package stats

// PoissonBinomial returns the distribution of the number of successes of independent
// trials with the probabilities p: element x is that of x successes, for x from 0 to
// len(p). Equal probabilities give the binomial distribution, no trials [1]. ok is false
// for a probability outside [0, 1] and more than 20,000 trials; the time grows with their
// square.
func PoissonBinomial(p []float64) (mass []float64, ok bool) {
	if len(p) > maxSupport {
		return nil, false
	}
	mass = make([]float64, 1, len(p)+1)
	mass[0] = 1
	for _, success := range p {
		if !isRate(success) {
			return nil, false
		}
		mass = convolve(mass, []float64{1 - success, success})
	}
	return mass, true
}
