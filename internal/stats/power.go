package stats

import "math"

// Design describes a planned comparison of two rows on the same queries.
type Design struct {
	Queries float64    // not an integer if clusters reduce the effective number of queries
	DF      float64    // degrees of freedom; 0 means Queries-1
	K       [2]float64 // traces per query, of the baseline and of the other row
	Level   float64    // two-sided, such as 0.05; for a table, divided by the number of its rows
}

func (d Design) valid() bool {
	return d.Queries >= MinUnits && d.Queries <= maxEnumeratedItems && d.df() >= 2 && open(d.Level) &&
		d.K[0] >= 1 && d.K[1] >= 1 && d.K[0] <= maxTraces && d.K[1] <= maxTraces
}

func (d Design) df() float64 {
	if d.DF == 0 {
		return d.Queries - 1
	}
	return d.DF
}

// SinglePower returns the probability that the comparison of single traces is called worse if every rate falls
// by drop. It is P(T < -t) of a noncentral t distribution. The variance of a query's difference is
//
//	mean p(1-p)/K + mean q(1-q)/K + var(q-p)
//
// where p is the rate of a query before the drop and q after it. The result is 0 for fewer than MinDiffering
// queries, because a comparison of so few is never called worse. ok is false unless the design has 3 to 100,000
// queries and K is 1 to 256. Source: E. Miller, arXiv 2411.00640, §5; docs/method.md §5.6.
func (l Law) SinglePower(d Design, drop float64) (float64, bool) {
	if !d.valid() || len(l.Points) == 0 || !isRate(drop) {
		return 0, false
	}
	return l.singlePower(d, drop), true
}

func (l Law) singlePower(d Design, drop float64) float64 {
	if d.DF == 0 && d.Queries < MinDiffering { // of clusters, a comparison has ten or more
		return 0
	}
	now := l.after(drop)
	shifts, within := make([]float64, len(now)), 0.0
	for i, q := range now {
		p := l.Points[i]
		shifts[i] = q - p
		within += p*(1-p)/d.K[0] + q*(1-q)/d.K[1]
	}
	n := float64(len(now))
	shift, _ := Mean(shifts)
	variance := within/n + sumSquares(shifts, shift)/n
	if variance <= 0 {
		return Bit(shift < 0)
	}
	df := d.df()
	return noncentralT(-tQuantile(1-d.Level, df), df, shift/math.Sqrt(variance/d.Queries))
}

// VotePower returns the probability that the comparison of votes is called worse if every rate falls by drop.
// Each vote has K traces, as in the baseline. The test is McNemar's mid-p. The probability is exact, by
// enumeration. ok is false in the same cases as for SinglePower. Source: docs/method.md §5.6.
func (l Law) VotePower(d Design, drop float64) (float64, bool) {
	if !d.valid() || len(l.Points) == 0 || !isRate(drop) {
		return 0, false
	}
	return l.votePower(newRegion(int(d.Queries), d.Level), int(d.K[0]), drop), true
}

func (l Law) votePower(r region, k int, drop float64) float64 {
	loss, gain, _ := l.votes(drop, k)
	return r.worse(loss, gain)
}

// SingleMDE returns the smallest fall of the mean of single traces that is called worse with a power of 80 %.
// ok is false if even a fall of every rate to 0 is found with less power, and for a design that SinglePower
// refuses.
func (l Law) SingleMDE(d Design) (float64, bool) {
	if !d.valid() || len(l.Points) == 0 {
		return 0, false
	}
	drop, ok := smallestDrop(func(drop float64) bool { return l.singlePower(d, drop) >= power })
	return l.fall(drop), ok
}

// VoteMDE returns the smallest fall of the rate of votes that a comparison of votes of K traces calls worse
// with a power of 80 %. ok is false in the same cases as for SingleMDE.
func (l Law) VoteMDE(d Design) (float64, bool) {
	if !d.valid() || len(l.Points) == 0 {
		return 0, false
	}
	r := newRegion(int(d.Queries), d.Level)
	drop, ok := smallestDrop(func(drop float64) bool { return l.votePower(r, int(d.K[0]), drop) >= power })
	_, _, fall := l.votes(drop, int(d.K[0]))
	return fall, ok
}

// smallestDrop returns the smallest drop in (0, 1] at which reached is true, to ten digits. ok is false if
// reached is false even for a drop of 1.
func smallestDrop(reached func(drop float64) bool) (float64, bool) {
	if !reached(1) {
		return 0, false
	}
	low, high := 0.0, 1.0
	for high-low > 1e-10 {
		if mid := (low + high) / 2; reached(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return high, true
}

// SingleQueries returns the smallest number of queries with which a comparison of single traces calls a fall of
// their mean rate worse with a power of 80 %. Both rows have k traces of each query. The result is at least
// MinDiffering. ok is false for a fall outside (0, 1) or above the mean rate, for k outside 1..256, for a level
// outside (0, 1), and if more than 100,000 queries are needed. Source: docs/method.md §5.6.
func (l Law) SingleQueries(fall float64, k int, level float64) (int, bool) {
	drop, ok := l.dropFor(fall, k, level)
	if !ok {
		return 0, false
	}
	traces := float64(k)
	return fewest(func(n int) bool {
		return l.singlePower(Design{Queries: float64(n), K: [2]float64{traces, traces}, Level: level}, drop) >= power
	})
}

// VoteQueries returns the number of queries that a comparison of votes of k traces needs to find the same
// change as in SingleQueries. fall is the fall of the mean rate of single traces, as there.
func (l Law) VoteQueries(fall float64, k int, level float64) (int, bool) {
	drop, ok := l.dropFor(fall, k, level)
	if !ok {
		return 0, false
	}
	loss, gain, _ := l.votes(drop, k)
	var whole region // its first n+1 elements are the region of n queries
	return fewest(func(n int) bool {
		if n >= len(whole) {
			whole = newRegion(n, level)
		}
		return whole[:n+1].worse(loss, gain) >= power
	})
}

// dropFor returns the drop of every rate that lowers the mean rate of single traces by fall.
func (l Law) dropFor(fall float64, k int, level float64) (float64, bool) {
	if !open(fall) || !open(level) || k < 1 || k > maxTraces || len(l.Points) == 0 {
		return 0, false
	}
	return smallestDrop(func(drop float64) bool { return l.fall(drop) >= fall })
}

// fewest returns the smallest n, from 4 on, for which enough is true. It doubles n until enough is true, and
// then bisects. ok is false if that n is above maxEnumeratedItems.
func fewest(enough func(n int) bool) (n int, ok bool) {
	high := 4
	for !enough(high) {
		if high *= 2; high > maxEnumeratedItems {
			return 0, false
		}
	}
	low := high / 2
	for high-low > 1 {
		if mid := (low + high) / 2; enough(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return high, true
}
