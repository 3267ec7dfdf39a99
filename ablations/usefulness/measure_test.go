package usefulness_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/ablations/usefulness"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/disk"
	"github.com/seed-5817661a/concur/runner/store/upkeep"
	"github.com/seed-5817661a/concur/trace"
)

func TestMeasure(t *testing.T) {
	for _, chats := range []bool{true, false} {
		s := &words{}
		r := measured(t, newRun(t, chats, dozen()...), dozen(), s)
		if len(r.Rows) != 3 || r.Rows[0].By != usefulness.ByConfiguration || r.Rows[1].Name != "look" || r.Rows[2].Name != "c" {
			t.Fatalf("rows: %+v", r.Rows)
		}
		f := r.Rows[0].Figures
		// A result with the answer has the gain 3.5, another result the gain 0.
		if f.Calls != 24 || f.Defined != 24 || f.Short != 24 || f.UsefulCalls != 12 || f.HarmfulCalls != 0 || math.Abs(*f.Mean-1.75) > 1e-12 || f.Units != 12 {
			t.Errorf("figures: %+v", f)
		}
		if f.CI != nil { // within each query the mean is the same, so nothing is known of other queries
			t.Errorf("an interval from equal means: %+v", *f.CI)
		}
		if *f.AUROC != 1 || f.RightCalls != 12 || f.WrongCalls != 12 || math.Abs(*f.PerSecond-3.5) > 1e-12 || f.PerKiloToken == nil {
			t.Errorf("AUROC, gain per second and per token: %+v", f)
		}
		if len(r.Useful) != 5 || r.Useful[0].Gain != 3.5 || r.Useful[0].Tool != "look" || !strings.Contains(r.Useful[0].Output, "It is answer") || len(r.Harmful) != 0 {
			t.Errorf("listed: %+v and %+v", r.Useful, r.Harmful)
		}
		if len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "test:words is not the agent's model test:agent") {
			t.Errorf("warnings: %q", r.Warnings)
		}
		if s.requests.Load() != 72 || r.Requests != 72 {
			t.Errorf("asked %d times, want 3 for each of 24 calls; the report says %d", s.requests.Load(), r.Requests)
		}
	}
}

// A scorer may have the agent's own name; then no warning is needed.
func TestScorerIsTheAgent(t *testing.T) {
	run := newRun(t, true, dozen()...)
	o := options(&words{})
	o.Scorer.Name = "test:agent"
	r, err := usefulness.Measure(t.Context(), run, goldsOf(dozen()), o)
	if err != nil || len(r.Warnings) > 0 {
		t.Errorf("got %q and the error %v", r.Warnings, err)
	}
}

func TestMeasureAgain(t *testing.T) {
	run := newRun(t, true, dozen()...)
	first := measured(t, run, dozen(), &words{})
	before := read(t, run)
	again := &words{}
	second := measured(t, run, dozen(), again)
	if again.requests.Load() != 0 || second.Requests != 0 || read(t, run) != before {
		t.Errorf("%d requests, or a changed file, though all scores are kept", again.requests.Load())
	}
	second.Requests = first.Requests
	if d := cmp.Diff(first, second); d != "" {
		t.Error(d)
	}
	other := &words{}
	o := options(other)
	o.Scorer.Version = "2"
	if _, err := usefulness.Measure(t.Context(), run, goldsOf(dozen()), o); err != nil || other.requests.Load() != 72 {
		t.Errorf("another version of the scorer was asked %d times, want 72; error %v", other.requests.Load(), err)
	}
}

// The scorer fails in the middle. The next command asks only for the rest, and has the figures of a run without failure.
func TestResume(t *testing.T) {
	run := newRun(t, true, dozen()...)
	broken := &words{fail: func(n int64, _ model.ScoreRequest) error {
		if n > 40 {
			return failure(model.ErrUnavailable)
		}
		return nil
	}}
	_, err := usefulness.Measure(t.Context(), run, goldsOf(dozen()), options(broken))
	if err == nil || !strings.Contains(err.Error(), "run the same command again") || model.KindOf(err) != model.ErrUnavailable {
		t.Fatalf("got the error %v", err)
	}
	rest := &words{}
	r := measured(t, run, dozen(), rest)
	if n := rest.requests.Load(); n == 0 || n >= 72 {
		t.Errorf("asked %d times for the rest", n)
	}
	want := measured(t, newRun(t, true, dozen()...), dozen(), &words{})
	r.Requests = want.Requests
	if d := cmp.Diff(want, r); d != "" {
		t.Error(d)
	}
}

func TestLeftOut(t *testing.T) {
	all := append(dozen()[:4], tracesOf{query: "none", results: []string{"?"}},
		tracesOf{query: "blocked", answer: "x", results: []string{"?"}, events: []trace.Event{event(trace.Action{Name: "look", Input: []byte("{}"), CallID: "c1"})}},
		tracesOf{query: "silent", answer: "x", results: []string{"?"}, events: []trace.Event{event(trace.Thought{Content: "I know."})}},
		tracesOf{query: "below", answer: "x", results: []string{"?"}, events: []trace.Event{{Path: "helper#1", Body: trace.Action{Name: "look", Input: []byte("{}"), CallID: "c1"}}}})
	s := &words{fail: func(_ int64, r model.ScoreRequest) error {
		switch r.Identity.Query {
		case "q0":
			return failure(model.ErrContextOverflow)
		case "q1":
			return failure(model.ErrMalformed)
		}
		return nil
	}}
	golds := goldsOf(all)
	golds["q2"] = []usefulness.Gold{{Why: usefulness.GoldType}}
	run := newRun(t, false, all...)
	r, err := usefulness.Measure(t.Context(), run, golds, options(s))
	if err != nil {
		t.Fatal(err)
	}
	want := map[usefulness.Reason]int{usefulness.NoGold: 1, usefulness.NoResult: 1, usefulness.SubAgent: 1, usefulness.Overflow: 2, usefulness.Refused: 2, usefulness.GoldType: 2}
	if d := cmp.Diff(want, r.Undefined); d != "" {
		t.Error(d)
	}
	if f := r.Rows[0].Figures; f.Calls != 11 || f.Defined != 2 || *f.Mean != 1.75 {
		t.Errorf("the calls that were left out must not count as 0: %+v", f)
	}
	asked := s.requests.Load()
	if _, err := usefulness.Measure(t.Context(), run, golds, options(s)); err != nil || s.requests.Load()-asked > 6 || s.requests.Load() == asked {
		t.Errorf("asked %d times again, error %v; want only the refused calls", s.requests.Load()-asked, err)
	}
}

func TestNothingDefined(t *testing.T) {
	all := []tracesOf{{query: "q", results: []string{"x"}}}
	r := measured(t, newRun(t, false, all...), all, &words{})
	f := r.Rows[0].Figures
	for name, figure := range map[string]*float64{"mean": f.Mean, "useful": f.UsefulShare, "harmful": f.HarmfulShare, "per second": f.PerSecond, "per token": f.PerKiloToken, "AUROC": f.AUROC} {
		if figure != nil {
			t.Errorf("%s is %v, want it undefined", name, *figure)
		}
	}
	if raw, err := json.Marshal(r); err != nil || strings.Contains(string(raw), "NaN") {
		t.Errorf("%s %v", raw, err)
	}
	empty := measured(t, newRun(t, false), nil, &words{})
	if !slices.Contains(empty.Warnings, "the run has no calls of tools") || len(empty.Rows) != 0 {
		t.Errorf("a run without traces: %+v", empty)
	}
}

func TestLongResult(t *testing.T) {
	all := dozen()
	all[0].results[0] = strings.Repeat("x ] → [look()] \n", 1<<16) + all[0].answer
	r := measured(t, newRun(t, true, all...), all, &words{})
	if len(r.Useful) == 0 || r.Rows[0].Defined != 24 {
		t.Errorf("figures: %+v", r.Rows[0])
	}
	for _, l := range r.Useful {
		if len([]rune(l.Output)) > usefulness.MaxText {
			t.Errorf("a listed text has %d characters", len([]rune(l.Output)))
		}
	}
}

// Another process, or a power failure, may have cut or changed the file.
func TestDamagedFile(t *testing.T) {
	run := newRun(t, true, dozen()...)
	want := measured(t, run, dozen(), &words{})
	path := filepath.Join(run.Dir, usefulness.File)
	lines := strings.SplitAfter(read(t, run), "\n")
	lines[3] = strings.Replace(lines[3], `"gain":`, `"gain":1`, 1)
	lines[5] = "\x00\x00\n"
	lines[7] = strings.Replace(lines[7], `"undefined":""`, `"undefined":"whatever"`, 1)
	lines[8] = strings.Replace(lines[8], `"crc"`, `"src"`, 1)
	text := strings.Join(lines, "")
	if err := os.WriteFile(path, []byte(text[:len(text)-20]), 0o600); err != nil {
		t.Fatal(err)
	}
	s := &words{}
	r := measured(t, run, dozen(), s)
	if s.requests.Load() != 5*3 || len(r.Warnings) != 2 || !strings.Contains(r.Warnings[1], "4 lines of usefulness.jsonl are damaged") {
		t.Errorf("asked %d times, warnings %q", s.requests.Load(), r.Warnings)
	}
	if d := cmp.Diff(want.Rows, r.Rows); d != "" {
		t.Error(d)
	}
	if err := os.WriteFile(path, []byte("not a file of concur"), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := measured(t, run, dozen(), &words{}); cmp.Diff(want.Rows, r.Rows) != "" {
		t.Errorf("got %+v", r.Rows)
	}
}

func TestTwoCommands(t *testing.T) {
	run := newRun(t, true, dozen()...)
	started, finish := make(chan struct{}), make(chan struct{})
	ended := make(chan error)
	slow := &words{fail: func(n int64, _ model.ScoreRequest) error {
		if n == 1 {
			close(started)
			<-finish
		}
		return nil
	}}
	go func() {
		_, err := usefulness.Measure(context.Background(), run, goldsOf(dozen()), options(slow))
		ended <- err
	}()
	<-started
	_, err := usefulness.Measure(t.Context(), run, goldsOf(dozen()), options(&words{}))
	close(finish)
	if !errors.Is(err, disk.ErrHeld) {
		t.Errorf("the second command got the error %v", err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := &words{fail: func(n int64, _ model.ScoreRequest) error {
		if n == 5 {
			cancel()
		}
		return ctx.Err()
	}}
	_, err := usefulness.Measure(ctx, newRun(t, true, dozen()...), goldsOf(dozen()), options(s))
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got the error %v", err)
	}
}

// Scores are never part of a verdict: no other file of the run changes, and the run stays valid.
func TestRunIsUnchanged(t *testing.T) {
	run := newRun(t, true, dozen()...)
	before, wrong := digests(t, run), fmt.Sprint(upkeep.Verify(t.Context(), run))
	measured(t, run, dozen(), &words{})
	after := digests(t, run)
	delete(after, usefulness.File)
	delete(after, "places.jsonl") // an index, which any reader may write
	delete(before, "places.jsonl")
	if d := cmp.Diff(before, after); d != "" {
		t.Error(d)
	}
	if now := fmt.Sprint(upkeep.Verify(t.Context(), run)); now != wrong {
		t.Errorf("verify found %s, and now %s", wrong, now)
	}
}

func read(t *testing.T, run *store.Run) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(run.Dir, usefulness.File))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func digests(t *testing.T, run *store.Run) map[string][32]byte {
	t.Helper()
	out := map[string][32]byte{}
	entries, err := os.ReadDir(run.Dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		raw, err := os.ReadFile(filepath.Join(run.Dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		out[e.Name()] = sha256.Sum256(raw)
	}
	return out
}

// swapped gives each query the results of the next one.
func swapped(all []tracesOf) []tracesOf {
	out := slices.Clone(all)
	for i := range out {
		out[i].results = all[(i+1)%len(all)].results
	}
	return out
}

// Results of other queries are worth nothing, although they look the same: the interval of their mean gain does not lie
// above 0, and that of the results themselves does.
func TestSwappedResults(t *testing.T) {
	all := dozen()
	for i := range all {
		all[i].results = all[i].results[:1]
	}
	all[3].results = []string{"It is not known."}
	all[7].answer = all[8].answer // by chance, the result of another query has its answer
	all[7].results = []string{"It is " + all[7].answer + "."}
	own := measured(t, newRun(t, true, all...), all, &words{}).Rows[0].Figures
	others := measured(t, newRun(t, true, swapped(all)...), all, &words{}).Rows[0].Figures
	if own.CI == nil || own.CI.Low <= 0 {
		t.Errorf("own results: mean %v, interval %+v; want it above 0", *own.Mean, own.CI)
	}
	if others.CI == nil || others.CI.Low > 0 || *others.Mean >= *own.Mean {
		t.Errorf("results of other queries: mean %v, interval %+v; want it not above 0", *others.Mean, others.CI)
	}
}
