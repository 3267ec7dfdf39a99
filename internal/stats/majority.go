package stats

// MajAtK returns the probability that the vote of k of the item's traces, drawn without replacement, is
// correct. It is the mean over all C(N, k) subsets, counted exactly. A subset has j_a traces of class a and
// j_empty traces without an answer:
//
//	Σ over (j_1..j_r, j_empty), Σj = k, of Π C(n_a, j_a)/C(N, k) · T(j_1..j_r)
//
// T is the mean share of right traces in the classes with the most votes. It is 0 if fewer than floor(k/2)+1
// traces have an answer. ok is false for k < 1, fewer than k traces, negative counts and more than 256 traces.
// Source: docs/method.md §4; X. Wang et al., arXiv 2203.11171 for the vote.
func (it Item) MajAtK(k int, v Vote) (float64, bool) {
	if !it.valid() || k < 1 || k > it.Traces() {
		return 0, false
	}
	s := newSubsets(it, k)
	answers := k/2 + 1
	if v.NoQuorum {
		answers = 1
	}
	sum := 0.0
	known := map[int]float64{} // a class of a given number of votes leads with the same weight
	for i, c := range it.Classes {
		if c.Right == 0 {
			continue
		}
		if _, ok := known[c.Votes]; !ok {
			for lead := 1; lead < len(s.classes[i]); lead++ {
				known[c.Votes] += s.ledBy(i, lead, answers)
			}
		}
		sum += known[c.Votes] * c.share()
	}
	return min(1, sum/s.all), true
}

// subsets holds weights of the subsets of k traces of an item. Instead of a binomial C(n, j) it uses the weight
// C(n, j)·t^j(1-t)^(n-j) with t = k/N, to avoid overflow. The additional factors cancel when a weight is
// divided by the weight of all subsets.
type subsets struct {
	k       int
	classes [][]float64 // weights of taking j members of each class
	empty   []float64
	all     float64
}

func newSubsets(it Item, k int) subsets {
	n := it.Traces()
	t := float64(k) / float64(n)
	weights := func(votes int) []float64 {
		w := make([]float64, min(votes, k)+1)
		for j := range w {
			w[j] = binomialPMF(j, votes, t)
		}
		return w
	}
	s := subsets{k: k, empty: weights(it.Empty), all: binomialPMF(k, n, t)}
	for _, c := range it.Classes {
		s.classes = append(s.classes, weights(c.Votes))
	}
	return s
}

// ledBy returns the weight of the subsets in which one class leads, alone or in a tie. first is the index of
// the class, and lead the number of its traces in the subset. Only subsets with at least answers answers count.
// Each weight is divided by the number of classes that lead the subset.
func (s subsets) ledBy(first, lead, answers int) float64 {
	weight := make([][]float64, s.k/lead) // weight by the number of other leaders, and of traces taken
	for i := range weight {
		weight[i] = make([]float64, s.k+1)
	}
	weight[0][lead] = s.classes[first][lead]
	for i, class := range s.classes {
		if i != first {
			add(weight, class, lead)
		}
	}
	sum := 0.0
	for others, row := range weight {
		for taken := max(answers, s.k-len(s.empty)+1); taken <= s.k; taken++ {
			sum += row[taken] * s.empty[s.k-taken] / float64(others+1)
		}
	}
	return sum
}

// add adds one more class to the weights: a subset may have 0 to lead traces of it. A class with lead traces is
// one of the leaders. add goes through the weights downwards, so that it never reads a weight that it has
// already changed.
func add(weight [][]float64, class []float64, lead int) {
	for others := len(weight) - 1; others >= 0; others-- {
		row, least := weight[others], lead*(others+1) // traces that the leaders have
		for taken := len(row) - 1; taken >= least; taken-- {
			sum := 0.0
			for j := range min(lead, len(class), taken-least+1) {
				sum += row[taken-j] * class[j]
			}
			if others > 0 && lead < len(class) {
				sum += weight[others-1][taken-lead] * class[lead]
			}
			row[taken] = sum
		}
	}
}

// PassAtK returns the probability that k of n traces, drawn without replacement, contain at least one of the c
// right ones: 1 - C(n-c, k)/C(n, k). It is an unbiased estimate for k fresh traces. ok is false unless 0 <= c
// <= n and 1 <= k <= n. Source: M. Chen et al., arXiv 2107.03374; docs/method.md §4.
func PassAtK(n, c, k int) (float64, bool) {
	if !isCount(c, n) || k < 1 || k > n {
		return 0, false
	}
	return 1 - allOf(n, n-c, k), true
}

// PassHatK returns the probability that k of n traces, drawn without replacement, are all among the c right
// ones: C(c, k)/C(n, k), tau-bench's pass^k. The domain is that of PassAtK. Source: S. Yao et al., arXiv
// 2406.12045; docs/method.md §4.
func PassHatK(n, c, k int) (float64, bool) {
	if !isCount(c, n) || k < 1 || k > n {
		return 0, false
	}
	return allOf(n, c, k), true
}

// allOf returns C(c, k)/C(n, k). The product C(n-k, n-c)/C(n, n-c) has the same value. allOf computes the
// product with fewer factors.
func allOf(n, c, k int) float64 {
	if k > c {
		return 0
	}
	if n-c < k {
		c, k = n-k, n-c
	}
	product := 1.0
	for i := 0; i < k && product > 0; i++ {
		product *= float64(c-i) / float64(n-i)
	}
	return product
}

// Vote is the rule by which a subset of traces decides: the largest class wins, and a tie counts as the
// share of its leaders that are correct.
type Vote struct {
	// NoQuorum allows a decision even if at most half of the k traces gave an answer, as in published figures.
	// Without it, the quorum of docs/method.md §3.2 is needed.
	NoQuorum bool
}
