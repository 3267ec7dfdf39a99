package store_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/upkeep"
	"github.com/seed-5817661a/concur/trace"
)

// If another program changes the folder of a run during the run, this is detected at the end, even if the
// program computes checksums. An unchanged run is complete.
func TestAFolderThatIsChangedMeanwhile(t *testing.T) {
	write := func(name, text string) func(dir string) error {
		return func(dir string) error { return os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600) }
	}
	for name, c := range map[string]struct {
		change func(dir string) error
		file   string // the file in the error; "" for no error
	}{
		"nothing":           {func(string) error { return nil }, ""},
		"a file of its own": {write("notes.txt", "x"), ""},
		"a line more":       {appendBytes("results.jsonl", "{\"query\":\"q9\"}\n"), "results.jsonl"},
		"a line changed":    {overwriteAt("trace.jsonl", `{"agent":"b"`, len(`{"schema":"concur/trace/v1"}`)+1), "trace.jsonl"},
		"cut":               {func(dir string) error { return os.Truncate(filepath.Join(dir, "chat.jsonl"), 40) }, "chat.jsonl"},
		"replaced": {func(dir string) error {
			path := filepath.Join(dir, "trace.jsonl")
			raw, err := os.ReadFile(path)
			if err == nil {
				err = os.Remove(path)
			}
			if err == nil {
				err = os.WriteFile(path, raw, 0o600)
			}
			return err
		}, "trace.jsonl"},
		"run.yaml":      {appendBytes("run.yaml", "title: x\n"), "run.yaml"},
		"labels":        {write("labels.jsonl", "{\"schema\":\"concur/labels/v1\"}\n"), "labels.jsonl"},
		"a decision":    {write("gate.json", "{}"), "gate.json"},
		"a summary":     {write("summary.json", "{}"), "summary.json"},
		"run.yaml gone": {func(dir string) error { return os.Remove(filepath.Join(dir, "run.yaml")) }, "run.yaml"},
	} {
		t.Run(name, func(t *testing.T) {
			w := create(t, "r1")
			w.Exchange(exchange("q1", 0, 0, 0))
			ended(w, "q1", 0, trace.Final)
			w.Record(decided("q1", trace.Final)) // a record is flushed
			for w.Written(id("q1", 0)) > 0 {     // until the end of the trace is written
			}
			waitForFile(t, filepath.Join(w.Dir(), "results.jsonl"), `"q1"`)
			if err := c.change(w.Dir()); err != nil {
				t.Fatal(err)
			}
			err := w.Finish(store.Complete, day(2))
			if c.file == "" {
				if err != nil || reopen(t, w.Dir()).Manifest.State != store.Complete {
					t.Fatalf("an unchanged run: %v", err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.file) {
				t.Fatalf("error %v, want one with %s", err, c.file)
			}
			if state := reopen(t, w.Dir()).Manifest.State; state != store.Failed {
				t.Errorf("state %s, want failed", state)
			}
		})
	}
}

// waitForFile waits until a file has a text.
func waitForFile(t *testing.T, path, text string) {
	t.Helper()
	for !strings.Contains(string(content(t, path)), text) {
		if t.Context().Err() != nil {
			t.Fatalf("%s never had %s", path, text)
		}
	}
}

// Two records of one query in one session are an error for every reader, also in a run of an older version.
// If they are from different sessions, the later one counts.
func TestASecondRecord(t *testing.T) {
	w := create(t, "r1")
	ended(w, "q1", 0, trace.Final)
	w.Record(decided("q1", trace.Final))
	run := older(t, finish(t, w, store.Complete).Dir)
	edit(t, run.Dir, "results.jsonl", func(s string) string {
		lines := strings.SplitAfter(s, "\n")
		return s + lines[1]
	})
	const want = `has a second record of query "q1" in configuration "default"`
	_, err := collect(run.Records())
	wantError(t, err, want, "concur runs repair")
	_, err = collect(run.Unlabelled())
	wantError(t, err, want)
	wantError(t, store.NewIndex().UpdateRecords(t.Context(), run), want)
	_, err = run.Prior(store.Scope{})
	wantError(t, err, want)
	files, err := upkeep.Repair(t.Context(), run)
	if err != nil || len(files) != 1 || files[0].Dropped != 1 || files[0].Kept != 1 {
		t.Fatalf("repaired %+v, %v", files, err)
	}
	if wrong := upkeep.Verify(t.Context(), run); wrong != nil || run.Manifest.State != store.Complete {
		t.Errorf("state %s, %v", run.Manifest.State, wrong)
	}

	run, err = store.Open(run.Dir)
	if err != nil {
		t.Fatal(err)
	}
	w, _, err = run.Resume(day(3), store.Scope{})
	if err != nil {
		t.Fatal(err)
	}
	w.Record(decided("q1", trace.Final))
	if got, err := collect(finish(t, w, store.Complete).Records()); err != nil || len(got) != 1 {
		t.Errorf("%d records after a later session, %v", len(got), err)
	}
}

// Repair refuses a complete run whose lines were replaced together with their checksums, and does not change
// it.
func TestForgedLines(t *testing.T) {
	w := create(t, "r1")
	ended(w, "q1", 0, trace.Final)
	w.Record(decided("q1", trace.Final))
	run := finish(t, w, store.Complete)
	forged := create(t, "r1") // another run with the same name
	ended(forged, "q1", 0, trace.Final)
	r := decided("q1", trace.Final)
	r.Verdict.Reason = "for"
	forged.Record(r)
	other := finish(t, forged, store.Complete)
	raw := content(t, filepath.Join(other.Dir, "results.jsonl"))
	if err := os.WriteFile(filepath.Join(run.Dir, "results.jsonl"), raw, 0o600); err != nil {
		t.Fatal(err)
	}
	if wrong := upkeep.Verify(t.Context(), run); len(wrong) == 0 {
		t.Error("verify finds nothing")
	}
	if _, err := upkeep.Repair(t.Context(), run); err == nil {
		t.Error("repair finds nothing")
	}
	if after := content(t, filepath.Join(run.Dir, "results.jsonl")); string(after) != string(raw) {
		t.Error("the file was changed")
	}
}
