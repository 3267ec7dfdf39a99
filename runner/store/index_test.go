package store_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// begin writes a trace's first exchange and thought; end writes its conclusion.
func begin(w *store.Writer, query string, n int) {
	id := trace.ID{Agent: "3f2a", Query: query, Trace: n}
	w.Exchange(store.Exchange{
		Identity: model.Identity{Agent: id.Agent, Query: query, Trace: n, Purpose: model.Agent},
		Messages: []model.Message{{Role: model.User, Content: "What is " + query + "?"}}, RequestSettings: &store.RequestSettings{Model: "m"},
	})
	w.Event(trace.Event{ID: id, Body: trace.Thought{Content: fmt.Sprint("thought of ", query, n)}})
}

func end(w *store.Writer, query string, n int) {
	id := trace.ID{Agent: "3f2a", Query: query, Trace: n}
	w.Event(trace.Event{ID: id, Body: trace.Trace{ID: id, Outcome: trace.Answered, StopReason: trace.Final}.Conclusion()})
}

func decide(w *store.Writer, query string, ruling judge.Ruling) {
	w.Record(store.Record{Configuration: "default", Query: query, Agent: "3f2a", Verdict: judge.Verdict{Verdict: ruling}})
}

// updated reads the lines that were appended to a run's files.
func updated(t *testing.T, x *store.Index, dir string) *store.Run {
	t.Helper()
	r := reopen(t, dir)
	if err := x.UpdateRecords(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if err := x.UpdateTraces(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	return r
}

// thoughts returns the thoughts of a trace, and the questions that were sent.
func thoughts(t *testing.T, x *store.Index, r *store.Run, query string, n int) []string {
	t.Helper()
	events, err := x.ReadEvents(r, trace.ID{Agent: "3f2a", Query: query, Trace: n})
	if err != nil {
		t.Fatal(err)
	}
	exchanges, err := x.ReadExchanges(r, model.Identity{Agent: "3f2a", Query: query, Trace: n, Purpose: model.Agent})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range events {
		if thought, is := e.Body.(trace.Thought); is {
			out = append(out, thought.Content)
		}
	}
	for _, e := range exchanges {
		out = append(out, e.Messages[0].Content+" to "+e.RequestSettings.Model)
	}
	return out
}

// An index that follows a run forgets traces that need not be read, with the questions about them, and no others. Lines
// that are appended later are found.
func TestForget(t *testing.T) {
	w := create(t, "forgets")
	of := model.Identity{Agent: "judge:1", Query: "q1", Purpose: model.Judge}
	for _, query := range []string{"q1", "q2"} {
		begin(w, query, 0)
		begin(w, query, 1)
		of.Query = query
		w.Exchange(store.Exchange{Identity: of, RequestSettings: &store.RequestSettings{Model: "m"}})
	}
	decide(w, "q2", judge.Correct)
	waitFor(t, filepath.Join(w.Dir(), "results.jsonl"), `"q2"`)
	x := store.NewIndex()
	r := updated(t, x, w.Dir())
	x.Forget(trace.ID{Agent: "3f2a", Query: "q1"}, trace.ID{Agent: "3f2a", Query: "unknown"})
	if got := thoughts(t, x, r, "q1", 0); len(got) > 0 || len(x.Questions("q1")) > 0 {
		t.Errorf("of q1, the index still has %q and %v", got, x.Questions("q1"))
	}
	in, err := x.Open(r)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	events, err := in.Events(trace.ID{Agent: "3f2a", Query: "q1", Trace: 1})
	if err != nil || len(events) != 1 {
		t.Errorf("trace 1 of q1 has %d events, %v", len(events), err)
	}
	if asked, err := in.Questions("q2"); err != nil || !cmp.Equal(asked, []model.Identity{of}) {
		t.Errorf("of q2, judges were asked %v, %v", asked, err)
	}
	if got := thoughts(t, x, r, "q2", 0); len(got) != 2 {
		t.Errorf("q2 is read as %q", got)
	}
	of.Query = "q1"
	begin(w, "q1", 2)
	w.Exchange(store.Exchange{Identity: of, RequestSettings: &store.RequestSettings{Model: "m"}})
	finish(t, w, store.Complete)
	r = updated(t, x, w.Dir())
	if got := thoughts(t, x, r, "q1", 2); len(got) != 2 || !cmp.Equal(x.Questions("q1"), []model.Identity{of}) {
		t.Errorf("what was added to q1 is read as %q and %v", got, x.Questions("q1"))
	}
}

func TestIndexOfARunThatGrows(t *testing.T) {
	w := create(t, "grows")
	begin(w, "q1", 0)
	begin(w, "q2", 0)
	end(w, "q1", 0)
	decide(w, "q1", judge.Correct)
	waitFor(t, filepath.Join(w.Dir(), "results.jsonl"), `"q1"`)
	x := store.NewIndex()
	updated(t, x, w.Dir())
	if diff := cmp.Diff(map[trace.Outcome]int{trace.Answered: 1, "": 1}, x.Outcomes()); diff != "" {
		t.Errorf("outcomes: %s", diff)
	}

	end(w, "q2", 0)
	decide(w, "q2", judge.Incorrect)
	finish(t, w, store.Complete)
	r := updated(t, x, w.Dir())
	if diff := cmp.Diff(map[trace.Outcome]int{trace.Answered: 2}, x.Outcomes()); diff != "" {
		t.Errorf("outcomes: %s", diff)
	}
	if diff := cmp.Diff([]string{"thought of q20", "What is q2? to m"}, thoughts(t, x, r, "q2", 0)); diff != "" {
		t.Error(diff)
	}
	records, err := x.ReadRecords(r, x.RecordsOf("q2"))
	if err != nil || len(records) != 1 || records[0].Verdict.Verdict != judge.Incorrect {
		t.Errorf("the record of q2 is read as %v, %v", records, err)
	}
	if got := x.Traces("q1"); len(got) != 1 || got[0].Trace != 0 {
		t.Errorf("traces of q1: %v", got)
	}
	if none, err := x.ReadEvents(r, trace.ID{Query: "q3"}); len(none) != 0 || err != nil {
		t.Errorf("a trace that the run has not is read as %v, %v", none, err)
	}
}

// waitFor waits until the writer has written a text into a file.
func waitFor(t *testing.T, path, text string) {
	t.Helper()
	for {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(raw), text) {
			return
		}
		if t.Context().Err() != nil {
			t.Fatalf("%s never has %s", path, text)
		}
		time.Sleep(time.Millisecond)
	}
}

// If a trace was run again in a later session, only that session's lines count.
func TestIndexOfAResumedRun(t *testing.T) {
	w := create(t, "resumed")
	begin(w, "q1", 0)
	decide(w, "q1", judge.Unscored)
	r := finish(t, w, store.Interrupted)
	w, _, err := r.Resume(day(3), store.Scope{})
	if err != nil {
		t.Fatal(err)
	}
	begin(w, "q1", 0)
	end(w, "q1", 0)
	decide(w, "q1", judge.Correct)
	r = finish(t, w, store.Complete)
	x := store.NewIndex()
	updated(t, x, r.Dir)
	if diff := cmp.Diff([]string{"thought of q10", "What is q1? to m"}, thoughts(t, x, r, "q1", 0)); diff != "" {
		t.Error(diff)
	}
	if all := x.Records(); len(all) != 1 || all[0].Verdict != judge.Correct {
		t.Errorf("records: %v", all)
	}
}

// If a file is cut while an index is open, it is read again from its start.
func TestIndexOfACutFile(t *testing.T) {
	w := create(t, "cut")
	begin(w, "q1", 0)
	end(w, "q1", 0)
	begin(w, "q2", 0)
	r := finish(t, w, store.Interrupted)
	x := store.NewIndex()
	updated(t, x, r.Dir)
	path := filepath.Join(r.Dir, "trace.jsonl")
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, raw[:strings.LastIndex(string(raw), "{")], 0o600); err != nil {
		t.Fatal(err)
	}
	updated(t, x, r.Dir)
	if left := x.Traces("q2"); len(left) > 0 {
		t.Errorf("the index still has %v", left)
	}
	if err := os.RemoveAll(r.Dir); err != nil {
		t.Fatal(err)
	}
	if err := x.UpdateTraces(t.Context(), r); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("of a folder that was deleted: %v", err)
	}
}
