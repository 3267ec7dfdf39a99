package confirm

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// writer is an agent that writes run folders. The traces of the query failing end as infra at
// first.
type writer struct {
	t       *testing.T
	dir     string // of the runs
	m       store.Manifest
	failing string
	log     []string
	stop    bool // leaves the folder unfinished
}

func (w *writer) Begin(_ context.Context, folder string, queries []string, first, traces int) error {
	w.log = append(w.log, fmt.Sprintf("begin %s %v %d+%d", folder[len(folder)-2:], queries, first, traces))
	m := w.m
	m.Run, m.FreshOf, m.Configurations = folder, w.m.Run, slices.Clone(w.m.Configurations)
	m.Configurations[0].First, m.Configurations[0].K = first, traces
	out, err := store.Create(w.dir, m)
	if err != nil {
		return err
	}
	for _, q := range queries {
		outcome, verdict := trace.Answered, judge.Correct
		if q == w.failing {
			outcome, verdict = trace.Infra, judge.Unscored
		}
		w.record(out, q, first, traces, outcome, verdict)
	}
	state := store.Complete
	if w.stop {
		state = store.Interrupted
	}
	return out.Finish(state, time.Now())
}

func (w *writer) record(out *store.Writer, query string, first, traces int, o trace.Outcome, v judge.Ruling) {
	r := store.Record{Configuration: "default", Query: query, Agent: "3f2a"}
	for i := range traces {
		r.Answers = append(r.Answers, store.Answer{Trace: first + i, Outcome: o, Verdict: v})
	}
	out.Record(r)
}

func (w *writer) Finish(_ context.Context, folder *store.Run, retry bool) error {
	w.log = append(w.log, fmt.Sprintf("finish %s %v", folder.Manifest.Run[len(folder.Manifest.Run)-2:], retry))
	if retry {
		return nil // what is lost stays lost here
	}
	out, _, err := folder.Resume(time.Now(), store.Scope{})
	if err != nil {
		return err
	}
	return out.Finish(store.Complete, time.Now())
}

func newFolders(t *testing.T) (*Folders, *writer) {
	c := config.New()
	c.Name, c.K, c.Model = "", 3, "offline:reader"
	m := store.Manifest{Run: "20260301T090000-small-0a0b", Start: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC), Seed: 7, Configurations: []store.Configuration{{Name: "default", Agent: "3f2a", Configuration: c}}}
	w := &writer{t: t, dir: t.TempDir(), m: m}
	return &Folders{Pass: baseline.Pass{Manifest: m, Configuration: m.Configurations[0]}, Dir: filepath.Join(w.dir, m.Run), Agent: w}, w
}

// Traces lie in folders by their numbers, which go on behind the run's own.
func TestFolders(t *testing.T) {
	f, w := newFolders(t)
	ctx := t.Context()
	if s, err := f.State(ctx); err != nil || s.Traces() != 0 {
		t.Fatalf("%+v, %v", s, err)
	}
	w.failing = "b"
	if err := f.Run(ctx, []Batch{{Queries: []string{"a", "b"}, Traces: 3}}); err != nil {
		t.Fatal(err)
	}
	w.stop = true
	if err := f.Run(ctx, []Batch{{Queries: []string{"a"}, First: 3, Traces: 3}}); err != nil {
		t.Fatal(err)
	}
	f.ReadOnly = true
	if s, err := f.State(ctx); err != nil || !s.Stopped {
		t.Errorf("a folder that was stopped: %+v, %v", s, err)
	}
	f.ReadOnly = false
	s, err := f.State(ctx)
	if err != nil {
		t.Fatal(err)
	}
	six := slices.Repeat([]gate.TraceResult{gate.Right}, 6)
	if diff := cmp.Diff(map[string][]gate.TraceResult{"a": six, "b": {gate.Lost, gate.Lost, gate.Lost}}, s.Marks); diff != "" || s.Stopped || len(f.Passes) != 2 {
		t.Errorf("%s, stopped %v, %d folders", diff, s.Stopped, len(f.Passes))
	}
	// Lost traces are run again once.
	if _, err := f.State(ctx); err != nil {
		t.Fatal(err)
	}
	want := []string{"begin sh [a b] 3+3", "begin -2 [a] 6+3", "finish sh true", "finish -2 false"}
	if diff := cmp.Diff(want, w.log); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A folder that is not of this run's fresh traces is refused, with the way out.
func TestFoldersRefuse(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*store.Manifest)
		first  int
		want   string
	}{
		"another run's": {func(m *store.Manifest) { m.Run = "other" }, 3, `it has fresh traces of "other"`},
		"another agent": {func(m *store.Manifest) { m.Configurations[0].Agent = "4e4e" }, 3, "its agent is not the run's"},
		"another seed":  {func(m *store.Manifest) { m.Seed = 8 }, 3, "its seed is 8, and the run's 7"},
		"the run's own": {func(*store.Manifest) {}, 2, "or in the run itself"},
	} {
		f, w := newFolders(t)
		w.m.Configurations = slices.Clone(w.m.Configurations)
		c.change(&w.m)
		if err := w.Begin(t.Context(), f.folder(1), []string{"a"}, c.first, 3); err != nil {
			t.Fatal(err)
		}
		_, err := f.State(t.Context())
		if !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "move it away") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Another model, and copies of the run's replies, are no evidence.
func TestFoldersCompare(t *testing.T) {
	names := []string{"q1", "q2", "q3", "q4", "q5"}
	f, _ := newFolders(t)
	f.Pass.Models, f.Pass.Copies = []string{"m-1"}, baseline.Copies{Long: names}
	other := f.Pass
	other.Models, other.Copies = []string{"m-2"}, baseline.Copies{Long: names, LongOf: 20}
	f.Passes = []baseline.Pass{other}
	var s State
	f.compare(&s)
	if all := strings.Join(s.Invalid, "\n"); len(s.Invalid) != 2 || !strings.Contains(all, "from 2 models (m-1, m-2)") || !strings.Contains(all, "in 5 queries all traces") {
		t.Errorf("%q", s.Invalid)
	}
	f.Passes[0].Deterministic, f.Passes[0].Models = true, []string{"m-1"}
	s = State{}
	if f.compare(&s); len(s.Invalid)+len(s.Warnings) > 0 {
		t.Errorf("of a deterministic model: %+v", s)
	}
}

func (f *Folders) folder(n int) string {
	path, _ := f.path(n)
	return filepath.Base(path)
}
