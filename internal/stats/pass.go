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
