package stats

import "slices"

// fisherTies is the relative difference up to which two tables' probabilities count as
// equal, because of rounding in their products. R's fisher.test uses the same.
const fisherTies = 1 + 1e-7

// Fisher returns the two-sided p-value of Fisher's exact test that two independent rates, x1 of n1
// items and x2 of n2 others, are equal: given x1+x2, the probability of all tables that are at most as
// likely as the observed one; 1 without items. On the same items use McNemar. ok is false for a count
// outside 0 <= x <= n or an n1+n2 above 10^7. Source: R. A. Fisher, JRSS 98 (1935) 39-82; methods.md §5.4.
func Fisher(x1, n1, x2, n2 int) (p float64, ok bool) {
	if !isCount(x1, n1) || !isCount(x2, n2) || n1 > maxCount || n2 > maxCount-n1 {
		return 0, false
	}
	if n1 > n2 || n1 == n2 && x1 > x2 { // makes the sum identical for both orders
		x1, n1, x2, n2 = x2, n2, x1, n1
	}
	t := tablesOf(x1+x2, n1, n2)
	seen := t.weight(x1)
	asUnlikely := 0.0
	for _, w := range t.weights {
		if w <= seen*fisherTies {
			asUnlikely += w
		}
	}
	return min(1, asUnlikely/sum(t.weights)), true
}

// tables are the 2×2 tables of two groups with a given total of successes, indexed by the successes of the first
// group: weights[i] is proportional to the probability of first+i. Tables too unlikely for a float64 are left out.
type tables struct {
	first   int
	weights []float64
}

// tablesOf starts at the most likely table and multiplies the ratios of neighbours
// outwards, which is more accurate than differences of log-factorials.
func tablesOf(successes, n1, n2 int) tables {
	low, high := max(0, successes-n2), min(successes, n1)
	mode := int(float64(successes+1) * float64(n1+1) / float64(n1+n2+2))
	mode = min(max(mode, low), high)
	// up is P(x+1)/P(x).
	up := func(x int) float64 {
		return float64(n1-x) / float64(x+1) * (float64(successes-x) / float64(n2-successes+x+1))
	}
	var t tables
	for x, w := mode, 1.0; x > low; x-- {
		if w /= up(x - 1); w == 0 {
			break
		}
		t.weights = append(t.weights, w)
	}
	t.first = mode - len(t.weights)
	slices.Reverse(t.weights)
	for x, w := mode, 1.0; ; x++ {
		t.weights = append(t.weights, w)
		if x == high {
			return t
		}
		if w *= up(x); w == 0 {
			return t
		}
	}
}

func (t tables) weight(x int) float64 {
	if x < t.first || x >= t.first+len(t.weights) {
		return 0
	}
	return t.weights[x-t.first]
}

// accepted are the successes of the first group, from low to high, at which the test does not reject at
// level alpha. The probabilities have one peak, so the least likely tables are at the two ends.
func (t tables) accepted(alpha float64) (low, high int) {
	total := sum(t.weights)
	i, j, rejected := 0, len(t.weights)-1, 0.0
	for i <= j {
		ties := min(t.weights[i], t.weights[j]) * fisherTies
		left, right := i, j
		for left <= right && t.weights[left] <= ties {
			rejected += t.weights[left]
			left++
		}
		for right >= left && t.weights[right] <= ties {
			rejected += t.weights[right]
			right--
		}
		if rejected > alpha*total {
			break
		}
		i, j = left, right
	}
	return t.first + i, t.first + j
}
