package ablations

import (
	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/judge"
)

// sample holds the verdicts that a comparison is over. Where it is paired, those of one
// index are of one query.
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

// corner says on which sides unscored queries count as right. The four corners bound
// whatever the missing verdicts would have been (Manski; methods.md §1.1).
type corner struct{ base, other bool }

// tally is a sample in counts.
type tally struct {
	paired       bool
	nBase, xBase int // queries and right ones
	n, x         int
	losses       int // right only of the baseline, and only of the other; paired
	gains        int
}

func (s sample) at(c corner) tally {
	t := tally{paired: s.paired, nBase: len(s.base), n: len(s.other)}
	for i, v := range s.base {
		was := right(v, c.base)
		if was {
			t.xBase++
		}
		if !s.paired {
			continue
		}
		switch is := right(s.other[i], c.other); {
		case was && !is:
			t.losses++
		case is && !was:
			t.gains++
		}
	}
	for _, v := range s.other {
		if right(v, c.other) {
			t.x++
		}
	}
	return t
}

func right(v judge.Ruling, unscored bool) bool {
	return v == judge.Correct || v == judge.Unscored && unscored
}

// difference is the other's rate less the baseline's; ok is false without queries.
func (t tally) difference() (float64, bool) {
	switch {
	case t.nBase == 0 || t.n == 0:
		return 0, false
	case t.paired:
		return float64(t.gains-t.losses) / float64(t.n), true
	}
	return float64(t.x)/float64(t.n) - float64(t.xBase)/float64(t.nBase), true
}

// p is 1 where it is undefined: nothing was seen.
func (t tally) p() float64 {
	var p float64
	var ok bool
	if t.paired {
		p, ok = stats.McNemar(t.losses, t.gains, stats.MidP)
	} else {
		p, ok = stats.Fisher(t.xBase, t.nBase, t.x, t.n)
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

// mde is the smallest drop from the baseline's rate that would be found at a level in four
// of five cases; nil where none would, or there are too many queries to count it out.
func (t tally) mde(level float64) *float64 {
	if t.nBase == 0 || t.xBase == 0 {
		return nil
	}
	base := float64(t.xBase) / float64(t.nBase)
	var mde float64
	var ok bool
	if t.paired {
		mde, ok = stats.Design{Base: base, Alpha: level}.MDE(t.n)
	} else {
		mde, ok = stats.UnpairedDesign{Base: base, Alpha: level}.MDE(t.nBase, t.n)
	}
	if !ok {
		return nil
	}
	return &mde
}

// mdes remembers: the rows of a table mostly have one baseline over one set of queries.
type mdes map[tally]*float64

func (m mdes) of(t tally) *float64 {
	t = tally{paired: t.paired, nBase: t.nBase, xBase: t.xBase, n: t.n}
	mde, known := m[t]
	if !known {
		mde = t.mde(alpha)
		m[t] = mde
	}
	return mde
}
