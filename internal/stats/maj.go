package stats

// Vote is how a subset of traces decides. The zero value is the rule of methods.md §3.2
// with ties counted in fractions.
type Vote struct {
	// Strict wants more than half of the k traces for one answer; otherwise the largest
	// class wins.
	Strict bool
	// NoQuorum decides also where half of the k traces or fewer gave an answer, as
	// published figures do.
	NoQuorum bool
	Ties     Ties
}

// Ties says what several leading classes are worth.
type Ties uint8

const (
	// SplitTies gives the share of the leaders that are correct, which is what a random
	// tie-break gives on average.
	SplitTies Ties = iota
	// LoseTies gives nothing: a tie is no answer.
	LoseTies
	// WinTies gives all if a leader is correct.
	WinTies
)

// credit is the worth of a vote that ended with these leaders.
func (t Ties) credit(wrong, correct int) float64 {
	switch {
	case correct == 0:
		return 0
	case wrong+correct == 1 || t == WinTies:
		return 1
	case t == LoseTies:
		return 0
	}
	return float64(correct) / float64(wrong+correct)
}

// MajAtK returns the probability that the vote of k of the item's traces, drawn without
// replacement, is correct: the mean over all C(N, k) subsets, counted exactly.
//
//	Σ over (j_1..j_r, j_empty), Σj = k, of Π C(n_a, j_a)/C(N, k) · T(j_1..j_r)
//
// T is 1 where a correct class leads alone, as Ties say where several lead, and 0
// otherwise; it is 0 without a quorum of floor(k/2)+1 answers. ok is false for k < 1,
// fewer than k traces, negative counts, more than 256 traces or unknown Ties. The time
// grows as N·k²·log k.
//
// Source: methods.md §4; X. Wang et al., arXiv 2203.11171 for the vote.
func (it Item) MajAtK(k int, v Vote) (float64, bool) {
	if !it.valid() || k < 1 || k > it.Traces() || v.Ties > WinTies {
		return 0, false
	}
	s := newSubsets(it, k)
	quorum := k/2 + 1
	lead := 1
	if v.Strict {
		lead = quorum
	}
	answers := quorum
	if v.NoQuorum {
		answers = 1
	}
	sum := 0.0
	for ; lead <= s.most; lead++ {
		sum += s.ledBy(lead, answers, v.Ties)
	}
	return min(1, sum/s.all), true
}
