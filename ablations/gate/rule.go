package gate

import (
	"slices"

	"github.com/seed-5817661a/concur/internal/stats"
)

// The constants of methods.md §6.2.
const (
	// LeastAlpha is the least bound that can be asked for: a thousand times rounding, which
	// chances may lie above their lines.
	LeastAlpha = 1e-9
	// DefaultAlpha bounds the chance of a false alarm of a run, over all tests.
	DefaultAlpha = 0.003

	fewestTraces = 4 // of history that a query needs to be tested
	fewestRuns   = 2 // that these come from

	mostAlphaB = 0.0025
	shareB     = 5.0 / 6 // of alpha

	strictAlphaA, strictAlphaB = 0.00003, 0.001

	rounding = 1e-12 // that a p-value may lie above its line
)

// lookB is a look of Test B: with so many fresh traces of a suspect it is named where its p-value is at
// most the share of the level, and cleared where the one with the run's traces is above clear.
type lookB struct {
	fresh        int
	share, clear float64
}

var looksB = []lookB{{3, 0, .15}, {6, .05, .10}, {12, .05, .05}, {24, .05, .02}, {MostSuspect, .85, 0}}

// A query of the run is a suspect up to this p-value; with one or two traces p is coarse.
const (
	suspectP      = .20
	suspectPSmall = .45
	smallK        = 2
)

// lookA is a look of Test A: with so many fresh traces of every query it alarms where P is at
// most the share of the level, and passes where P is above pass.
type lookA struct {
	fresh       int
	share, pass float64
}

// looksA are those of a run with K traces per query. K=1 has no look of its own for a third of K.
func looksA(k int) []lookA {
	all := []lookA{{0, 0, .15}, {(k + 2) / 3, 0, .06}, {k, .10, .03}, {2 * k, .20, .01}, {3 * k, .70, 0}}
	if all[1].fresh == all[2].fresh {
		all = slices.Delete(all, 1, 2)
	}
	return all
}

// lateB is the number of fresh traces of a suspect beyond which more wait for another session
// of the provider, where spacing is wanted; of the total it is K.
const lateB = 12

// gated is a query with enough history, as the tests see it.
type gated struct {
	query      string
	x, k, h, m int // right of k scored traces of the run, and of m of the history
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

// levels are those of Tests A and B against one history.
type levels struct{ a, b float64 }

// levels shares alpha out. Beside a frozen baseline each history has half of it.
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

// tail is P(Hyp <= x): x right of k new traces, against h right of m old ones.
func tail(x, k, h, m int) float64 {
	p, ok := stats.FreshItem(x, k, h, m)
	if !ok { // counts beyond any run say nothing, which is no alarm
		return 1
	}
	return p
}

// weight counts a lost trace of a steady query more. It looks at old and new traces together,
// which the test conditions on.
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

// total is P of Test A with the first n fresh traces of every query.
func total(queries []gated, n int) TotalLook {
	strata := make([]stats.Stratum, len(queries))
	look := TotalLook{Fresh: n}
	for i, q := range queries {
		s := stats.Stratum{X: q.x + q.right(n), K: q.k + n, H: q.h, M: q.m}
		strata[i] = s
		look.Right, look.Traces = look.Right+s.X, look.Traces+s.K
		look.Expected += float64(s.K) * float64(s.X+s.H) / float64(s.K+s.M)
	}
	look.P = 1
	if tails, ok := stats.Stratified(strata, weight); ok {
		look.P = min(1, tails.Below+tails.At)
	}
	return look
}

// compare takes the steps of methods.md §6.2: Test B until all suspects are settled, then Test A.
func compare(against string, queries []gated, k int, l levels) Comparison {
	c := Comparison{Against: against, AlphaA: l.a, AlphaB: l.b, Queries: len(queries), Slips: []Slip{}, Looks: []TotalLook{}, Blind: []string{}, Asks: []Ask{}}
	c.testB(queries, k)
	if len(c.Asks) == 0 && !c.Alarm {
		c.testA(queries, k)
	}
	return c
}

func (c *Comparison) testB(queries []gated, k int) {
	var of []gated
	for _, q := range queries {
		if 4*q.x <= 3*q.k { // chosen by the run alone, never by history
			of = append(of, q)
		}
	}
	line := suspectP
	if k <= smallK {
		line = suspectPSmall
	}
	for _, q := range of {
		s := Slip{Query: q.query, Right: q.x, Traces: q.k, HistoryRight: q.h, History: q.m, P: tail(q.x, q.k, q.h, q.m), Looks: []SlipLook{}}
		if s.P <= line+rounding {
			s.Suspect = true
			if want := s.follow(q, c.AlphaB, len(of)); want > 0 {
				c.Asks = append(c.Asks, Ask{Query: s.Query, Traces: want, Late: want > lateB})
			}
		}
		c.Slips, c.Alarm = append(c.Slips, s), c.Alarm || s.Broken
	}
	c.Alarm = c.Alarm && len(c.Asks) == 0
}

// follow takes a suspect through the looks, as far as its fresh traces go; want is how many it
// needs in all to go on, 0 where it is settled.
func (s *Slip) follow(q gated, alpha float64, slips int) (want int) {
	for _, at := range looksB {
		if len(q.fresh) < at.fresh {
			return at.fresh
		}
		right := q.right(at.fresh)
		look := SlipLook{Fresh: at.fresh, Right: right, P: tail(right, at.fresh, q.h, q.m), Level: alpha * at.share / float64(slips)}
		s.Broken = at.share > 0 && look.P*float64(slips) <= alpha*at.share+rounding
		if !s.Broken && at.clear > 0 {
			with := tail(q.x+right, q.k+at.fresh, q.h, q.m)
			look.With = &with
		}
		s.Looks = append(s.Looks, look)
		if s.Broken || look.With != nil && *look.With > at.clear+rounding {
			return 0
		}
	}
	return 0
}

func (c *Comparison) testA(queries []gated, k int) {
	for _, at := range looksA(k) {
		for _, q := range queries {
			if len(q.fresh) < at.fresh {
				c.Asks = append(c.Asks, Ask{Query: q.query, Traces: at.fresh, Total: true, Late: at.fresh > k})
			}
		}
		if len(c.Asks) > 0 {
			return
		}
		look := total(queries, at.fresh)
		look.Level = c.AlphaA * at.share
		c.Looks = append(c.Looks, look)
		c.Alarm = at.share > 0 && look.P <= look.Level+rounding
		if c.Alarm || look.P > at.pass+rounding {
			return
		}
	}
}

// MostSuspect is how many fresh traces a suspect can need.
const MostSuspect = 36

// MostTotal is how many fresh traces every query can need for the total, in a run with K traces each.
func MostTotal(k int) int { return 3 * k }
