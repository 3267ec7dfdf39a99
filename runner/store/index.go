package store

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/trace"
)

// Index has the places of a run's lines by query and trace, so that single traces of a large
// run can be read, also while the run goes on. Lines of sessions that a later one replaced are
// left out. Its methods are safe for concurrent use.
type Index struct {
	dir   string
	parts [len(jsonl)]part

	records   []RecordAt
	recordOf  map[decision]int
	events    map[trace.ID]*TraceAt
	exchanges map[model.Identity]*places // by Identity.OfTrace
	settings  map[string]int64           // the first exchange that has the settings of a name
}

// part is what the index has of one file. Its lock covers the maps that the file fills.
type part struct {
	sync.RWMutex
	end  int64       // of the last line that was read
	info os.FileInfo // of the file then; nil before
}

// places are the offsets of a trace's lines in one file, from its last session.
type places struct {
	Session int     `json:"session"`
	At      []int64 `json:"at"`
}

// add appends a line's offset; a later session replaces the lines of an earlier one. It
// reports whether the line counts.
func (p *places) add(session int, offset int64) bool {
	if session < p.Session {
		return false
	}
	if session > p.Session {
		*p = places{Session: session}
	}
	p.At = append(p.At, offset)
	return true
}

// RecordAt is the place of a record, with what a list of many says of it.
type RecordAt struct {
	Configuration string       `json:"configuration"`
	Query         string       `json:"query"`
	Verdict       judge.Ruling `json:"verdict"`
	Offset        int64        `json:"offset"`
}

// TraceAt is the place of a trace. Outcome is "" of one that has not ended.
type TraceAt struct {
	Outcome trace.Outcome `json:"outcome"`
	places
}

// Index returns what was saved of the run's index, or an empty one. Update fills it.
func (r *Run) Index() *Index {
	x := &Index{dir: r.Dir}
	for f := range x.parts {
		x.reset(fileIndex(f))
	}
	x.load()
	return x
}

func (x *Index) reset(f fileIndex) {
	x.parts[f].end, x.parts[f].info = 0, nil
	switch f {
	case resultsFile:
		x.records, x.recordOf = nil, map[decision]int{}
	case traceFile:
		x.events = map[trace.ID]*TraceAt{}
	case chatFile:
		x.exchanges, x.settings = map[model.Identity]*places{}, map[string]int64{}
	}
}

// UpdateRecords reads what was appended to results.jsonl, and reports whether that was
// anything. r is the run with its present manifest. A file that was cut or replaced is read
// again from its start.
func (x *Index) UpdateRecords(ctx context.Context, r *Run) (changed bool, err error) {
	return x.update(ctx, r, resultsFile, x.record)
}

// UpdateTraces does the same with trace.jsonl and chat.jsonl.
func (x *Index) UpdateTraces(ctx context.Context, r *Run) (changed bool, err error) {
	var g errgroup.Group
	var events, exchanges bool
	g.Go(func() (err error) {
		events, err = x.update(ctx, r, traceFile, x.event)
		return err
	})
	g.Go(func() (err error) {
		exchanges, err = x.update(ctx, r, chatFile, x.exchange)
		return err
	})
	err = g.Wait()
	return events || exchanges, err
}

func (x *Index) update(ctx context.Context, r *Run, f fileIndex, read func(rawLine) error) (bool, error) {
	p := &x.parts[f]
	p.Lock()
	defer p.Unlock()
	path := filepath.Join(r.Dir, jsonl[f].name)
	info, err := os.Lstat(path)
	if err != nil {
		return false, fmt.Errorf("read run: %w", err)
	}
	if p.info != nil && info.Size() == p.info.Size() && info.ModTime().Equal(p.info.ModTime()) && os.SameFile(info, p.info) {
		return false, nil
	}
	if info.Size() < p.end || p.info != nil && !os.SameFile(info, p.info) {
		x.reset(f)
	}
	for line, err := range r.rawLines(f, p.end) {
		if err == nil {
			if err = read(line); err != nil {
				err = line.error(err)
			}
		}
		if err = errors.Join(err, ctx.Err()); err != nil {
			x.reset(f)
			return false, err
		}
		p.end = line.offset + int64(len(line.text))
	}
	p.info = info
	return true, nil
}

func (x *Index) record(line rawLine) error {
	var r struct {
		RecordAt
		Verdict judge.Verdict `json:"verdict"`
	}
	if err := json.Unmarshal(line.text, &r); err != nil {
		return damageError(err)
	}
	r.RecordAt.Verdict, r.Offset = r.Verdict.Verdict, line.offset
	of := decision{r.Configuration, r.Query}
	if i, known := x.recordOf[of]; known {
		x.records[i] = r.RecordAt
		return nil
	}
	x.recordOf[of] = len(x.records)
	x.records = append(x.records, r.RecordAt)
	return nil
}

func (x *Index) event(line rawLine) error {
	var h eventHead
	if err := headOf(line.text, &h); err != nil {
		return err
	}
	t := x.events[h.ID]
	if t == nil {
		t = &TraceAt{}
		x.events[h.ID] = t
	}
	later := h.Session > t.Session
	if !t.add(h.Session, line.offset) {
		return nil
	}
	if later {
		t.Outcome = ""
	}
	if h.Event != "final" || h.Path != "" {
		return nil
	}
	var end struct {
		Outcome trace.Outcome `json:"outcome"`
	}
	err := json.Unmarshal(line.text, &end)
	t.Outcome = end.Outcome
	return err
}

var sameSettings = []byte(`"request_settings":null`)

func (x *Index) exchange(line rawLine) error {
	var h struct {
		model.Identity
		Session int `json:"session"`
	}
	if err := headOf(line.text, &h); err != nil {
		return err
	}
	if !bytes.Contains(line.text, sameSettings) {
		var s struct {
			Settings string `json:"settings"`
		}
		if err := json.Unmarshal(line.text, &s); err != nil {
			return damageError(err)
		}
		if _, known := x.settings[s.Settings]; !known {
			x.settings[s.Settings] = line.offset
		}
	}
	of := h.OfTrace()
	if x.exchanges[of] == nil {
		x.exchanges[of] = &places{}
	}
	x.exchanges[of].add(h.Session, line.offset)
	return nil
}

// Records are the places of the records, in the order in which queries were first decided.
func (x *Index) Records() []RecordAt {
	x.parts[resultsFile].RLock()
	defer x.parts[resultsFile].RUnlock()
	return slices.Clone(x.records)
}

// RecordsOf are the places of a query's records.
func (x *Index) RecordsOf(query string) []RecordAt {
	return slices.DeleteFunc(x.Records(), func(r RecordAt) bool { return r.Query != query })
}

// Traces are the traces of a query, by agent and number.
func (x *Index) Traces(query string) []trace.ID {
	x.parts[traceFile].RLock()
	defer x.parts[traceFile].RUnlock()
	var out []trace.ID
	for id := range x.events {
		if id.Query == query {
			out = append(out, id)
		}
	}
	slices.SortFunc(out, func(a, b trace.ID) int { return cmp.Or(cmp.Compare(a.Agent, b.Agent), cmp.Compare(a.Trace, b.Trace)) })
	return out
}

// Outcomes counts the traces by outcome; those under "" have not ended.
func (x *Index) Outcomes() map[trace.Outcome]int {
	x.parts[traceFile].RLock()
	defer x.parts[traceFile].RUnlock()
	out := map[trace.Outcome]int{}
	for _, t := range x.events {
		out[t.Outcome]++
	}
	return out
}

// Questions are the conversations about a query that are no agent's: those of verifier and judges.
func (x *Index) Questions(query string) []model.Identity {
	x.parts[chatFile].RLock()
	defer x.parts[chatFile].RUnlock()
	out := slices.DeleteFunc(slices.Collect(maps.Keys(x.exchanges)), func(id model.Identity) bool {
		return id.Query != query || id.Purpose == model.Agent
	})
	slices.SortFunc(out, func(a, b model.Identity) int {
		return cmp.Or(cmp.Compare(a.Purpose, b.Purpose), cmp.Compare(a.Agent, b.Agent), cmp.Compare(a.Trace, b.Trace))
	})
	return out
}

// ErrIndex means that an index names a line that is not what it says: its file was changed.
var ErrIndex = errors.New("the index is not of these files: delete " + indexFile + " in the run's folder, and open the run again")

// ReadRecords reads the records at these places.
func (x *Index) ReadRecords(r *Run, at []RecordAt) ([]Record, error) {
	return readAt(r, at, func(rec *Recording, at RecordAt) (v Record, err error) {
		if err = rec.read(resultsFile, at.Offset, &v); err == nil && (v.Query != at.Query || v.Configuration != at.Configuration) {
			err = ErrIndex
		}
		return v, err
	})
}

// ReadEvents reads the events of a trace; none if the run has no such trace.
func (x *Index) ReadEvents(r *Run, id trace.ID) ([]trace.Event, error) {
	x.parts[traceFile].RLock()
	var at []int64
	if t := x.events[id]; t != nil {
		at = slices.Clone(t.At)
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

// ReadExchanges reads the exchanges of a trace, or of what a verifier or judge was asked, each
// with its settings in full.
func (x *Index) ReadExchanges(r *Run, of model.Identity) ([]Exchange, error) {
	x.parts[chatFile].RLock()
	var at []int64
	if p := x.exchanges[of.OfTrace()]; p != nil {
		at = slices.Clone(p.At)
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
