package ablations

import (
	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/judge"
)

// sample holds the verdicts of a comparison. If paired, equal indices belong to one query.
type sample struct {
	paired bool
	base   []judge.Ruling
	other  []judge.Ruling
}

func (m match) sample(a, b Side) sample {
	if len(m.pairs) == 0 {
		return sample{base: rulings(a.Queries), other: rulings(b.Queries)}
	}
	s := sample{paired: true}
	for _, p := range m.pairs {
		s.base = append(s.base, p[0].Verdict)
		s.other = append(s.other, p[1].Verdict)
	}
	return s
}

func rulings(queries []Query) []judge.Ruling {
	out := make([]judge.Ruling, len(queries))
	for i, q := range queries {
		out[i] = q.Verdict
	}
	return out
}

// bound sets on which sides unscored queries count as right. The four combinations bound
// the result under any missing verdicts (Manski; methods.md §1.1).
type bound struct{ base, other bool }

// tally holds the counts of a sample.
type tally struct {
	paired       bool
	nBase, xBase int // queries, and those that are right
	n, x         int
	losses       int // right only on the baseline's side; paired samples only
	gains        int // right only on the other side
}

func (s sample) at(c bound) tally {
	t := tally{paired: s.paired, nBase: len(s.base), n: len(s.other)}
	for _, v := range s.base {
		if right(v, c.base) {
			t.xBase++
		}
	}
	for i, v := range s.other {
		is := right(v, c.other)
		if is {
			t.x++
		}
		switch was := s.paired && right(s.base[i], c.base); {
		case was && !is:
			t.losses++
		case s.paired && is && !was:
			t.gains++
		}
	}
	return t
}

func right(v judge.Ruling, unscored bool) bool {
	return v == judge.Correct || v == judge.Unscored && unscored
}

// difference is the other side's rate minus the baseline's; ok is false without queries.
func (t tally) difference() (float64, bool) {
	switch {
	case t.nBase == 0 || t.n == 0:
		return 0, false
	case t.paired:
		return float64(t.gains-t.losses) / float64(t.n), true
	}
	return float64(t.x)/float64(t.n) - float64(t.xBase)/float64(t.nBase), true
}

// p is the p-value of the difference; 1 where it is undefined because no query differs.
func (t tally) p() float64 {
	p, ok := stats.Fisher(t.xBase, t.nBase, t.x, t.n)
	if t.paired {
		p, ok = stats.McNemar(t.losses, t.gains, stats.MidP)
	}
	if !ok {
		return 1
	}
	return p
}

func (t tally) interval(level float64) *result.Interval {
	method := "newcombe"
	i, ok := stats.Newcombe(t.xBase, t.nBase, t.x, t.n, level)
	if t.paired {
		method = "tango"
		i, ok = stats.Tango(t.n, t.losses, t.gains, level)
	}
	if !ok {
		return nil
	}
	return &result.Interval{Method: method, Level: level, Low: i.Low, High: i.High}
}

// mde is the smallest drop from the baseline's rate that is detected at the level with
// power 0.8; nil if none is, or if there are too many queries for the exact computation.
func (t tally) mde(level float64) *float64 {
	if t.nBase == 0 || t.xBase == 0 {
		return nil
	}
	base, find := float64(t.xBase)/float64(t.nBase), stats.MDE
	if !t.paired {
		find = func(n int, base, level float64) (float64, bool) { return stats.UnpairedMDE(t.nBase, n, base, level) }
	}
	return stats.Defined(find(t.n, base, level))
}

// mdes keeps minimum detectable effects at one level: most rows of a table share a baseline and a set of queries.
type mdes map[tally]*float64

func (m mdes) at(level float64, t tally) *float64 {
	t.x, t.losses, t.gains = 0, 0, 0
	if _, known := m[t]; !known {
		m[t] = t.mde(level)
	}
	return m[t]
}
