package copying_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/copying"
	"github.com/seed-5817661a/concur/runner/store/runlist"
	"github.com/seed-5817661a/concur/runner/store/upkeep"
	"github.com/seed-5817661a/concur/trace"
)

// parts returns two runs of one query each; the second one has a label, a playbook and two sessions.
func parts(t *testing.T) []*store.Run {
	t.Helper()
	var out []*store.Run
	for i, query := range []string{"q1", "q2"} {
		w := create(t, fmt.Sprint("part", i))
		for step := range 3 {
			w.Exchange(exchange(query, 0, step, 0.5))
			w.Event(thought(query, 0, step))
		}
		w.Event(trace.Event{ID: id(query, 0), Time: day(1), Body: trace.Conclusion{}})
		if i == 1 {
			run := finish(t, w, store.Interrupted)
			var err error
			if w, _, err = run.Resume(day(2), store.Scope{}); err != nil {
				t.Fatal(err)
			}
			w.Event(thought(query, 1, 0))
		}
		fmt.Fprintln(w.Log(), "log of", query)
		rec := record(query)
		rec.Agent, rec.Answers = "3f2a", []store.Answer{{Trace: 0}}
		w.Record(rec)
		run := finish(t, w, store.Complete)
		label := store.Label{Configuration: "default", Query: query, Verdict: judge.Correct, Author: "a"}
		if err := run.AddLabel(t.Context(), label); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(run.Dir, "playbook-0123.yaml"), []byte("bullets: []\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		out = append(out, run)
	}
	return out
}

func all(copying.Line) (bool, error) { return true, nil }

func joinedManifest(parts []*store.Run, state store.State) store.Manifest {
	m := manifest("whole")
	m.State, m.Resumed, m.End = state, parts[1].Manifest.Resumed, parts[1].Manifest.End
	return m
}

func TestJoin(t *testing.T) {
	from := parts(t)
	var seen []string
	joined, err := copying.Join(store.Options{}, filepath.Join(t.TempDir(), "runs", "whole"), joinedManifest(from, store.Complete), from,
		func(l copying.Line) (bool, error) {
			seen = append(seen, fmt.Sprint(l.Part, l.Query, l.Configuration))
			return true, nil
		})
	if err != nil {
		t.Fatal(err)
	}
	if wrong := upkeep.Verify(t.Context(), joined); len(wrong) > 0 {
		t.Error(errors.Join(wrong...))
	}
	if want := []string{"0q1", "0q1default", "1q2", "1q2default"}; !slices.Equal(slices.Compact(seen), want) {
		t.Errorf("lines were given as %v", slices.Compact(seen))
	}
	for what, of := range map[string]func(*store.Run) (any, error){
		"records":   func(r *store.Run) (any, error) { return collect(r.Records()) },
		"events":    func(r *store.Run) (any, error) { return collect(r.Events()) },
		"exchanges": func(r *store.Run) (any, error) { return collect(r.Exchanges()) },
		"labels":    func(r *store.Run) (any, error) { return r.Labels() },
	} {
		var want []string
		for _, r := range append(slices.Clone(from), joined) {
			v, err := of(r)
			if err != nil {
				t.Fatalf("%s of %s: %v", what, r.Dir, err)
			}
			want = append(want, strings.Trim(fmt.Sprintf("%+v", v), "[]"))
		}
		if strings.Count(want[2], "Query:") != strings.Count(want[0]+want[1], "Query:") {
			t.Errorf("%s:\n%s\nare not\n%s\n%s", what, want[2], want[0], want[1])
		}
	}
	for name, want := range map[string]string{"run.log": "log of q1\nlog of q2\n", "playbook-0123.yaml": "bullets: []\n"} {
		if raw, err := os.ReadFile(filepath.Join(joined.Dir, name)); err != nil || string(raw) != want {
			t.Errorf("%s: %q, %v", name, raw, err)
		}
	}
}

func TestJoinLeavesLinesOut(t *testing.T) {
	from := parts(t)
	joined, err := copying.Join(store.Options{}, filepath.Join(t.TempDir(), "whole"), joinedManifest(from, store.Interrupted), from,
		func(l copying.Line) (bool, error) { return l.Query == "q2", nil })
	if err != nil {
		t.Fatal(err)
	}
	if got, err := collect(joined.Unlabelled()); err != nil || len(got) != 1 || got[0].Query != "q2" {
		t.Errorf("%v, %v", got, err)
	}
	if wrong := upkeep.Verify(t.Context(), joined); len(wrong) > 0 {
		t.Error(errors.Join(wrong...))
	}
}

// If a process dies while it joins runs, either the complete run exists or none. A later attempt succeeds.
func TestKilledWhileJoining(t *testing.T) {
	from := parts(t)
	for at := 0; ; at++ {
		runs := t.TempDir()
		dir, n := filepath.Join(runs, "whole"), 0
		o := store.Options{Buffer: 16, Fault: func(string) error {
			if n++; n <= at {
				return nil
			}
			return errors.New("killed")
		}}
		_, err := copying.Join(o, dir, joinedManifest(from, store.Complete), from, all)
		found, damaged, listErr := runlist.List(runs)
		if listErr != nil || len(damaged) > 0 {
			t.Fatalf("killed before change %d: %v, %v", at, damaged, listErr)
		}
		if err == nil {
			if at < 20 || len(found) != 1 {
				t.Errorf("%d changes, %d runs", at, len(found))
			}
			return
		}
		for _, r := range found {
			if wrong := upkeep.Verify(t.Context(), r); len(wrong) > 0 || r.Dir != dir {
				t.Errorf("killed before change %d: %s: %v", at, r.Dir, errors.Join(wrong...))
			}
		}
		if len(found) > 0 {
			continue
		}
		if _, err := copying.Join(store.Options{}, dir, joinedManifest(from, store.Complete), from, all); err != nil {
			t.Fatalf("after a kill before change %d: %v", at, err)
		}
		if left, _ := os.ReadDir(runs); len(left) != 1 {
			t.Errorf("killed before change %d: left behind: %v", at, left)
		}
	}
}

func TestJoinRefuses(t *testing.T) {
	from := parts(t)
	dir := filepath.Join(t.TempDir(), "whole")
	_, err := copying.Join(store.Options{}, dir, joinedManifest(from, store.Complete), from,
		func(l copying.Line) (bool, error) { return true, errors.New("not this query") })
	wantError(t, err, "chat.jsonl:2", "not this query")

	w, _, err := from[1].Resume(day(3), store.Scope{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = copying.Join(store.Options{}, dir, joinedManifest(from, store.Complete), from, all)
	wantError(t, err, from[1].Dir, "another process is writing it")
	finish(t, w, store.Complete)

	edit(t, from[0].Dir, "trace.jsonl", func(s string) string { return strings.Replace(s, "q1", "q3", 1) })
	_, err = copying.Join(store.Options{}, dir, joinedManifest(from, store.Complete), from, all)
	wantError(t, err, filepath.Join(from[0].Dir, "trace.jsonl:2"))
	if left, err := os.ReadDir(filepath.Dir(dir)); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
