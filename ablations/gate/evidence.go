package gate

import (
	"cmp"
	"fmt"
	"slices"
)

// Traces counts the traces of a query. Right and Wrong are the scored ones; a trace without
// an answer is Wrong, and so is a refusal where an answer was expected (methods.md §1.1).
type Traces struct {
	Right int `json:"right"`
	Wrong int `json:"wrong"`
	// Unscored traces ended and have no verdict, for the judge's fault. In a run they count
	// as wrong at worst and as right at best; in a history they do not count.
	Unscored int `json:"unscored"`
	// Infra traces ended by the fault of the infrastructure (outcome infra). They are missing
	// data, and too many of them make a run invalid.
	Infra int `json:"lost"`
}

// String is right/scored, with what did not count behind it; "–" without traces.
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

// Scored counts the traces that have a verdict.
func (t Traces) Scored() int { return t.Right + t.Wrong }

// All counts every trace.
func (t Traces) All() int { return t.Right + t.Wrong + t.Unscored + t.Infra }

// Plus adds the counts of other traces.
func (t Traces) Plus(u Traces) Traces {
	return Traces{t.Right + u.Right, t.Wrong + u.Wrong, t.Unscored + u.Unscored, t.Infra + u.Infra}
}

// Majority reports whether more than half of all traces are right: what a vote between right
// and wrong would say. A lost trace counts against the quorum.
func (t Traces) Majority() bool { return 2*t.Right > t.All() }

// posterior is the mean of a query's rate of right traces given its history, from Jeffreys'
// prior: (h+½)/(m+1). Where all of a short history is right it errs towards noise.
func (t Traces) posterior() float64 { return (float64(t.Right) + 0.5) / float64(t.Scored()+1) }

// Mark is how one trace ended.
type Mark uint8

// The marks.
const (
	Wrong Mark = iota
	Right
	Unscored
	Lost
)

// Count adds marks up.
func Count(marks []Mark) Traces {
	var t Traces
	for _, m := range marks {
		switch m {
		case Right:
			t.Right++
		case Wrong:
			t.Wrong++
		case Unscored:
			t.Unscored++
		default:
			t.Infra++
		}
	}
	return t
}

// Item is what is known of one query.
type Item struct {
	Query    string `json:"query"`
	Category string `json:"category"`
	// Safety marks a query whose gold expects a refusal. Such a query has a rule of its own
	// instead of the tests against a history.
	Safety  bool   `json:"safety"`
	Current Traces `json:"-"`       // of the run
	History Traces `json:"history"` // of the pool, summed
	Runs    int    `json:"runs"`    // of the pool with a scored trace of the query
	Frozen  Traces `json:"-"`       // of the frozen baseline, which does not roll on and so shows slow drift
	// Fresh are the traces run to confirm, in the order of their numbers, without gaps. A
	// lost one has to be run again under its number before those after it count.
	Fresh []Mark `json:"-"`
	// Last are the traces of the last accepted run, for losses and non-inferiority; nil where
	// it did not have the query.
	Last *Traces `json:"-"`
}

// Gated reports whether the query has the history to be tested.
func (it Item) Gated() bool {
	return !it.Safety && it.History.Scored() >= fewestTraces && it.Runs >= fewestRuns
}

// Evidence is all that the decision rests on.
type Evidence struct {
	Items      []Item
	PoolRuns   int
	FrozenRuns int // of the frozen baseline; 0 without one
	// K is the number of traces per query that the run was to have; the most that any
	// query has where it is 0.
	K         int
	Consensus Consensus
	// USD is the cost of the run, and P95S its 95th percentile of seconds per trace; nil
	// where unknown. The pool's are one value per run that has it.
	USD, P95S         *float64
	PoolUSD, PoolP95S []float64
	// Invalid are sentences on what makes the run no evidence and the counts do not show: a
	// canary that the judge missed, several models behind one name, cached traces.
	Invalid []string
	// Retry is the command that runs the run's lost traces again; "" for a general one.
	Retry string
	// Phi and Concordance say how much the traces of one pool run share; nil where not
	// known. Concordance is the p-value of the permutation test.
	Phi         *Phi
	Concordance *float64
	Overrides   []string // of runs in the pool, and its last reset, as sentences
	Warnings    []string // of the caller, to be printed with the gate's
}

// Consensus counts the verdicts on the run's consensus answers.
type Consensus struct {
	Queries, Correct, Unscored int
	Outvoted                   []string // names the incorrect ones of which most traces are right
}

// Phi is the spread between pool runs over what independent traces would have, with its 95 %
// interval and the value that it exceeds in 5 % of cases by chance (methods.md §6.2).
type Phi struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Line  float64 `json:"line"`
}

// k is the number of traces that a query was to have.
func (e Evidence) k() int {
	k := e.K
	if k == 0 {
		for _, it := range e.Items {
			k = max(k, it.Current.All())
		}
	}
	return k
}

// retry is the command that runs lost traces of the run again.
func (e Evidence) retry() string {
	return cmp.Or(e.Retry, "`concur run --resume RUN --retry-failed`")
}

func (e Evidence) unscored() bool {
	return e.Consensus.Unscored > 0 || slices.ContainsFunc(e.Items, func(it Item) bool {
		return it.Current.Unscored > 0 || slices.Contains(it.Fresh, Unscored)
	})
}

// at gives the evidence with every unscored trace and answer of the run counted as m, Right
// or Wrong. The unscored traces of histories stay out.
func (e Evidence) at(m Mark) Evidence {
	e.Items = slices.Clone(e.Items)
	for i := range e.Items {
		it := &e.Items[i]
		if m == Right {
			it.Current.Right += it.Current.Unscored
		} else {
			it.Current.Wrong += it.Current.Unscored
		}
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
