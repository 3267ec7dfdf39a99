package store_test

import (
	"os"
	"testing"

	"github.com/seed-5817661a/concur/runner/store"
)

func TestAWriteErrorStopsTheRun(t *testing.T) {
	w := create(t, "r1")
	w.Record(record("q1"))
	if err := w.Err(); err != nil {
		t.Errorf("error before anything failed: %v", err)
	}
	w.Event(unencodable())
	<-w.Failed()
	wantError(t, w.Err(), "write run folder", "trace.jsonl", "earlier lines are kept")
	for range 10_000 { // more than any buffer can take, but nothing may block now
		w.Record(record("late"))
	}
	wantError(t, w.Finish(store.Complete, day(2)), "write run folder", "trace.jsonl")

	run := reopen(t, w.Dir())
	if run.Manifest.State != store.Failed || run.Manifest.End == nil {
		t.Errorf("state %s, end %v; want failed", run.Manifest.State, run.Manifest.End)
	}
	records, err := collect(run.Records())
	if err != nil || len(records) != 1 || records[0].Query != "q1" {
		t.Errorf("records %v (%v), want the one from before", records, err)
	}
}

// TestAWriteErrorInTheLastMoment checks an error while Finish writes the remaining lines.
func TestAWriteErrorInTheLastMoment(t *testing.T) {
	w := create(t, "r1")
	w.Event(unencodable())
	wantError(t, w.Finish(store.Complete, day(2)), "write run folder")
	if s := reopen(t, w.Dir()).Manifest.State; s != store.Failed {
		t.Errorf("state %s, want failed", s)
	}
}

func TestNothingIsAppendedAfterFinish(t *testing.T) {
	w := create(t, "r1")
	run := finish(t, w, store.Complete)
	for range 1000 { // a late caller must neither block nor crash
		w.Event(thought("q1", 0, 0))
	}
	if got, err := collect(run.Events()); err != nil || len(got) != 0 {
		t.Errorf("%d events after the end, %v", len(got), err)
	}
}

func TestFolderRemovedWhileItIsWritten(t *testing.T) {
	w := create(t, "r1")
	w.Record(record("q1"))
	if err := os.RemoveAll(w.Dir()); err != nil {
		t.Skip("a folder in use cannot be removed here: ", err)
	}
	for range 1000 {
		w.Record(record("q2"))
	}
	wantError(t, w.Finish(store.Complete, day(2)), "write", w.Dir())
}
