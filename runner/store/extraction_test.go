package store_test

import (
	"slices"
	"testing"

	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/copying"
	"github.com/seed-5817661a/concur/trace"
)

// kinds returns the events of a trace, by the index and by reading the whole file.
func kinds(t *testing.T, r *store.Run, query string) (byIndex, whole []string) {
	t.Helper()
	name := func(b trace.Body) string {
		switch b := b.(type) {
		case trace.Extraction:
			return "read as " + *b.Answer
		case trace.Conclusion:
			return "end"
		}
		return "thought"
	}
	x := store.NewIndex()
	updated(t, x, r.Dir)
	events, err := x.ReadEvents(r, id(query, 0))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		byIndex = append(byIndex, name(e.Body))
	}
	all, err := collect(r.Events())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		if e.Query == query {
			whole = append(whole, name(e.Body))
		}
	}
	return byIndex, whole
}

// TestExtractionOfALaterSession checks that a trace stays complete if another session reads its message, and
// that the last reading of a configuration counts. A copy of the traces does not contain the readings.
func TestExtractionOfALaterSession(t *testing.T) {
	read := func(w *store.Writer, configuration, answer string) {
		w.Event(trace.Event{ID: id("q1", 0), Body: trace.Extraction{Configuration: configuration, Extract: "model", Answer: &answer}})
	}
	w := create(t, "read")
	begin(w, "q1", 0)
	end(w, "q1", 0)
	read(w, "default", "29 days")
	r := finish(t, w, store.Interrupted)
	w, prior, err := r.Resume(day(3), store.Scope{})
	if err != nil {
		t.Fatal(err)
	}
	if _, ended := prior.Trace(id("q1", 0)); !ended {
		t.Error("the trace is lost")
	}
	read(w, "default", "30 days")
	r = finish(t, w, store.Interrupted)
	byIndex, whole := kinds(t, r, "q1")
	want := []string{"thought", "end", "read as 30 days"}
	if !slices.Equal(byIndex, want) || !slices.Equal(whole, want) {
		t.Errorf("by index %q, in all %q, want %q", byIndex, whole, want)
	}
	if w, prior, err = r.Resume(day(4), store.Scope{}); err != nil {
		t.Fatal(err)
	}
	r = finish(t, w, store.Interrupted)
	if _, ended := prior.Trace(id("q1", 0)); !ended {
		t.Error("the trace is lost once its message was read again")
	}
	m := r.Manifest
	m.Run = "copy"
	copied, err := copying.Traces(r, t.TempDir(), m)
	if err != nil {
		t.Fatal(err)
	}
	if _, whole := kinds(t, copied, "q1"); !slices.Equal(whole, []string{"thought", "end"}) {
		t.Errorf("the copy has %q", whole)
	}
}
