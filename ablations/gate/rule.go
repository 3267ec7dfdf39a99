package gate

import (
	"slices"

	"github.com/seed-5817661a/concur/internal/stats"
)

// The constants of the rule gate/v3 (docs/ci.md).
const (
	// LeastAlpha is the smallest possible Alpha. It is 1000 times the rounding error by which a p-value may
	// exceed its level.
	LeastAlpha = 1e-9
	// DefaultAlpha bounds the chance of a false alarm of a run, over all tests.
	DefaultAlpha = 0.003

	fewestTraces = 4 // traces of history that a query needs to be tested
	fewestRuns   = 2 // accepted runs that these must come from

	mostAlphaB = 0.0025
	shareB     = 5.0 / 6 // of alpha, for Test B

	strictAlphaA, strictAlphaB = 0.00003, 0.001

	// Traces of a run count as dependent if at least triggerRuns runs are stored and the smaller of the
	// p-values of phi and concordance is at most:
	strictP     = .05  // for strict levels
	spacedP     = .005 // for fresh traces beyond the first looks to come from another session as well
	triggerRuns = 5

	// In a collapse, the total is tested before single queries. Two conditions define it: P of the total at
	// look 0 is at most collapseP; and collapseTraces fresh traces of each suspect would be at least as many
	// traces as K fresh traces of every query.
	collapseP      = 1e-6
	collapseTraces = 12
	collapseLeastK = 3 // used in place of K if K is smaller

	rounding = 1e-12 // amount by which a p-value may exceed its level
)

// lookB is a look of Test B at a suspect that has this number of fresh traces. If the suspect's p-value is at
// most share times the level, the suspect is named as broken. Otherwise, if the p-value of fresh traces and run
// together is above clear, it is cleared.
type lookB struct {
	fresh        int
	share, clear float64
}

var looksB = []lookB{{3, 0, .15}, {6, .05, .10}, {12, .05, .05}, {24, .05, .02}, {MostSuspect, .85, 0}}

// If the p-value of a query of the run is at most this value, the query is a suspect. There is another value
// for one or two traces, because p can then have only a few values.
const (
	suspectP      = .20
	suspectPSmall = .45
	smallK        = 2
)

// lookA is a look of Test A, when every query has this number of fresh traces. If P is at most share times the
// level, the test alarms. Otherwise, if P is above pass, it passes.
type lookA struct {
	fresh       int
	share, pass float64
}

// looksA returns the looks of a run with K traces per query. With K=1 there is no look at a third of K.
func looksA(k int) []lookA {
	all := []lookA{{0, 0, .15}, {(k + 2) / 3, 0, .06}, {k, .10, .03}, {2 * k, .20, .01}, {3 * k, .70, 0}}
	if all[1].fresh == all[2].fresh {
		all = slices.Delete(all, 1, 2)
	}
	return all
}

// lateB is a number of fresh traces of a suspect. If the gate is spaced, the fresh traces after this number
// must come from another session of the provider. For the total, the number is K instead.
const lateB = 12

// collapsed reports whether the total is tested before single queries. p is the P of the total at look 0, n the
// number of queries, and suspects the number of suspects among them.
func collapsed(p float64, n, suspects, k int) bool {
	return p <= collapseP+rounding && manySuspects(n, suspects, k)
}

// manySuspects is the condition of collapsed without P, which is slow to compute for many queries.
func manySuspects(n, suspects, k int) bool {
	return collapseTraces*suspects >= max(collapseLeastK, k)*n
}

// gated is a query that has enough history, with the counts that the tests need.
type gated struct {
	query      string
	x, k, h, m int // x of k scored traces of the run are right, and h of m of the history
	fresh      []bool
}

func (q gated) right(n int) int {
	right := 0
	for _, r := range q.fresh[:n] {
		if r {
			right++
		}
	}
	return right
}

// levels are the levels of Tests A and B against one history.
type levels struct{ a, b float64 }

// levels divides alpha among the tests. If there is a frozen baseline, each of the two histories gets half.
func (o Options) levels(strict, shared bool) levels {
	half := 1.0
	if shared {
		half = .5
	}
	alpha := half * o.alpha()
	l := levels{b: min(shareB*alpha, mostAlphaB)}
	l.a = alpha - l.b
	if strict {
		l.a, l.b = min(l.a, half*strictAlphaA), min(l.b, half*strictAlphaB)
	}
	return l
}

// lowerTail returns P(Hyp <= x), if x of k new traces and h of m old traces are right.
func lowerTail(x, k, h, m int) float64 {
	p, ok := stats.FreshItem(x, k, h, m)
	if !ok { // counts too large to compute give no alarm
		return 1
	}
	return p
}

// weight returns the weight of a trace in the total. It is larger for a steady query. It depends only on the
// sums of old and new traces, because the test takes these sums as given.
func weight(s stats.Stratum) int {
	t, n := s.X+s.H, s.K+s.M
	switch {
	case 10*t >= 9*n:
		return 3
	case 4*t >= 3*n:
		return 2
	}
	return 1
}

// total returns P of Test A with the first n fresh traces of every query.
func total(queries []gated, n int) TotalLook {
	strata := make([]stats.Stratum, len(queries))
	look := TotalLook{Fresh: n}
	for i, q := range queries {
		fresh := q.right(n)
		s := stats.Stratum{X: q.x + fresh, K: q.k + n, H: q.h, M: q.m}
		strata[i] = s
		look.Right, look.Traces, look.FreshRight = look.Right+s.X, look.Traces+s.K, look.FreshRight+fresh
		look.Run += q.k
		look.HistoryRight, look.History = look.HistoryRight+q.h, look.History+q.m
		look.Expected += float64(s.K) * float64(s.X+s.H) / float64(s.K+s.M)
	}
	look.P = 1
	if tails, ok := stats.Stratified(strata, weight); ok {
		look.P = min(1, tails.Below+tails.At)
	}
	return look
}

// compare applies the rule: Test B until every suspect is named or cleared, then Test A. After a collapse, the
// first looks of Test A come before Test B; if they show a loss, the comparison ends. If certain is set, the
// decision is certain without the total, so that Test A is skipped.
func compare(against string, queries []gated, k int, l levels, certain bool) Comparison {
	c := Comparison{Against: against, AlphaA: l.a, AlphaB: l.b, Queries: len(queries), Slips: []QueryLoss{},
		Looks: []TotalLook{}, Blind: []string{}, Asks: []FreshRequest{}}
	slips := c.suspects(queries, k)
	suspects := 0
	for _, s := range c.Slips {
		if s.Suspect {
			suspects++
		}
	}
	if !certain && manySuspects(len(queries), suspects, k) {
		c.Collapse = collapsed(total(queries, 0).P, len(queries), suspects, k)
	}
	settled := false
	if c.Collapse {
		settled = c.testA(queries, k, k)
		if c.Alarm || len(c.Asks) > 0 {
			return c
		}
	}
	c.testB(slips)
	if len(c.Asks) == 0 && !c.Alarm && !settled && !certain {
		c.testA(queries, k, MostTotal(k))
	}
	return c
}

// suspects sets the slips of the comparison. It returns the queries of the slips, in the same order.
func (c *Comparison) suspects(queries []gated, k int) (slips []gated) {
	line := suspectP
	if k <= smallK {
		line = suspectPSmall
	}
	for _, q := range queries {
		if 4*q.x > 3*q.k { // by the run alone, not by history
			continue
		}
		p := lowerTail(q.x, q.k, q.h, q.m)
		slips = append(slips, q)
		c.Slips = append(c.Slips, QueryLoss{
			Query: q.query, Right: q.x, Traces: q.k, HistoryRight: q.h, History: q.m, P: p, Suspect: p <= line+rounding,
			Looks: []QueryLook{},
		})
	}
	return slips
}

// testB follows each suspect as far as its fresh traces allow.
func (c *Comparison) testB(slips []gated) {
	for i, q := range slips {
		s := &c.Slips[i]
		if !s.Suspect {
			continue
		}
		if want := s.follow(q, c.AlphaB, len(slips)); want > 0 {
			c.Asks = append(c.Asks, FreshRequest{Query: s.Query, Traces: want, Late: want > lateB})
		}
		c.Alarm = c.Alarm || s.Broken
	}
	c.Alarm = c.Alarm && len(c.Asks) == 0
}

// follow takes a suspect through the looks, as far as it has fresh traces. want is the number of fresh traces,
// including existing ones, that the suspect needs for its next look. It is 0 if the suspect is named or cleared.
func (s *QueryLoss) follow(q gated, alpha float64, slips int) (want int) {
	for _, at := range looksB {
		if len(q.fresh) < at.fresh {
			return at.fresh
		}
		right := q.right(at.fresh)
		look := QueryLook{Fresh: at.fresh, Right: right, P: lowerTail(right, at.fresh, q.h, q.m),
			Level: alpha * at.share / float64(slips)}
		s.Broken = at.share > 0 && look.P*float64(slips) <= alpha*at.share+rounding
		if !s.Broken && at.clear > 0 {
			with := lowerTail(q.x+right, q.k+at.fresh, q.h, q.m)
			look.With = &with
		}
		s.Looks = append(s.Looks, look)
		if s.Broken || look.With != nil && *look.With > at.clear+rounding {
			return 0
		}
	}
	return 0
}

// testA takes the next looks at the total, up to the look for which every query has enough fresh traces (upto).
// settled reports that the test alarmed or passed.
func (c *Comparison) testA(queries []gated, k, upto int) (settled bool) {
	for _, at := range looksA(k)[len(c.Looks):] {
		if at.fresh > upto {
			return false
		}
		for _, q := range queries {
			if len(q.fresh) < at.fresh {
				c.Asks = append(c.Asks, FreshRequest{Query: q.query, Traces: at.fresh, Total: true, Late: at.fresh > k})
			}
		}
		if len(c.Asks) > 0 {
			return false
		}
		look := total(queries, at.fresh)
		look.Level = c.AlphaA * at.share
		c.Looks = append(c.Looks, look)
		c.Alarm = at.share > 0 && look.P <= look.Level+rounding
		if c.Alarm || look.P > at.pass+rounding {
			return true
		}
	}
	return true
}

// MostSuspect is the highest number of fresh traces that a suspect can need.
const MostSuspect = 36

// MostTotal returns the highest number of fresh traces per query that the total can need, in a run with K traces each.
func MostTotal(k int) int { return 3 * k }
