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

// gated gives the queries that the tests are about, with their history in the pool: those
// that have enough of it to be tested, and those that have not. A pool of too few runs has
// enough of none.
func (e Evidence) gated() (tested, short []held) {
	for i := range e.Items {
		it := &e.Items[i]
		switch h := (held{it, it.History}); {
		case it.Safety:
		case e.PoolRuns < fewestRuns || h.history.Valid() < fewestTraces:
			short = append(short, h)
		default:
			tested = append(tested, h)
		}
	}
	return tested, short
}

// histories gives the gated queries with the pool and with the frozen baseline. A query
// that one of them has too little of is not held against it, and leaves the others guarded;
// a frozen baseline of too few runs leaves the decision open, since it was asked for. Where
// it is used, each history gets half of alpha.
func (e Evidence) histories(o Options, out *Outcome) (rolling, frozen versus) {
	rolling, frozen = versus{name: "pool", from: &e}, versus{name: "frozen baseline", from: &e}
	rolling.items, rolling.short = e.gated()
	if e.Frozen != nil {
		e.freeze(&frozen, len(rolling.items)+len(rolling.short), out)
	}
	if len(frozen.items) > 0 {
		out.Level = out.Alpha / 4
	}
	rolling.level, frozen.level = out.Level, out.Level
	return rolling, frozen
}

// freeze finds the queries that the frozen baseline has enough of, out of all gated ones.
func (e Evidence) freeze(frozen *versus, gated int, out *Outcome) {
	var short []string
	for i := range e.Items {
		it := &e.Items[i]
		if it.Safety {
			continue
		}
		if h := e.Frozen.History[it.Query]; h.Valid() >= fewestFrozenTraces {
			frozen.items = append(frozen.items, held{it, h})
		} else {
			short = append(short, it.Query)
		}
	}
	switch {
	case gated == 0:
	case e.Frozen.Runs < fewestFrozenRuns || len(frozen.items) == 0:
		frozen.missing = fmt.Sprintf("the frozen baseline is too small to tell drift from its own luck: it has %d runs, and %d of %d queries have %d traces in it; it needs %d runs: add more to it, or leave --frozen out", e.Frozen.Runs, len(frozen.items), gated, fewestFrozenTraces, fewestFrozenRuns)
		frozen.items = nil
	case len(short) > 0:
		out.Warnings = append(out.Warnings, fmt.Sprintf("the frozen baseline has fewer than %d traces of %s, which are not held against it", fewestFrozenTraces, listed(short)))
	}
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

// history finds out whether the pool is too small to say PASS by. What Test A would have
// said of the queries that cannot be tested is a warning then.
func (f *findings) history(e Evidence, out *Outcome, rolling versus) {
	out.History = e.extent()
	if len(rolling.short) == 0 {
		return
	}
	f.short, f.young = true, len(rolling.items) == 0
	var few []string
	for _, h := range rolling.short {
		if h.history.Valid() < fewestTraces {
			few = append(few, h.Query)
		}
	}
	if len(few) > 0 {
		rest := ""
		if !f.young {
			rest = fmt.Sprintf("; the other %d are tested", len(rolling.items))
		}
		f.lack(fmt.Sprintf("bootstrap: fewer than %d traces of history of %s (%s); accept runs that look right with concur baseline add until there are%s", fewestTraces, counted(len(few), "query"), listed(few), rest))
	}
	if e.PoolRuns < fewestRuns {
		f.lack(fmt.Sprintf("bootstrap: the pool has %d of the %d runs that it needs; accept runs that look right with concur baseline add", e.PoolRuns, fewestRuns))
	}
	untested := versus{name: rolling.name, level: rolling.level, items: rolling.short, from: rolling.from}
	a := untested.aggregate(ofRun)
	if f.young {
		out.Rolling = &Comparison{Against: rolling.name, Level: rolling.level, Run: a, Screen: untested.screen()}
	}
	if a.Rejects {
		out.Warnings = append(out.Warnings, fmt.Sprintf("on the little history there is, the run looks worse: %s", a))
	}
}
