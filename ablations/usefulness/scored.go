package usefulness

import (
	"cmp"
	"slices"

	"github.com/seed-5817661a/concur/model/gain"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// Scored has the kept scores of a run by one scorer.
type Scored struct {
	Scorer string
	traces map[trace.ID][]Entry // in the order of the calls
}

// ReadScored reads the kept scores of the queries that accepts returns true for; nil accepts all. scorer "" means the
// one that was used last. If the run has no scores by it, Scorer is the requested name, and no trace has entries.
func ReadScored(run *store.Run, scorer string, accepts func(query string) bool) (*Scored, error) {
	out := &Scored{Scorer: scorer, traces: map[trace.ID][]Entry{}}
	if scorer == "" {
		if _, err := Read(run, func(e Entry) { out.Scorer = e.Scorer }); err != nil || out.Scorer == "" {
			return out, err
		}
	}
	_, err := Read(run, func(e Entry) {
		if e.Scorer != out.Scorer || accepts != nil && !accepts(e.Query) {
			return
		}
		of := out.traces[e.ID]
		at, found := slices.BinarySearchFunc(of, e, func(a, b Entry) int { return cmp.Compare(a.Call, b.Call) })
		if found {
			of[at] = e
		} else {
			out.traces[e.ID] = slices.Insert(of, at, e)
		}
	})
	return out, err
}

// Empty reports whether no call has a score.
func (s *Scored) Empty() bool { return len(s.traces) == 0 }

// Of returns the entries of a trace, in the order of its calls.
func (s *Scored) Of(id trace.ID) []Entry { return s.traces[id] }

// Useless reports whether an entry has a gain that does not reach a threshold. A call without a gain is not useless.
func (e Entry) Useless(tau float64) bool { return e.Gain != nil && !gain.Reaches(*e.Gain, tau) }

// ByResult returns the entries of a trace by the indexes of the events that are the results of the calls.
func ByResult(events []trace.Event, entries []Entry) map[int]Entry {
	if len(entries) == 0 {
		return nil
	}
	results, number, out := resultsOf(events), 0, map[int]Entry{}
	for i, e := range events {
		if _, isCall := e.Body.(trace.Action); !isCall {
			continue
		}
		at := slices.IndexFunc(entries, func(e Entry) bool { return e.Call == number })
		if result, has := results[i]; at >= 0 && has {
			out[result] = entries[at]
		}
		number++
	}
	return out
}
