package store

import (
	"cmp"
	"errors"
	"maps"
	"slices"

	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/trace"
)

// Records are the places of the records, in the order in which queries were first decided.
func (x *Index) Records() []RecordAt {
	x.parts[resultsFile].RLock()
	defer x.parts[resultsFile].RUnlock()
	return slices.Clone(x.records)
}

// RecordsOf are the places of a query's records.
func (x *Index) RecordsOf(query string) []RecordAt {
	x.parts[resultsFile].RLock()
	defer x.parts[resultsFile].RUnlock()
	var out []RecordAt
	for _, r := range x.records {
		if r.Query == query {
			out = append(out, r)
		}
	}
	return out
}

// Traces are the traces of a query, by agent and number.
func (x *Index) Traces(query string) []trace.ID {
	x.parts[traceFile].RLock()
	defer x.parts[traceFile].RUnlock()
	var out []trace.ID
	for _, t := range x.traces[query] {
		out = append(out, t.ID)
	}
	slices.SortFunc(out, func(a, b trace.ID) int { return cmp.Or(cmp.Compare(a.Agent, b.Agent), cmp.Compare(a.Trace, b.Trace)) })
	return out
}

// Outcomes counts the traces by outcome; those under "" have not ended.
func (x *Index) Outcomes() map[trace.Outcome]int {
	x.parts[traceFile].RLock()
	defer x.parts[traceFile].RUnlock()
	out := map[trace.Outcome]int{}
	for _, traces := range x.traces {
		for _, t := range traces {
			out[t.Ending.Outcome]++
		}
	}
	return out
}

// Questions are the conversations about a query that are no agent's: those of verifier and judges.
func (x *Index) Questions(query string) []model.Identity {
	x.parts[chatFile].RLock()
	defer x.parts[chatFile].RUnlock()
	var out []model.Identity
	for _, p := range x.exchanges[query] {
		if p.Of.Purpose != model.Agent {
			out = append(out, p.Of)
		}
	}
	slices.SortFunc(out, func(a, b model.Identity) int {
		return cmp.Or(cmp.Compare(a.Purpose, b.Purpose), cmp.Compare(a.Agent, b.Agent), cmp.Compare(a.Trace, b.Trace))
	})
	return out
}

// ErrIndex means that an index names a line that is not what it says: its file was changed.
var ErrIndex = errors.New("the index is not of these files: delete " + indexFile + " in the run's folder, and open the run again")

// ReadRecords reads the records at these places, with the labels of people over their verdicts.
func (x *Index) ReadRecords(r *Run, at []RecordAt) ([]Record, error) {
	labels, err := r.labels()
	if err != nil {
		return nil, err
	}
	return readAt(r, at, func(rec *Recording, at RecordAt) (v Record, err error) {
		if err = rec.read(resultsFile, at.Offset, &v); err == nil && (v.Query != at.Query || v.Configuration != at.Configuration) {
			err = ErrIndex
		}
		if l, ok := labels[recordKey{v.Configuration, v.Query}]; ok && err == nil {
			v = l.apply(v)
		}
		return v, err
	})
}

// ReadEvents reads the events of a trace; none if the run has no such trace.
func (x *Index) ReadEvents(r *Run, id trace.ID) ([]trace.Event, error) {
	x.parts[traceFile].RLock()
	var at []int64
	if t := x.trace(id); t != nil {
		at = slices.Clone(t.Places.At)
	}
	x.parts[traceFile].RUnlock()
	return readAt(r, at, func(rec *Recording, offset int64) (trace.Event, error) {
		e, err := rec.Event(offset)
		if err == nil && e.ID != id {
			err = ErrIndex
		}
		return e, err
	})
}

// ReadExchanges reads the exchanges of a trace, a verifier or a judge, with their settings in full.
func (x *Index) ReadExchanges(r *Run, of model.Identity) ([]Exchange, error) {
	x.parts[chatFile].RLock()
	var at []int64
	if p := x.conversation(of.OfTrace()); p != nil {
		at = slices.Clone(p.Places.At)
	}
	settings := maps.Clone(x.settings)
	x.parts[chatFile].RUnlock()
	return readAt(r, at, func(rec *Recording, offset int64) (v Exchange, err error) {
		if err = rec.read(chatFile, offset, &v); err != nil {
			return v, err
		}
		if v.OfTrace() != of.OfTrace() {
			return v, ErrIndex
		}
		if first, known := settings[v.Settings]; v.RequestSettings == nil && known {
			var full Exchange
			err = rec.read(chatFile, first, &full)
			v.RequestSettings = full.RequestSettings
		}
		return v, err
	})
}

// readAt reads the lines of a run at these places.
func readAt[P, T any](r *Run, at []P, read func(*Recording, P) (T, error)) (_ []T, err error) {
	rec, err := r.Recording()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rec.Close()) }()
	out := make([]T, len(at))
	for i, p := range at {
		if out[i], err = read(rec, p); err != nil {
			return nil, err
		}
	}
	return out, nil
}
