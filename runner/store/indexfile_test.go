package store_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/upkeep"
	"github.com/seed-5817661a/concur/trace"
)

const indexed = 9 // number of queries of indexedRun

// indexedRun returns a complete run whose traces are mixed, and that was resumed once.
func indexedRun(t *testing.T) *store.Run {
	t.Helper()
	w, err := store.Create(t.TempDir(), manifest("indexed"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range indexed {
		begin(w, fmt.Sprint("q", i), 0)
	}
	for i := range indexed {
		end(w, fmt.Sprint("q", i), 0)
		if i > 0 {
			decide(w, fmt.Sprint("q", i), judge.Correct)
		}
	}
	if err := w.Finish(store.Interrupted, day(2)); err != nil {
		t.Fatal(err)
	}
	w, _, err = reopen(t, w.Dir()).Resume(day(3), store.Scope{})
	if err != nil {
		t.Fatal(err)
	}
	w.Exchange(store.Exchange{Identity: model.Identity{Agent: "judge:1", Query: "q0", Purpose: model.Judge}})
	w.Event(trace.Event{ID: trace.ID{Agent: "3f2a", Query: "q0"}, Body: trace.Extraction{Configuration: "default"}})
	decide(w, "q0", judge.Incorrect)
	if err := w.Finish(store.Complete, day(4)); err != nil {
		t.Fatal(err)
	}
	return reopen(t, w.Dir())
}

// found is the content of an index for one query.
type found struct {
	Records   []store.Record
	Traces    map[trace.ID][]trace.Event
	Exchanges [][]store.Exchange
}

func read(t *testing.T, r *store.Run, x *store.Index, query string) (f found) {
	t.Helper()
	var err error
	if f.Records, err = x.ReadRecords(r, x.RecordsOf(query)); err != nil {
		t.Fatal(err)
	}
	of := x.Questions(query)
	f.Traces = map[trace.ID][]trace.Event{}
	for _, id := range x.Traces(query) {
		if f.Traces[id], err = x.ReadEvents(r, id); err != nil {
			t.Fatal(err)
		}
		of = append(of, model.Identity{Agent: id.Agent, Query: id.Query, Trace: id.Trace, Purpose: model.Agent})
	}
	for _, id := range of {
		exchanges, err := x.ReadExchanges(r, id)
		if err != nil {
			t.Fatal(err)
		}
		f.Exchanges = append(f.Exchanges, exchanges)
	}
	return f
}

// same compares the content of places.jsonl with that of the files, for some queries and an unknown one.
func same(t *testing.T, what string, r *store.Run, want map[string]found, queries ...string) {
	t.Helper()
	for _, q := range queries {
		x, err := r.IndexOf(t.Context(), q)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if diff := cmp.Diff(want[q], read(t, r, x, q)); diff != "" {
			t.Fatalf("%s: of %s (-want +got):\n%s", what, q, diff)
		}
	}
}

func wanted(t *testing.T, r *store.Run) (want map[string]found, queries []string) {
	t.Helper()
	x := store.NewIndex()
	updated(t, x, r.Dir)
	want = map[string]found{}
	for i := range indexed + 1 {
		q := fmt.Sprint("q", i)
		want[q], queries = read(t, r, x, q), append(queries, q)
	}
	return want, queries
}

// An index gives the same offsets from the files of the run and from its own file, as a whole and for one
// query.
func TestIndexFile(t *testing.T) {
	r := indexedRun(t)
	want, queries := wanted(t, r)
	path, without := filepath.Join(r.Dir, "places.jsonl"), fmt.Sprint(upkeep.Verify(t.Context(), r))
	same(t, "without a file", r, want, queries[0])
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "with a file", r, want, queries...)
	x, err := r.Index(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range queries {
		if diff := cmp.Diff(want[q], read(t, r, x, q)); diff != "" {
			t.Errorf("of the whole index, %s: %s", q, diff)
		}
	}
	fresh := store.NewIndex()
	updated(t, fresh, r.Dir)
	if diff := cmp.Diff(fresh.Records(), x.Records()); diff != "" {
		t.Errorf("records (-read +of the file):\n%s", diff)
	}
	if after, err := os.Stat(path); err != nil || !os.SameFile(before, after) {
		t.Errorf("the index was written anew: %v", err)
	}
	if verified := fmt.Sprint(upkeep.Verify(t.Context(), r)); verified != without {
		t.Errorf("verify: %v, without an index %v", verified, without)
	}
}

// A damaged index is never used, whichever bit is flipped and wherever the file is cut.
func TestDamagedIndexFile(t *testing.T) {
	r := indexedRun(t)
	want, queries := wanted(t, r)
	path := filepath.Join(r.Dir, "places.jsonl")
	same(t, "without a file", r, want, queries[0])
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	damage := func(what string, raw []byte, q string) {
		if err := os.WriteFile(path, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		same(t, what, r, want, q)
	}
	for i := range whole {
		if i%7 > 0 { // only some bytes of each line
			continue
		}
		flipped := bytes.Clone(whole)
		flipped[i] ^= 1 << (i % 8)
		damage(fmt.Sprint("bit flipped in byte ", i), flipped, queries[i%len(queries)])
		if i%3 == 1 {
			damage(fmt.Sprint("cut at ", i), whole[:i], queries[i%len(queries)])
		}
	}
	lines := bytes.SplitAfter(whole, []byte("\n"))
	for i := range lines[:len(lines)-1] {
		without := bytes.Join(append(append([][]byte{}, lines[:i]...), lines[i+1:]...), nil)
		damage(fmt.Sprint("without line ", i+1), without, queries[i%len(queries)])
	}
}

// An index of other files is ignored: of another run, and of a run whose files have changed.
func TestIndexFileOfOtherFiles(t *testing.T) {
	r := indexedRun(t)
	want, queries := wanted(t, r)
	path := filepath.Join(r.Dir, "places.jsonl")
	same(t, "without a file", r, want, queries[0])
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(filepath.Join(r.Dir, "trace.jsonl"), later, later); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "of changed files", r, want, queries[1])
	if after, err := os.ReadFile(path); err != nil || bytes.Equal(before, after) {
		t.Errorf("the index was not written anew: %v", err)
	}
	w, _, err := r.Resume(day(5), store.Scope{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a resumed run keeps the index")
	}
	if err := w.Finish(store.Complete, day(6)); err != nil {
		t.Fatal(err)
	}
}

// A run that was not stopped has its index as soon as it is complete, equal to the one that is made from its files. A run
// in which a line came after the record of its query has none, until it is read. The entries of many queries are sorted
// in a temporary file.
func TestIndexIsWrittenWithTheRun(t *testing.T) {
	for _, test := range []struct {
		queries int
		late    bool
	}{{4, false}, {4, true}, {4001, false}} {
		m := manifest("written")
		m.Configurations = append(m.Configurations, m.Configurations[0])
		m.Configurations[1].Name = "other"
		w, err := store.Create(t.TempDir(), m)
		if err != nil {
			t.Fatal(err)
		}
		for i := range test.queries {
			q := fmt.Sprint("q", 7*i%test.queries) // neither number of queries has the factor 7
			begin(w, q, 0)
			end(w, q, 0)
			w.Exchange(store.Exchange{Identity: model.Identity{Agent: "judge:1", Query: q, Purpose: model.Judge}})
			decide(w, q, judge.Correct)
		}
		for i := range test.queries {
			w.Record(store.Record{Configuration: "other", Query: fmt.Sprint("q", i), Verdict: judge.Verdict{Verdict: judge.Incorrect}})
		}
		if test.late {
			w.Event(trace.Event{ID: trace.ID{Agent: "3f2a", Query: "q2"}, Body: trace.Extraction{Configuration: "default"}})
		}
		if err := w.Finish(store.Complete, day(2)); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(w.Dir(), "places.jsonl")
		written, err := os.ReadFile(path)
		if test.late {
			if !os.IsNotExist(err) {
				t.Fatalf("an index without the last line was written: %v", err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		r := reopen(t, w.Dir())
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Index(t.Context()); err != nil {
			t.Fatal(err)
		}
		if made, err := os.ReadFile(path); err != nil || !bytes.Equal(made, written) {
			t.Errorf("%d queries: made from the files (%v):\n%.9000s\nwritten with the run:\n%.9000s", test.queries, err, made,
				written)
		}
	}
}

// Traces gives the events and exchanges that an index gives.
func TestTraces(t *testing.T) {
	r := indexedRun(t)
	want, queries := wanted(t, r)
	for range 2 { // without places.jsonl, and with it
		traces, err := r.Traces(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range queries {
			for id, events := range want[q].Traces {
				got, err := traces.Events(id)
				if diff := cmp.Diff(events, got); err != nil || diff != "" {
					t.Errorf("%v: %v (-want +got):\n%s", id, err, diff)
				}
				calls, err := traces.Exchanges(model.Identity{Agent: id.Agent, Query: id.Query, Trace: id.Trace, Purpose: model.Agent})
				if err != nil || len(calls) == 0 || !cmp.Equal(calls, want[q].Exchanges[len(want[q].Exchanges)-1]) {
					t.Errorf("%v: %v, %v", id, calls, err)
				}
			}
		}
		if err := traces.Close(); err != nil {
			t.Error(err)
		}
	}
}
