package upkeep_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/runfiles"
	"github.com/seed-5817661a/concur/runner/store/upkeep"
	"github.com/seed-5817661a/concur/trace"
)

// writeRun writes a complete run with a trace and a record for each query.
func writeRun(dir string, queries ...string) (*store.Run, error) {
	c := store.Configuration{Name: "default", Agent: "a"}
	c.K = 1
	w, err := store.Create(dir, store.Manifest{Run: "r1", Start: time.Unix(0, 0), Configurations: []store.Configuration{c}})
	if err != nil {
		return nil, err
	}
	for _, query := range queries {
		w.Event(trace.Event{ID: trace.ID{Agent: "a", Query: query}, Body: trace.Conclusion{Outcome: trace.Answered,
			StopReason: trace.Final}})
		w.Record(store.Record{Configuration: "default", Query: query, Agent: "a", Answers: []store.Answer{{Trace: 0}}})
	}
	if err := w.Finish(store.Complete, time.Unix(60, 0)); err != nil {
		return nil, err
	}
	return store.Open(w.Dir())
}

// edit changes the records of a run.
func edit(run *store.Run, change func([]byte) []byte) error {
	path := filepath.Join(run.Dir, runfiles.Results.Name())
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return os.WriteFile(path, change(raw), 0o600)
}

// What is damaged is found and dropped; what is not is kept, and the run can be resumed.
func TestRepairedRunHasNoDamage(t *testing.T) {
	lines := func(of []byte) [][]byte { return bytes.SplitAfter(of, []byte("\n")) }
	for name, c := range map[string]struct {
		change               func([]byte) []byte
		kept, moved, dropped int
		complete             bool
	}{
		"a changed byte": {change: func(raw []byte) []byte { return bytes.Replace(raw, []byte("peru"), []byte("Peru"), 1) },
			kept: 2, dropped: 1},
		"lines in another order": {change: func(raw []byte) []byte {
			l := lines(raw)
			return bytes.Join([][]byte{l[0], l[3], l[2], l[1]}, nil)
		}, kept: 3, moved: 2, complete: true},
		"a line twice": {change: func(raw []byte) []byte {
			l := lines(raw)
			return bytes.Join([][]byte{l[0], l[1], l[1], l[2], l[3]}, nil)
		}, kept: 3, dropped: 1, complete: true},
		"a missing line": {change: func(raw []byte) []byte {
			l := lines(raw)
			return bytes.Join([][]byte{l[0], l[1], l[3]}, nil)
		}, kept: 2},
		"a torn line": {change: func(raw []byte) []byte { return raw[:len(raw)-20] }, kept: 2, dropped: 1},
	} {
		t.Run(name, func(t *testing.T) {
			run, err := writeRun(t.TempDir(), "france", "peru", "chad")
			if err != nil {
				t.Fatal(err)
			}
			if wrong := upkeep.Verify(t.Context(), run); len(wrong) > 0 {
				t.Fatalf("an undamaged run: %v", wrong)
			}
			if done, err := upkeep.Repair(t.Context(), run); err != nil || len(done) > 0 {
				t.Fatalf("an undamaged run was repaired: %+v, %v", done, err)
			}
			if err := edit(run, c.change); err != nil {
				t.Fatal(err)
			}
			if wrong := upkeep.Verify(t.Context(), run); len(wrong) == 0 ||
				!strings.Contains(fmt.Sprint(wrong), "concur runs repair") {
				t.Errorf("Verify finds %v", wrong)
			}
			if _, err := upkeep.Compress(store.Options{}, run); err != nil {
				t.Errorf("the records are not compressed, and: %v", err)
			}
			done, err := upkeep.Repair(t.Context(), run)
			if err != nil || len(done) != 1 {
				t.Fatalf("repaired %+v, %v", done, err)
			}
			if d := done[0]; d.File != "results.jsonl" || d.Kept != c.kept || d.Moved != c.moved || d.Dropped != c.dropped ||
				len(d.Backups) != 1 {
				t.Errorf("repaired %+v, want %+v", d, c)
			}
			if complete := run.Manifest.State == store.Complete; complete != c.complete {
				t.Errorf("the state is %s", run.Manifest.State)
			}
			if wrong := upkeep.Verify(t.Context(), run); len(wrong) > 0 {
				t.Errorf("after the repair: %v", wrong)
			}
		})
	}
}

func ExampleVerify() {
	dir, err := os.MkdirTemp("", "runs")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	run, err := writeRun(dir, "france")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(upkeep.Verify(context.Background(), run)), "problems")
	// Output: 0 problems
}
