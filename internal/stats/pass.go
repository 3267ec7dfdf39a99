package stats

// PassAtK returns the probability that k of n traces, drawn without replacement, hold at least one of
// the c successes: 1 - C(n-c, k)/C(n, k), an unbiased estimate for k fresh traces. ok is false unless
// 0 <= c <= n and 1 <= k <= n. Source: M. Chen et al., arXiv 2107.03374; methods.md §4.
func PassAtK(n, c, k int) (float64, bool) {
	if !isCount(c, n) || k < 1 || k > n {
		return 0, false
	}
	return 1 - allOf(n, n-c, k), true
}

// PassHatK returns the probability that all of them are successes: C(c, k)/C(n, k), tau-bench's pass^k.
// The domain is that of PassAtK. Source: S. Yao et al., arXiv 2406.12045; methods.md §4.
func PassHatK(n, c, k int) (float64, bool) {
	if !isCount(c, n) || k < 1 || k > n {
		return 0, false
	}
	return allOf(n, c, k), true
}

// allOf is C(c, k)/C(n, k), or the equal C(n-k, n-c)/C(n, n-c) if its product is shorter.
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
	// NoQuorum decides even if half of the k traces or fewer gave an answer, as published
	// figures do. Otherwise the rule is that of methods.md §3.2.
	NoQuorum bool
}

// CoveragePoint is the result of answering only above a level of confidence.
type CoveragePoint struct {
	Confidence float64 // the lowest that is answered
	Coverage   float64 // share of the items answered
	Risk       float64 // share of the answers that are wrong
}

// Selective summarises the trade of coverage for risk, over k = 1..N answers in order of
// falling confidence. Lower is better throughout.
type Selective struct {
	Curve []CoveragePoint // highest confidence first; the last has coverage 1
	// AURC is the mean over k of the risk among the first k. Oracle is its value for an
	// order with all right answers first, Excess the difference. AURC falls with accuracy
	// alone, Excess does not.
	AURC, Oracle, Excess float64
	// AUGRC is the mean over k of (errors among the first k)/N, the rate of failures without
	// a warning. methods.md §3.5 prefers it.
	AUGRC float64
}

// RiskCoverage returns the curve and its areas. Within a level no order is preferred: its j-th answer
// adds the level's share of errors,
//
//	risk = (E_{<l} + e_l·j/n_l) / (N_{<l} + j)
//
// ok is false without answers and for a confidence outside [0, 1]. Source: Y. Geifman and R. El-Yaniv,
// arXiv 1705.08500; J. Traub et al., arXiv 2407.01032 for AUGRC; methods.md §3.5.
func RiskCoverage(answers []Graded) (Selective, bool) {
	levels, ok := levelsOf(answers)
	if !ok {
		return Selective{}, false
	}
	var s Selective
	n := float64(len(answers))
	var before, errors float64
	for _, l := range levels {
		wrong := float64(l.Items - l.Correct)
		for j := 1.0; j <= float64(l.Items); j++ {
			sum := errors + wrong*j/float64(l.Items)
			s.AURC += sum / (before + j) / n
			s.AUGRC += sum / n / n
		}
		before += float64(l.Items)
		errors += wrong
		s.Curve = append(s.Curve, CoveragePoint{l.Confidence, before / n, errors / before})
	}
	for k := n - errors + 1; k <= n; k++ {
		s.Oracle += (k - (n - errors)) / k / n
	}
	// Rounding may leave a perfect order slightly below the oracle.
	s.Excess = max(0, s.AURC-s.Oracle)
	return s, true
}
