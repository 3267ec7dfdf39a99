package gate

import "fmt"

// Minimum history (methods.md §6.2).
const (
	fewestTraces = 6 // per gated query
	fewestRuns   = 2

	fewestFrozenTraces = 30
	fewestFrozenRuns   = 10
)

// held is a gated query with one of its histories.
type held struct {
	*Item
	history Traces
}

// histories gives the gated queries with the pool and with the frozen baseline. A query
// that the frozen baseline has too little of is not held against it; a frozen baseline of
// too few runs is not used. Where it is used, each history gets half of alpha.
func (e Evidence) histories(o Options, out *Outcome) (rolling, frozen versus) {
	rolling, frozen = versus{name: "pool"}, versus{name: "frozen baseline"}
	var short []string
	for i := range e.Items {
		it := &e.Items[i]
		if it.Safety {
			continue
		}
		rolling.items = append(rolling.items, held{it, it.History})
		if e.Frozen == nil {
			continue
		}
		if h := e.Frozen.History[it.Query]; h.Valid() >= fewestFrozenTraces {
			frozen.items = append(frozen.items, held{it, h})
		} else {
			short = append(short, it.Query)
		}
	}
	if e.Frozen != nil {
		switch {
		case e.Frozen.Runs < fewestFrozenRuns || len(frozen.items) == 0:
			frozen.items = nil
			out.Warnings = append(out.Warnings, fmt.Sprintf("the frozen baseline is not used: it has %d runs and %d queries with %d traces; it needs %d runs", e.Frozen.Runs, len(rolling.items)-len(short), fewestFrozenTraces, fewestFrozenRuns))
		case len(short) > 0:
			out.Warnings = append(out.Warnings, fmt.Sprintf("the frozen baseline has fewer than %d traces of %s, which are not held against it", fewestFrozenTraces, listed(short)))
		}
	}
	if len(frozen.items) > 0 {
		out.Level = out.Alpha / 4
	}
	rolling.level, frozen.level = out.Level, out.Level
	return rolling, frozen
}

// extent is the size of the pool.
func (e Evidence) extent() History {
	h := History{Runs: e.PoolRuns}
	first := true
	for _, it := range e.Items {
		if it.Safety {
			continue
		}
		m := it.History.Valid()
		if first {
			h.Least, h.Most, first = m, m, false
		}
		h.Least, h.Most = min(h.Least, m), max(h.Most, m)
	}
	return h
}

// history reports whether the pool is too small to decide by. What Test A would have said
// is a warning then.
func (f *findings) history(e Evidence, out *Outcome, rolling versus) (short bool) {
	out.History = e.extent()
	if len(rolling.items) == 0 {
		return false
	}
	var few []string
	for _, h := range rolling.items {
		if h.history.Valid() < fewestTraces {
			few = append(few, h.Query)
		}
	}
	if len(few) > 0 {
		f.add(Inconclusive, fmt.Sprintf("bootstrap: %d queries have fewer than %d traces of history (%s); accept runs that look right with concur baseline add until they have", len(few), fewestTraces, listed(few)))
	}
	if e.PoolRuns < fewestRuns {
		f.add(Inconclusive, fmt.Sprintf("bootstrap: the pool has %d of the %d runs that it needs; accept runs that look right with concur baseline add", e.PoolRuns, fewestRuns))
	}
	if len(few) == 0 && e.PoolRuns >= fewestRuns {
		return false
	}
	a := rolling.aggregate(ofRun)
	out.Rolling = &Comparison{Against: rolling.name, Level: rolling.level, Run: a, Screen: rolling.screen()}
	if a.Rejects {
		out.Warnings = append(out.Warnings, fmt.Sprintf("on the little history there is, the run looks worse: %s", a))
	}
	return true
}
