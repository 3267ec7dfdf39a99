package ablations

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/judge"
)

// match holds the queries that two sides share, in pairs.
type match struct {
	pairs   [][2]*Query // in the order of the queries, by id
	left    [2]int      // number of queries of each side that the other side lacks
	changed []string    // ids that both sides have, with different text or gold
}

// join lists the queries of two sides by id. If both sides have a query, it returns the pair; otherwise the
// query and nil.
func join(a, b []Query) iter.Seq2[*Query, *Query] {
	return func(yield func(a, b *Query) bool) {
		for len(a)+len(b) > 0 {
			var x, y *Query
			if len(b) == 0 || len(a) > 0 && a[0].ID <= b[0].ID {
				x = &a[0]
			}
			if len(a) == 0 || len(b) > 0 && b[0].ID <= a[0].ID {
				y = &b[0]
			}
			if !yield(x, y) {
				return
			}
			if x != nil {
				a = a[1:]
			}
			if y != nil {
				b = b[1:]
			}
		}
	}
}

// sortedByID sorts queries by id; those of a run are sorted.
func sortedByID(queries []Query) []Query {
	compare := func(a, b Query) int { return cmp.Compare(a.ID, b.ID) }
	if slices.IsSortedFunc(queries, compare) {
		return queries
	}
	return slices.SortedFunc(slices.Values(queries), compare)
}

// newMatch pairs the queries that have the same id and hash. If the hash of a query is unknown, it counts as
// equal to any hash.
func newMatch(a, b Side) match {
	m := match{pairs: make([][2]*Query, 0, min(len(a.Queries), len(b.Queries)))}
	for q, other := range join(sortedByID(a.Queries), sortedByID(b.Queries)) {
		switch {
		case q == nil || other == nil:
		case q.Hash == other.Hash || q.Hash == "" || other.Hash == "":
			m.pairs = append(m.pairs, [2]*Query{q, other})
		default:
			m.changed = append(m.changed, q.ID)
		}
	}
	m.left = [2]int{len(a.Queries) - len(m.pairs), len(b.Queries) - len(m.pairs)}
	return m
}

// leftOut describes the queries that a paired comparison leaves out. It is nil if none is left out.
func (m match) leftOut(a, b Side) *string {
	if m.left == [2]int{} {
		return nil
	}
	s := fmt.Sprintf("paired over %s that both have; %d of %s and %d of %s are not in the other",
		text.Counted(len(m.pairs), "query"), m.left[0], a.Name, m.left[1], b.Name)
	if len(m.changed) > 0 {
		s += "; text or gold differs in " + text.Listed(m.changed)
	}
	return &s
}

// flips returns the queries that are right on exactly one of the two sides, sorted by id.
func (m match) flips() []result.Flip {
	out := []result.Flip{}
	for _, p := range m.pairs {
		base, other := p[0], p[1]
		was, is := base.Verdict == judge.Correct, other.Verdict == judge.Correct
		if was == is {
			continue
		}
		wrong := other
		if is {
			wrong = base
		}
		out = append(out, result.Flip{
			Query: base.ID, Category: base.Category, Gain: is,
			Baseline: base.Decided, Configuration: other.Decided, Unscored: wrong.Verdict == judge.Unscored,
			Reason: wrong.Reason,
		})
	}
	return out
}

// wayFlips returns the traces that have the same answer on both sides, where only one side made the expected
// tool calls.
func (m match) wayFlips() []result.WayFlip {
	out := []result.WayFlip{}
	for _, p := range m.pairs {
		base, other := p[0], p[1]
		for i := range min(len(base.Ways), len(other.Ways)) {
			was, is := base.Ways[i], other.Ways[i]
			if was.Key == "" || was.Key != is.Key || was.Calls.Right == is.Calls.Right {
				continue
			}
			wrong := is.Calls
			if is.Calls.Right {
				wrong = was.Calls
			}
			out = append(out, result.WayFlip{
				Query: base.ID, Category: base.Category, Trace: i, Gain: is.Calls.Right, Answer: is.Answer,
				Reason: wrong.Verdict().Reason,
			})
		}
	}
	return out
}

// sample holds the verdicts of a comparison: of pairs, or of all queries of two sides that share no query.
type sample struct {
	match
	sides [2][]Query
	equality
}

// equality holds the data for the test of equality within a margin if a judge decides.
type equality struct {
	// slope says by how many points the judged rate changes, at least, for one point of right answers. It is 1
	// if rates are compared directly, and 0 if nothing is known about right answers. same is the p-value by
	// labels, which is used instead of slope; it is nil if there are no labels.
	slope float64
	same  *float64
}

func (m match) sample(a, b Side) sample {
	return sample{match: m, sides: [2][]Query{a.Queries, b.Queries}}
}

// paired reports whether the two sides share a query.
func (m match) paired() bool { return len(m.pairs) > 0 }

// bound selects the sides on which unscored queries count as right. The four combinations give the range in
// which the result lies, whatever the missing verdicts are (Manski; docs/method.md §1.1).
type bound struct{ base, other bool }

type tally struct {
	paired       bool
	nBase, xBase int // number of queries, and of right ones, of the baseline
	n, x         int
	losses       int // right only on the baseline's side; for paired samples
	gains        int // right only on the other side; for paired samples
	// clustered is the difference by clusters; nil if queries are the units.
	clustered *stats.PairedDifference
	equality
}

func (s sample) at(c bound) tally {
	t := tally{paired: s.paired(), equality: s.equality}
	if !t.paired {
		t.nBase, t.xBase = counted(s.sides[0], c.base)
		t.n, t.x = counted(s.sides[1], c.other)
		return t
	}
	var d stats.Values
	for _, p := range s.pairs {
		was, is := stats.Bit(right(p[0].Verdict, c.base)), stats.Bit(right(p[1].Verdict, c.other))
		t.xBase += int(was)
		t.x += int(is)
		t.losses += int(max(0, was-is))
		t.gains += int(max(0, is-was))
		d.Add(is-was, clusterOf(p), 1)
	}
	t.nBase, t.n = d.Len(), d.Len()
	if d.Together() {
		if found, ok := stats.NewPairedDifference(&d, 1); ok {
			t.clustered = &found
		}
	}
	return t
}

// counted returns the number of queries, and of those that count as right.
func counted(queries []Query, unscored bool) (n, rights int) {
	for _, q := range queries {
		rights += indicator(right(q.Verdict, unscored))
	}
	return len(queries), rights
}

func right(v judge.Ruling, unscored bool) bool {
	return v == judge.Correct || v == judge.Unscored && unscored
}

// difference returns the rate of the other side minus the rate of the baseline. ok is false if a side has no
// queries.
func (t tally) difference() (float64, bool) {
	switch {
	case t.nBase == 0 || t.n == 0:
		return 0, false
	case t.paired:
		return float64(t.gains-t.losses) / float64(t.n), true
	}
	return float64(t.x)/float64(t.n) - float64(t.xBase)/float64(t.nBase), true
}

// seed is the seed of the random signs in a sign-flip test, if the test is not exact.
const seed = 1

// p returns the p-value of the difference. It is 1 if it is undefined: no query differs, or there are too few
// clusters.
func (t tally) p() float64 {
	p, ok := stats.Fisher(t.xBase, t.nBase, t.x, t.n)
	switch {
	case t.clustered != nil:
		p, ok = t.clustered.SignFlip(seed, stats.DefaultDraws)
	case t.paired:
		p, ok = stats.McNemar(t.losses, t.gains, stats.MidP)
	}
	if !ok {
		return 1
	}
	return p
}

// refused reports whether clusters are too few or too unequal for an interval and a call.
func (t tally) refused() bool { return t.clustered != nil && !t.clustered.Enough() }

// within returns two levels, each at most 1. notWorse is the smallest level at which a one-sided test shows
// that the row is not worse by the margin or more. equal is the smallest level at which two such tests show
// that the difference is within the margin.
func (t tally) within(margin float64) (notWorse, equal float64) {
	if t.same != nil { // then equal is the larger of both levels
		return *t.same, *t.same
	}
	if margin *= t.slope; margin <= 0 {
		return 1, 1
	}
	if t.clustered != nil {
		if notWorse, equal, ok := t.clustered.Within(margin); ok {
			return notWorse, equal
		}
		return 1, 1
	}
	d, ok := t.difference()
	if !ok || d < -margin {
		return 1, 1
	}
	notWorse = leastLevel(func(p float64) bool {
		i := t.interval(1 - 2*p)
		return i != nil && -margin <= i.Low
	})
	if d > margin {
		return notWorse, 1
	}
	return notWorse, max(notWorse, leastLevel(func(p float64) bool {
		i := t.interval(1 - 2*p)
		return i != nil && i.High <= margin
	}))
}

// leastLevel returns the smallest level, at most 0.5, for which shown is true.
func leastLevel(shown func(p float64) bool) float64 {
	low, high := 0.0, 0.5
	for range 40 {
		if mid := (low + high) / 2; shown(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return high
}

func (t tally) interval(level float64) *result.Interval {
	method := "newcombe"
	i, ok := stats.Newcombe(t.xBase, t.nBase, t.x, t.n, level)
	switch {
	case t.clustered != nil:
		method = "tango-cr2"
		i, ok = t.clustered.Interval(level)
	case t.paired:
		method = "tango"
		i, ok = stats.Tango(t.n, t.losses, t.gains, level)
	}
	if !ok {
		return nil
	}
	return &result.Interval{Method: method, Level: level, Low: i.Low, High: i.High}
}

// mde returns the smallest drop from the baseline's rate that is detected at the level with power 0.8. It is
// used if only verdicts on queries are known, and none on traces. It is nil if no drop is detected, or if there
// are too many queries for the exact computation.
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
