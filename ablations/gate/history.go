package gate

import "fmt"

// History that a frozen baseline needs (methods.md §6.2).
const (
	fewestFrozenTraces = 30
	fewestFrozenRuns   = 10
)

// gate gives the query as the tests see it, compared with a history. Fresh traces count up to
// the first that was lost.
func (it Item) gate(h Traces) gated {
	q := gated{query: it.Query, x: it.Current.Right, k: it.Current.Scored(), h: h.Right, m: h.Scored()}
	for _, m := range it.Fresh {
		if m == Lost {
			break
		}
		q.fresh = append(q.fresh, m == Right)
	}
	return q
}

// histories gives the queries that are tested against the pool and against the frozen
// baseline. A query with too little history is in no test. Too few that can be tested leave
// the decision open; so does a frozen baseline of too few runs, since it was asked for.
func (e Evidence) histories(out *Outcome, f *findings) (rolling, frozen []gated) {
	out.History = History{Runs: e.PoolRuns}
	queries := 0
	var short []string
	for _, it := range e.Items {
		if it.Safety {
			continue
		}
		queries++
		if m := it.History.Scored(); it.Gated() && it.Current.Scored() > 0 {
			h := &out.History
			if len(rolling) == 0 {
				h.Least = m
			}
			h.Least, h.Most = min(h.Least, m), max(h.Most, m)
			rolling = append(rolling, it.gate(it.History))
		} else {
			out.NotGated = append(out.NotGated, NotGated{it.Query, m, it.Runs})
		}
		if it.Frozen.Scored() >= fewestFrozenTraces && it.Current.Scored() > 0 {
			frozen = append(frozen, it.gate(it.Frozen))
		} else {
			short = append(short, it.Query)
		}
	}
	if 2*len(rolling) < queries {
		f.lack(fmt.Sprintf("bootstrap: %d of %d queries have the history to be tested, %d traces from %d runs, and fewer than half is too few; accept runs that look right with `concur baseline add`", len(rolling), queries, fewestTraces, fewestRuns))
		rolling = nil
	}
	switch {
	case e.FrozenRuns == 0 || queries == 0:
		frozen = nil
	case e.FrozenRuns < fewestFrozenRuns || len(frozen) == 0:
		f.add(Inconclusive, fmt.Sprintf("the frozen baseline is too small to tell drift from its own luck: it has %d runs, and %d of %d queries have %d traces in it; it needs %d runs: add more to it, or leave --frozen out", e.FrozenRuns, len(frozen), queries, fewestFrozenTraces, fewestFrozenRuns))
		frozen = nil
	case len(short) > 0:
		out.Warnings = append(out.Warnings, fmt.Sprintf("the frozen baseline has fewer than %d traces of %s, which are not compared with it", fewestFrozenTraces, Listed(short)))
	}
	return rolling, frozen
}
