package stats

import (
	"slices"
)

// Stratum holds the counts of one item: X of K current traces are right, and H of M traces of the history.
type Stratum struct {
	X, K, H, M int
}

func (s Stratum) valid() bool {
	return isCount(s.X, s.K) && isCount(s.H, s.M) && s.K <= maxCount && s.M <= maxCount
}

// Tails has three probabilities: of a smaller sum than the observed sum, of the same sum, and of a larger sum.
type Tails struct {
	Below, At, Above float64
}

// Stratified returns the probabilities of a sum below, at and above the observed weighted sum of right current
// traces, Σ w·X, if nothing changed. An item has K+M traces, of which X+H are right. If nothing changed, every
// choice of K of the K+M traces as the current traces is equally likely. So X is hypergeometric, independently
// for each item, for any difficulty of the items. The distribution is exact, by convolution.
//
// weight returns the weight w of an item, at least 1. It may use only X+H and K+M, because the test takes these
// two sums as given.
//
// ok is false for a count outside 0 <= X <= K <= 10^7 or 0 <= H <= M <= 10^7, a weight below 1, and if the sum
// can take more than ten million values. Source: docs/method.md §6.2, Test A; N. Mantel and W. Haenszel, JNCI
// 22 (1959) 719-748.
func Stratified(items []Stratum, weight func(Stratum) int) (t Tails, ok bool) {
	const mostValues = 10_000_000
	seen := 0
	mass := []float64{1}
	for _, s := range items {
		if !s.valid() {
			return t, false
		}
		w := weight(s)
		first, row := hypergeometric(s)
		if w < 1 || len(mass)+w*(len(row)-1) > mostValues {
			return t, false
		}
		seen += w * (s.X - first)
		mass = convolve(mass, row, w)
	}
	return split(mass, seen), true
}

// hypergeometric returns the distribution of X given X+H: row[i] is the probability of first+i.
func hypergeometric(s Stratum) (first int, row []float64) {
	t := tablesOf(s.X+s.H, s.K, s.M)
	total := sum(t.weights)
	for i := range t.weights {
		t.weights[i] /= total
	}
	return t.first, t.weights
}

// convolve adds w times an independent variable to the sum. It extends mass in place, from the top down, so
// that no value is overwritten before it is read.
func convolve(mass, row []float64, w int) []float64 {
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

// split adds up the mass below and above a value. Each side is summed from its outer end towards the value, so
// that small numbers are added first; the distributions have one peak.
func split(mass []float64, at int) (t Tails) {
	for i := 0; i < min(at, len(mass)); i++ {
		t.Below += mass[i]
	}
	for i := len(mass) - 1; i > max(at, -1); i-- {
		t.Above += mass[i]
	}
	if at >= 0 && at < len(mass) {
		t.At = mass[at]
	}
	return t
}

// FreshItem returns the one-sided p-value that an item got worse: x of k fresh traces are right, and h of m
// traces of its history. It is P(X <= x) for a hypergeometric X, the lower tail of Fisher's exact test. It is 1
// if there are no fresh traces, or no history. For example, 2 of 6 against 9 of 9 gives 0.011. ok is false for
// a count outside 0 <= x <= k <= 10^7 or 0 <= h <= m <= 10^7. Source: docs/method.md §6.2, Test B.
func FreshItem(x, k, h, m int) (p float64, ok bool) {
	t, ok := Stratified([]Stratum{{x, k, h, m}}, func(Stratum) int { return 1 })
	if t.Above == 0 && ok { // exactly 1, without rounding errors
		return 1, true
	}
	return min(1, t.Below+t.At), ok
}

// fisherTies is the factor up to which the probabilities of two tables count as equal, because their products
// have rounding errors. R's fisher.test uses the same factor.
const fisherTies = 1 + 1e-7

// Fisher returns the two-sided p-value of Fisher's exact test of the hypothesis that two independent rates are
// equal: x1 of n1 items, and x2 of n2 other items. For the given x1+x2, p is the probability of all tables that
// are at most as likely as the observed table. It is 1 if there are no items. For the same items use McNemar.
// ok is false for a count outside 0 <= x <= n or an n1+n2 above 10^7. Source: R. A. Fisher, JRSS 98 (1935)
// 39-82; docs/method.md §5.4.
func Fisher(x1, n1, x2, n2 int) (p float64, ok bool) {
	if !isCount(x1, n1) || !isCount(x2, n2) || n1 > maxCount || n2 > maxCount-n1 {
		return 0, false
	}
	if n1 > n2 || n1 == n2 && x1 > x2 { // so that the sum is the same in both orders
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

// tables are the 2×2 tables of two groups with a given total of successes. weights[i] is proportional to the
// probability that the first group has first+i successes. Tables that are too unlikely for a float64 are left
// out.
type tables struct {
	first   int
	weights []float64
}

// tablesOf computes the probabilities of the tables. It starts at the most likely table and multiplies the
// ratios of neighbours outwards. This is more accurate than differences of log-factorials.
func tablesOf(successes, n1, n2 int) tables {
	low, high := max(0, successes-n2), min(successes, n1)
	mode := int(float64(successes+1) * float64(n1+1) / float64(n1+n2+2))
	mode = min(max(mode, low), high)
	// up returns P(x+1)/P(x).
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

// accepted returns the numbers of successes of the first group, from low to high, for which the test does not
// reject at level alpha. The probabilities have one peak, so that the least likely tables are at the two ends.
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
