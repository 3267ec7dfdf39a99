package gate

import (
	"fmt"
	"slices"

	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/internal/text"
)

// Traces counts the traces of a query. A trace without an answer counts as wrong. A refusal counts as wrong if
// an answer was expected (docs/method.md §1.1).
type Traces struct {
	Right    int `json:"right"`
	Wrong    int `json:"wrong"`
	Unscored int `json:"unscored"` // no verdict, because the judge failed; ignored in a history
	Infra    int `json:"lost"`     // lost to the infrastructure: missing data
}

// String returns right/scored, and then the number of traces that have no verdict. It returns "–" if there are
// no traces.
func (t Traces) String() string {
	if t == (Traces{}) {
		return "–"
	}
	text := fmt.Sprintf("%d/%d", t.Right, t.Scored())
	if t.Unscored > 0 {
		text += fmt.Sprintf(" +%d unscored", t.Unscored)
	}
	if t.Infra > 0 {
		text += fmt.Sprintf(" +%d lost", t.Infra)
	}
	return text
}

// Scored counts the traces with a verdict.
func (t Traces) Scored() int { return t.Right + t.Wrong }

// All counts the traces, with or without a verdict.
func (t Traces) All() int { return t.Right + t.Wrong + t.Unscored + t.Infra }

// Plus returns the sum of two counts.
func (t Traces) Plus(u Traces) Traces {
	return Traces{t.Right + u.Right, t.Wrong + u.Wrong, t.Unscored + u.Unscored, t.Infra + u.Infra}
}

// Majority reports whether more than half of all traces are right. Lost traces are included in all traces.
func (t Traces) Majority() bool { return 2*t.Right > t.All() }

// posterior returns the mean of the posterior distribution of a query's rate of right traces, given its history
// and Jeffreys' prior: (h+½)/(m+1).
func (t Traces) posterior() float64 { return (float64(t.Right) + 0.5) / float64(t.Scored()+1) }

// TraceResult is the result of one trace.
type TraceResult uint8

// The results of a trace.
const (
	Wrong TraceResult = iota
	Right
	Unscored
	Lost
)

// Count counts results.
func Count(marks []TraceResult) Traces {
	var n [4]int
	for _, m := range marks {
		n[m]++
	}
	return Traces{n[Right], n[Wrong], n[Unscored], n[Lost]}
}

// Item is the evidence on one query.
type Item struct {
	Query    string `json:"query"`
	Category string `json:"category"`
	Safety   bool   `json:"safety"`  // its gold expects a refusal; a rule of its own applies
	Current  Traces `json:"-"`       // of the run
	History  Traces `json:"history"` // of the pool, summed
	Runs     int    `json:"runs"`    // of the pool with a scored trace of the query
	Frozen   Traces `json:"-"`       // of the frozen baseline, which no new run changes, so that it shows slow drift
	// Fresh are the traces that were run to confirm a loss, in the order of their numbers. If one is lost, it
	// must be run again before later ones count.
	Fresh []TraceResult `json:"-"`
	Last  *Traces       `json:"-"` // of the last accepted run; nil if it did not have the query
}

// Gated reports whether the query has enough history to be tested.
func (it Item) Gated() bool {
	return !it.Safety && it.History.Scored() >= fewestTraces && it.Runs >= fewestRuns
}

// Evidence holds all data on which the decision depends.
type Evidence struct {
	Items      []Item
	PoolRuns   int
	FrozenRuns int // of the frozen baseline; 0 without one
	K          int // requested traces per query
	Consensus  Consensus
	USD, P95S  *float64 // cost of the run, and seconds of a trace (95th percentile); nil if unknown
	Invalid    []string // reasons as sentences, other than the counts, why the run cannot be compared
	Retry      string   // the command that runs the run's lost traces again
	// Phi and Concordance (a p-value) measure how similar the traces of one accepted run are to each other.
	// They are nil if unknown. Stored is the number of runs from which they are computed.
	Phi         *Phi
	Concordance *float64
	Stored      int
	// Levels are the levels that were chosen when this decision began. They are nil if the decision is new.
	Levels    *Dependence
	Overrides []string // sentences about the accepted runs with an override, and the last reset
	Warnings  []string // of the caller, printed with the gate's
}

// Consensus counts the verdicts on the run's consensus answers.
type Consensus struct {
	Queries, Correct, Unscored int
}

// Phi is the variance between pool runs, divided by the variance that independent traces would have
// (docs/method.md §6.2).
type Phi = stats.Phi

func where(items []Item, holds func(Item) bool) (names []string) {
	for _, it := range items {
		if holds(it) {
			names = append(names, it.Query)
		}
	}
	return names
}

func (e Evidence) unscored() bool {
	return e.Consensus.Unscored > 0 || slices.ContainsFunc(e.Items, func(it Item) bool {
		return it.Current.Unscored > 0 || slices.Contains(it.Fresh, Unscored)
	})
}

// at returns the evidence in which every unscored trace and answer of the run counts as m, which is Right or
// Wrong. Unscored traces of histories are still ignored.
func (e Evidence) at(m TraceResult) Evidence {
	e.Items = slices.Clone(e.Items)
	for i := range e.Items {
		it := &e.Items[i]
		it.Current = it.Current.Plus(Count(slices.Repeat([]TraceResult{m}, it.Current.Unscored)))
		it.Current.Unscored = 0
		it.Fresh = slices.Clone(it.Fresh)
		for j := range it.Fresh {
			if it.Fresh[j] == Unscored {
				it.Fresh[j] = m
			}
		}
	}
	if m == Right {
		e.Consensus.Correct += e.Consensus.Unscored
	}
	e.Consensus.Unscored = 0
	return e
}

// History that a frozen baseline needs (docs/method.md §6.2).
const (
	fewestFrozenTraces = 30
	fewestFrozenRuns   = 10
)

// gate returns the query in the form that the tests use, with the history h. Fresh traces count only up to the
// first lost one.
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

// histories returns the queries that are tested against the pool, and those that are tested against the frozen
// baseline. If there are too few queries, or too few runs in the frozen baseline, the decision stays open.
func (f *findings) histories() (rolling, frozen []gated) {
	out := &f.out
	out.History = History{Runs: f.PoolRuns}
	queries := 0
	var short []string
	for _, it := range f.Items {
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
		accept := "`concur baseline add`"
		if f.AnswersOnly {
			accept = "--add"
		}
		f.lack(fmt.Sprintf("bootstrap: %d of %d queries have %d traces from %d accepted runs, and "+
			"the gate needs half of them; accept runs that look right with %s", len(rolling), queries, fewestTraces,
			fewestRuns, accept))
		rolling = nil
	}
	switch {
	case f.FrozenRuns == 0 || queries == 0:
		frozen = nil
	case f.FrozenRuns < fewestFrozenRuns || len(frozen) == 0:
		f.add(Inconclusive, fmt.Sprintf("the frozen baseline has too few traces to distinguish drift from "+
			"chance: it has "+
			"%d runs, and %d of %d queries have %d traces in it; it needs %d runs: add some, or leave "+
			"--frozen out", f.FrozenRuns, len(frozen), queries, fewestFrozenTraces, fewestFrozenRuns))
		frozen = nil
	case len(short) > 0:
		out.Warnings = append(out.Warnings, fmt.Sprintf("the frozen baseline has fewer than %d traces of %s, which "+
			"are not compared with it", fewestFrozenTraces, text.Listed(short)))
	}
	return rolling, frozen
}

// Limits of lost traces, above which a run cannot be compared: docs/method.md §1.1.
const (
	mostLostPercent = 2
	lostLevel       = 0.01
)

func (e Evidence) invalid() []string {
	if len(e.Items) == 0 {
		return append([]string{"the run has no queries: run it over a dataset"}, e.Invalid...)
	}
	why := append(append([]string(nil), e.Invalid...), TooLost("the run", e.Items, e.Retry)...)
	var now, before Traces
	for _, it := range e.Items {
		now, before = now.Plus(it.Current), before.Plus(it.History)
	}
	if p, ok := stats.Fisher(now.Infra, now.All(), before.Infra, before.All()); ok && p < lostLevel {
		why = append(why, fmt.Sprintf("the run and the accepted runs lost different shares of traces (%s), so that "+
			"the rest cannot be compared: find out why, and run again", formatP(p)))
	}
	return why
}

func (it Item) lostTraces() bool { return it.Current.Infra > 0 }

// TooLost returns sentences if so many traces of a run were lost that the run cannot be compared
// (docs/method.md §1.1); otherwise nil. pass is the name of the run in the sentences. retry is the command that
// runs lost traces again.
func TooLost(pass string, items []Item, retry string) (why []string) {
	var sum Traces
	for _, it := range items {
		sum = sum.Plus(it.Current)
	}
	none := where(items, func(it Item) bool { return it.Current.All() == it.Current.Infra })
	if len(none) > 0 {
		why = append(why, fmt.Sprintf("%s has no valid trace of %s: run the lost ones again with %s", pass,
			text.Listed(none), retry))
	}
	if 100*sum.Infra > mostLostPercent*sum.All() {
		why = append(why, fmt.Sprintf("%s lost %d of %d traces to the infrastructure (%s), more than %d %%: run "+
			"them again with %s", pass, sum.Infra, sum.All(), text.Listed(where(items, Item.lostTraces)),
			mostLostPercent, retry))
	}
	return why
}
