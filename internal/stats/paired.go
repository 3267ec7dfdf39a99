package stats

import "math"

// MinDiffering is the number of units that must differ before a comparison can be called better or worse. With
// five differing units, even if all differ in the same direction, the p-value is 2/2⁵ = 0.063 and so above
// 0.05. Source: docs/method.md §5.4.
const MinDiffering = 6

// PairedDifference is the mean of paired differences, one per query, each new minus baseline and in [-1, 1]. A
// difference is that of the query's means over traces, or that of its verdicts.
type PairedDifference struct {
	Clustered
	Falls, Rises float64 // mean of the falls, and of the rises, both as positive numbers
	// Pairs is the effective number of pairs: (falls + rises - mean²)/SE², or K·G* if all differences are
	// equal.
	Pairs     float64
	Differing int     // units whose sum is not 0
	Alone     float64 // standard error of the mean if queries were independent; 0 for fewer than two queries
}

// NewPairedDifference returns the mean of the differences d. traces is the mean number of traces per query in
// the row with fewer traces, or 1 for verdicts. ok is false for a difference outside [-1, 1], for fewer than one
// trace, and if ClusteredError is undefined. Source: docs/method.md §5.4.
func NewPairedDifference(d *Values, traces float64) (p PairedDifference, ok bool) {
	c, ok := ClusteredError(d)
	if !ok || !(traces >= 1 && traces <= maxCount) || !d.all(func(v float64) bool { return math.Abs(v) <= 1+tiny }) {
		return p, false
	}
	p.Clustered = c
	p.Alone, _ = StandardError(d)
	for _, r := range d.runs {
		for range r.items {
			p.Falls += max(-r.value, 0)
			p.Rises += max(r.value, 0)
		}
	}
	n := float64(d.items)
	p.Falls, p.Rises = p.Falls/n, p.Rises/n
	for _, u := range c.units {
		if math.Abs(u.sum) > tiny {
			p.Differing += int(u.clusters)
		}
	}
	spread := p.Falls + p.Rises - c.Mean*c.Mean
	p.Pairs = traces * c.Effective
	if c.SE*c.SE >= 1e-15 && spread >= 1e-15 {
		p.Pairs = spread / (c.SE * c.SE)
	}
	return p, true
}

// df returns the number of degrees of freedom, which is not an integer if clusters differ in size.
func (p PairedDifference) df() float64 { return p.Effective - 1 }

// Interval returns Tango's score interval of the difference, with Pairs as the number of pairs, and t(G*-1) in
// place of z. Its width is always above 0. ok is false if there are not enough units (see Enough), and for a
// level outside (0, 1). In simulations this interval covered .93 to 1, and the interval mean ± t·SE only .62 to
// .95. Source: T. Tango, Statistics in Medicine 17 (1998) 891-908; docs/method.md §5.4.
func (p PairedDifference) Interval(level float64) (Interval, bool) {
	if !p.Enough() || !open(level) {
		return Interval{}, false
	}
	return p.interval(tQuantile(level, p.df())), true
}

func (p PairedDifference) interval(critical float64) Interval {
	lost, gained := p.Falls*p.Pairs, p.Rises*p.Pairs
	return Interval{
		Low:  -tangoUpper(p.Pairs, gained, lost, critical),
		High: tangoUpper(p.Pairs, lost, gained, critical),
	}
}

// P returns the two-sided p-value of the score statistic T(0), by Student's t(G*-1). It agrees with Interval: p
// is at most 1-level if the interval excludes 0. p is 1 if all differences are 0. ok is false if there are not
// enough units (see Enough).
func (p PairedDifference) P() (float64, bool) {
	if !p.Enough() {
		return 0, false
	}
	if p.Falls+p.Rises == 0 {
		return 1, true
	}
	return min(1, 2*tAbove(math.Abs(p.score(0, p.Pairs)), p.df())), true
}

// SignFlip returns the result of SignFlipTest for the sums of the units. ok is also false if there are not
// enough units (see Enough).
func (p PairedDifference) SignFlip(seed uint64, draws int) (float64, bool) {
	if !p.Enough() {
		return 0, false
	}
	sums := make([]float64, 0, p.Differing)
	for _, u := range p.units {
		if math.Abs(u.sum) > tiny {
			for range u.clusters {
				sums = append(sums, u.sum)
			}
		}
	}
	return SignFlipTest(sums, seed, draws)
}

// Within returns two p-values for a margin. notWorse is the one-sided p-value for the hypothesis "worse by the
// margin or more". same is the p-value for the hypothesis "the margin or more apart": the larger of the
// one-sided p-values in both directions.
//
// The number of pairs is limited to the number of units, so that a query counts as one observation. Without
// this limit, up to 16 % of the claims of sameness are false if a change breaks whole queries. ok is false for
// a margin outside (0, 1), and if there are not enough units (see Enough). Source: docs/method.md §5.4.
func (p PairedDifference) Within(margin float64) (notWorse, same float64, ok bool) {
	if !p.Enough() || !open(margin) {
		return 0, 0, false
	}
	pairs := min(p.Pairs, p.Effective)
	notWorse = tAbove(p.score(-margin, pairs), p.df())
	return notWorse, max(notWorse, tAbove(-p.score(margin, pairs), p.df())), true
}

// score returns Tango's statistic at the difference d.
func (p PairedDifference) score(d, pairs float64) float64 {
	lost, gained := p.Falls*pairs, p.Rises*pairs
	switch gap := p.Rises - p.Falls - d; {
	case math.Abs(gap) < 1e-15:
		return 0
	case gap < 0:
		return tangoScore(pairs, lost, gained, d)
	}
	return -tangoScore(pairs, gained, lost, -d)
}
