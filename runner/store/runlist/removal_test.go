package runlist_test

import (
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/runlist"
)

// TestRemovalOfFreshTraces checks that fresh traces are removed only together with the run whose decision
// depends on them.
func TestRemovalOfFreshTraces(t *testing.T) {
	folder, start := t.TempDir(), time.Unix(0, 0)
	for name, of := range map[string]string{"run": "", "run-fresh": "run", "other-fresh": "gone"} {
		w, err := store.Create(folder, store.Manifest{Run: name, FreshOf: of, Start: start})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Finish(store.Complete, start); err != nil {
			t.Fatal(err)
		}
	}
	none, run := func(string) bool { return false }, func(name string) bool { return name == "run" }
	for _, c := range []struct {
		names []string
		keep  func(string) bool
		want  int
		err   string
	}{
		{[]string{"run-fresh"}, none, 0, "the gate's decision on run depends on its traces"},
		{[]string{"run-fresh", "run"}, none, 2, ""},
		{[]string{"other-fresh"}, none, 1, ""},
		{nil, none, 3, ""},
		{nil, run, 1, ""}, // by age; the runs of the baseline and their fresh traces are kept
	} {
		runs, err := runlist.Removal{Names: c.names, Keep: c.keep, KeptBy: "baseline.jsonl"}.Runs(folder, start.Add(time.Hour))
		if len(runs) != c.want || c.err == "" && err != nil || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("%v: %d runs, %v", c.names, len(runs), err)
		}
	}
}
