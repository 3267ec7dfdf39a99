package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/store/disk"
	"github.com/seed-5817661a/concur/runner/store/runfiles"
	"github.com/seed-5817661a/concur/trace"
)

// Records returns the offsets of the records, in the order in which queries were first decided.
func (x *Index) Records() []RecordAt {
	x.parts[runfiles.Results].RLock()
	defer x.parts[runfiles.Results].RUnlock()
	return slices.Clone(x.records)
}

// RecordsOf returns the offsets of a query's records.
func (x *Index) RecordsOf(query string) []RecordAt {
	return slices.DeleteFunc(x.Records(), func(r RecordAt) bool { return r.Query != query })
}

// Traces returns the traces of a query, by agent and number.
func (x *Index) Traces(query string) []trace.ID {
	x.parts[runfiles.Traces].RLock()
	defer x.parts[runfiles.Traces].RUnlock()
	var out []trace.ID
	texts := &x.names[runfiles.Traces]
	number, known := texts.numbers[query]
	for k := range x.traces {
		if known && k.query == number {
			out = append(out, texts.id(k))
		}
	}
	slices.SortFunc(out, func(a, b trace.ID) int {
		return cmp.Or(cmp.Compare(a.Agent, b.Agent),
			cmp.Compare(a.Trace, b.Trace))
	})
	return out
}

// Outcomes counts the traces by outcome. Under "" it counts the traces that have not ended.
func (x *Index) Outcomes() map[trace.Outcome]int {
	x.parts[runfiles.Traces].RLock()
	defer x.parts[runfiles.Traces].RUnlock()
	out := map[trace.Outcome]int{}
	for _, t := range x.traces {
		out[t.ending.Outcome]++
	}
	return out
}

// Questions returns the identities of the conversations in which a verifier or a judge was asked about a query.
func (x *Index) Questions(query string) []model.Identity {
	x.parts[runfiles.Chat].RLock()
	defer x.parts[runfiles.Chat].RUnlock()
	var out []model.Identity
	texts := &x.names[runfiles.Chat]
	number, known := texts.numbers[query]
	if !known {
		return nil
	}
	for _, k := range x.questions[number] {
		id := texts.id(k)
		out = append(out, model.Identity{Agent: id.Agent, Query: id.Query, Trace: id.Trace, Purpose: texts.purpose(k)})
	}
	slices.SortFunc(out, func(a, b model.Identity) int {
		return cmp.Or(cmp.Compare(a.Purpose, b.Purpose), cmp.Compare(a.Agent, b.Agent), cmp.Compare(a.Trace, b.Trace))
	})
	return out
}

// ReadRecords reads the records at these offsets. If a person labelled a record, the label replaces its
// verdict.
func (x *Index) ReadRecords(r *Run, at []RecordAt) ([]Record, error) {
	labels, err := r.labels()
	if err != nil {
		return nil, err
	}
	return reading(r, func(in reader) ([]Record, error) {
		out := make([]Record, len(at))
		for i, at := range at {
			if err := in.read(runfiles.Results, at.Offset, &out[i]); err != nil {
				return nil, err
			}
			if out[i].Query != at.Query || out[i].Configuration != at.Configuration {
				return nil, in.moved(runfiles.Results, out[i].Query, at.Query)
			}
			if l, ok := labels[recordKey{at.Configuration, at.Query}]; ok {
				out[i] = l.apply(out[i])
			}
		}
		return out, nil
	})
}

// ReadEvents reads the events of a trace, and the extractions from its final message. If the run has no such
// trace, it returns no events.
func (x *Index) ReadEvents(r *Run, id trace.ID) ([]trace.Event, error) {
	return reading(r, func(in reader) ([]trace.Event, error) { return x.allEvents(in, id) })
}

func (x *Index) allEvents(in reader, id trace.ID) ([]trace.Event, error) {
	events, err := x.events(in, id)
	if err != nil {
		return nil, err
	}
	x.parts[runfiles.Traces].RLock()
	defer x.parts[runfiles.Traces].RUnlock()
	t := x.trace(id)
	if t == nil || t.read == nil || t.read.session < t.session { // the trace was run again after the extraction
		return events, nil
	}
	read, err := readAll[trace.Event](in, runfiles.Traces, t.read.offsets())
	return append(events, read...), err
}

// Traces reads many traces of a run. In memory it keeps the open files, the last read text of compressed parts,
// and some bytes for each query. Close it after use.
type Traces struct {
	in     reader
	places *queryPlaces // nil if places.jsonl cannot be used
	index  *Index       // of the query that was read last; of all queries without places
	query  string
}

// Traces opens the files of the run. If places.jsonl is missing or does not match the run, Traces makes the
// index, as Index does.
func (r *Run) Traces(ctx context.Context) (_ *Traces, err error) {
	t := &Traces{}
	if t.places, err = r.queryPlaces(ctx); err != nil {
		if t.index, err = r.Index(ctx); err != nil {
			return nil, err
		}
	}
	if t.in, err = r.reader(); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return t, nil
}

// Open opens the files of a run, to read many traces at the offsets of the index. Close the result after use.
func (x *Index) Open(r *Run) (*Traces, error) {
	in, err := r.reader()
	if err != nil {
		return nil, err
	}
	return &Traces{in: in, index: x}, nil
}

// Forget drops the offsets of traces, and of the conversations in which verifiers and judges were asked about their
// queries. It keeps an index small that follows a run in progress.
func (x *Index) Forget(ids ...trace.ID) {
	events, chat := &x.parts[runfiles.Traces], &x.parts[runfiles.Chat]
	events.Lock()
	for _, id := range ids {
		if k, known := x.names[runfiles.Traces].known(id, ""); known {
			delete(x.traces, k)
		}
	}
	events.Unlock()
	chat.Lock()
	defer chat.Unlock()
	texts := &x.names[runfiles.Chat]
	for _, id := range ids {
		if k, known := texts.known(id, model.Agent); known {
			delete(x.exchanges, k)
		}
		if query, known := texts.numbers[id.Query]; known {
			for _, k := range x.questions[query] {
				delete(x.exchanges, k)
			}
			delete(x.questions, query)
		}
	}
}

// indexOf returns an index that has at least the traces of a query.
func (t *Traces) indexOf(query string) (_ *Index, err error) {
	if t.places == nil || t.index != nil && t.query == query {
		return t.index, nil
	}
	t.index, err = t.places.index(query)
	t.query = query
	return t.index, err
}

// Events is Index.ReadEvents.
func (t *Traces) Events(id trace.ID) ([]trace.Event, error) {
	x, err := t.indexOf(id.Query)
	if err != nil {
		return nil, err
	}
	return x.allEvents(t.in, id)
}

// Exchanges is Index.ReadExchanges.
func (t *Traces) Exchanges(of model.Identity) ([]Exchange, error) {
	x, err := t.indexOf(of.Query)
	if err != nil {
		return nil, err
	}
	return x.conversations(t.in, of)
}

// Questions is Index.Questions.
func (t *Traces) Questions(query string) ([]model.Identity, error) {
	x, err := t.indexOf(query)
	if err != nil {
		return nil, err
	}
	return x.Questions(query), nil
}

// Close closes the files.
func (t *Traces) Close() error {
	err := t.in.close()
	if t.places != nil {
		err = errors.Join(err, t.places.file.Close())
	}
	return err
}

func (x *Index) events(in reader, id trace.ID) ([]trace.Event, error) {
	x.parts[runfiles.Traces].RLock()
	defer x.parts[runfiles.Traces].RUnlock()
	t := x.trace(id)
	if t == nil {
		return nil, nil
	}
	events, err := readAll[trace.Event](in, runfiles.Traces, t.offsets())
	for _, e := range events {
		if e.ID != id {
			return nil, in.moved(runfiles.Traces, e.Query, id.Query)
		}
	}
	return events, err
}

// ReadExchanges reads the exchanges of a trace, a verifier or a judge. The exchanges have their complete
// settings.
func (x *Index) ReadExchanges(r *Run, of model.Identity) ([]Exchange, error) {
	return reading(r, func(in reader) ([]Exchange, error) { return x.conversations(in, of) })
}

func (x *Index) conversations(in reader, of model.Identity) ([]Exchange, error) {
	x.parts[runfiles.Chat].RLock()
	defer x.parts[runfiles.Chat].RUnlock()
	p := x.exchangesOf(traceOf(of), of.Purpose)
	if p == nil {
		return nil, nil
	}
	out, err := readAll[Exchange](in, runfiles.Chat, p.offsets())
	for _, v := range out {
		if v.OfTrace() != of.OfTrace() {
			return nil, in.moved(runfiles.Chat, v.Query, of.Query)
		}
	}
	settings := map[string]*RequestSettings{}
	for i := range out {
		v := &out[i]
		if first, known := x.settings[v.Settings]; v.RequestSettings == nil && known && settings[v.Settings] == nil {
			var full Exchange
			if err := in.read(runfiles.Chat, first, &full); err != nil {
				return nil, err
			}
			settings[v.Settings] = full.RequestSettings
		}
		if v.RequestSettings == nil {
			v.RequestSettings = settings[v.Settings]
		}
		if v.RequestSettings == nil && v.Settings != "" {
			return nil, disk.Damage(fmt.Errorf("%s has no line with the settings %s of query %s trace %d: restore the file "+
				"from a copy", runfiles.Chat.Name(), v.Settings, v.Query, v.Trace))
		}
	}
	return out, err
}
