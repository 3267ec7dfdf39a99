package stats

// WeightedTotal returns the probability that a weighted sum of right traces is at most the
// observed one if nothing changed: P(Σ w·X <= Σ w·x), where the X right ones among an item's K
// current traces are hypergeometric given its X+H right ones of K+M, independently for each
// item. weight gives the w of an item, at least 1; it may use only X+H and K+M, on which the
// test conditions. The distribution is exact, by convolution of the stretched distributions,
// so that small probabilities keep their digits. Without items it is 1. ok is false for a count outside 0 <= X <= K <= 10^7 or 0 <= H <= M <= 10^7,
// for a weight below 1, and where the sum can take more than ten million values.
//
// Source: methods.md §6.2, Test A.
func WeightedTotal(items []Stratum, weight func(Stratum) int) (p float64, ok bool) {
	const mostValues = 10_000_000
	seen := 0
	mass := []float64{1}
	var last Stratum
	var row []float64
	for _, s := range items {
		if !s.valid() {
			return 0, false
		}
		w := weight(s)
		if w < 1 {
			return 0, false
		}
		if s.width() == 0 {
			continue // equal on both sides
		}
		if row == nil || byDistribution(last, s) != 0 {
			_, row = hypergeometricRow(s.right(), s.K, s.M)
			last = s
		}
		seen += w * (s.X - max(0, s.right()-s.M))
		if len(mass)+w*(len(row)-1) > mostValues {
			return 0, false
		}
		mass = convolveStretched(mass, row, w)
	}
	below, at, _ := split(mass, seen)
	return min(1, below+at), true
}

// convolveStretched adds w times an independent variable to the sum, in place.
func convolveStretched(mass, row []float64, w int) []float64 {
	reached := len(mass)
	mass = append(mass, make([]float64, w*(len(row)-1))...)
	for sum := len(mass) - 1; sum >= 0; sum-- {
		v := 0.0
		first := 0
		if sum >= reached {
			first = (sum - reached + w) / w
		}
		for j := first; j < len(row) && j*w <= sum; j++ {
			v += mass[sum-w*j] * row[j]
		}
		mass[sum] = v
	}
	return mass
}
