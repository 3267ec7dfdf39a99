package stats

// Vote is the rule by which a subset of traces decides: the largest class wins, and a tie
// counts as the share of its leaders that are correct, as a random tie-break gives on average.
type Vote struct {
	// NoQuorum decides even if half of the k traces or fewer gave an answer, as published
	// figures do. Otherwise the rule is that of methods.md §3.2.
	NoQuorum bool
}

// MajAtK returns the probability that the vote of k of the item's traces, drawn without
// replacement, is correct: the mean over all C(N, k) subsets, counted exactly.
//
//	Σ over (j_1..j_r, j_empty), Σj = k, of Π C(n_a, j_a)/C(N, k) · T(j_1..j_r)
//
// T is the share of correct classes among those with the most votes, and 0 without a quorum
// of floor(k/2)+1 answers. ok is false for k < 1, fewer than k traces, negative counts or
// more than 256 traces. The time grows as N·k²·log k.
//
// Source: methods.md §4; X. Wang et al., arXiv 2203.11171 for the vote.
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
	for lead := 1; lead <= s.most; lead++ {
		sum += s.ledBy(lead, answers)
	}
	return min(1, sum/s.all), true
}
