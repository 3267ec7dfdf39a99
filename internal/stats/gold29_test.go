package stats_test

import "math/rand/v2"

// gold29 are the rates of a gold set on which nearly all is right.
func gold29() []float64 {
	rates := make([]float64, 29)
	for i := range rates {
		switch {
		case i < 24:
			rates[i] = .995
		case i < 27:
			rates[i] = .9
		default:
			rates[i] = .6
		}
	}
	return rates
}

// simulate draws runs of k traces of each item.
func simulate(random *rand.Rand, rates []float64, runs, k int) [][][]bool {
	out := make([][][]bool, runs)
	for r := range out {
		out[r] = make([][]bool, len(rates))
		for i, p := range rates {
			out[r][i] = make([]bool, k)
			for t := range out[r][i] {
				out[r][i][t] = random.Float64() < p
			}
		}
	}
	return out
}
