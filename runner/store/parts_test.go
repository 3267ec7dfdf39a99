package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/disk"
	stored "github.com/seed-5817661a/concur/runner/store/parts"
	"github.com/seed-5817661a/concur/runner/store/upkeep"
	"github.com/seed-5817661a/concur/trace"
)

const (
	smallPart = 4000 // in bytes
	queries   = 30
)

var partTime = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// writeQueries writes two exchanges, three events and a record for each query.
func writeQueries(w *store.Writer, from, to int) {
	for i := from; i < to; i++ {
		id := trace.ID{Agent: "a", Query: fmt.Sprintf("q%03d", i)}
		settings := &store.RequestSettings{Model: "m"}
		for step := range 2 {
			w.Exchange(store.Exchange{Identity: model.Identity{Agent: id.Agent, Query: id.Query, Step: step,
				Purpose: model.Agent}, Time: partTime, RequestSettings: settings,
				Messages: []model.Message{{Role: model.User, Content: strings.Repeat("x", i%50)}}})
			w.Event(trace.Event{ID: id, Time: partTime, Body: trace.Thought{Content: strings.Repeat("y", i%70)}})
		}
		w.Event(trace.Event{ID: id, Time: partTime, Body: trace.Conclusion{Outcome: trace.Answered, StopReason: trace.Final,
			Timing: trace.Timing{CallsSent: 2}}})
		w.Record(store.Record{Configuration: "c", Query: id.Query, Agent: "a", Answers: []store.Answer{{Trace: 0}}})
	}
}

func partsManifest(queries int) store.Manifest {
	c := store.Configuration{Name: "c", Agent: "a"}
	c.K = 1
	return store.Manifest{Run: "run-1", Start: partTime, Configurations: []store.Configuration{c},
		Dataset: store.Dataset{Queries: queries}}
}

// partedRun returns a complete run whose files have parts.
func partedRun(t *testing.T, o store.Options) *store.Run {
	t.Helper()
	w, err := o.Create(t.TempDir(), partsManifest(queries))
	if err != nil {
		t.Fatal(err)
	}
	writeQueries(w, 0, queries)
	if err := w.Finish(store.Complete, partTime.Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	return runIn(t, w.Dir())
}

func runIn(t *testing.T, dir string) *store.Run {
	t.Helper()
	run, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// contents returns all events, exchanges and records as text.
func contents(t *testing.T, run *store.Run) (out []string) {
	t.Helper()
	for e, err := range run.Events() {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, fmt.Sprintf("%s %s %+v", e.Query, e.Name(), e.Body))
	}
	for x, err := range run.Exchanges() {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, fmt.Sprintf("%s %d %v", x.Query, x.Step, x.Messages))
	}
	for r, err := range run.Records() {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, r.Query)
	}
	return out
}

// For every reader, a run with parts is equal to the same run without parts.
func TestParts(t *testing.T) {
	plain, run := partedRun(t, store.Options{}), partedRun(t, store.Options{Part: smallPart})
	for _, name := range []string{"chat.jsonl", "trace.jsonl"} {
		n := stored.Count(filepath.Join(run.Dir, name))
		if n < 3 {
			t.Errorf("%s has %d parts, want several", name, n)
		}
		if plain, run := plain.Manifest.Files[name], run.Manifest.Files[name]; plain != run {
			t.Errorf("%s is sealed as %+v, want %+v", name, run, plain)
		}
	}
	if want, got := contents(t, plain), contents(t, run); !slices.Equal(want, got) {
		t.Errorf("%d lines, want %d", len(got), len(want))
	}
	if wrong := upkeep.Verify(context.Background(), run); len(wrong) > 0 {
		t.Error(wrong)
	}
	if repaired, err := upkeep.Repair(context.Background(), run); err != nil || len(repaired) > 0 {
		t.Errorf("an undamaged run was repaired: %+v, %v", repaired, err)
	}
	for range 2 { // without places.jsonl, and with it
		index, err := run.IndexOf(context.Background(), "q021")
		if err != nil {
			t.Fatal(err)
		}
		events, err := index.ReadEvents(run, trace.ID{Agent: "a", Query: "q021"})
		if err != nil || len(events) != 3 {
			t.Errorf("%d events, %v", len(events), err)
		}
		calls, err := index.ReadExchanges(run, model.Identity{Agent: "a", Query: "q021", Purpose: model.Agent})
		if err != nil || len(calls) != 2 || calls[1].RequestSettings == nil {
			t.Errorf("%d exchanges, %v", len(calls), err)
		}
	}
}

// The zstd command reads parts, so people can search them.
func TestPartsByZstd(t *testing.T) {
	zstd, err := exec.LookPath("zstd")
	if err != nil {
		t.Skip("there is no zstd")
	}
	plain, run := partedRun(t, store.Options{}), partedRun(t, store.Options{Part: smallPart})
	want, err := os.ReadFile(filepath.Join(plain.Dir, "trace.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob(filepath.Join(run.Dir, "trace.*.jsonl.zst"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := exec.Command(zstd, append([]string{"-dc"}, names...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	rest, err := os.ReadFile(filepath.Join(run.Dir, "trace.jsonl"))
	if err != nil || !bytes.Equal(want, append(got, rest...)) {
		t.Errorf("%d bytes in parts and %d behind them, want %d: %v", len(got), len(rest), len(want), err)
	}
}

func TestCompress(t *testing.T) {
	for _, o := range []store.Options{{}, {Part: smallPart}} {
		run := partedRun(t, o)
		want := contents(t, run)
		if _, err := run.Index(context.Background()); err != nil {
			t.Fatal(err)
		}
		saved, err := upkeep.Compress(store.Options{}, run)
		if err != nil || saved <= 0 {
			t.Fatalf("%d bytes saved, %v", saved, err)
		}
		run = runIn(t, run.Dir)
		if got := contents(t, run); !slices.Equal(want, got) {
			t.Errorf("%d lines, want %d", len(got), len(want))
		}
		if wrong := upkeep.Verify(context.Background(), run); len(wrong) > 0 {
			t.Error(wrong)
		}
		if again, err := upkeep.Compress(store.Options{}, run); err != nil || again != 0 {
			t.Errorf("a second time: %d bytes, %v", again, err)
		}
		w, prior, err := run.Resume(partTime, store.Scope{})
		if err != nil || prior.Queries() != queries {
			t.Fatalf("resumed with %+v, %v", prior, err)
		}
		writeQueries(w, queries, queries+5)
		if err := w.Finish(store.Complete, partTime); err != nil {
			t.Fatal(err)
		}
		if wrong := upkeep.Verify(context.Background(), runIn(t, run.Dir)); len(wrong) > 0 {
			t.Error(wrong)
		}
	}
	w, err := store.Create(t.TempDir(), partsManifest(queries))
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Finish(store.Interrupted, partTime); err != nil {
		t.Fatal(err)
	}
	if _, err := upkeep.Compress(store.Options{}, runIn(t, w.Dir())); err == nil || !strings.Contains(err.Error(), "is not complete") {
		t.Errorf("an interrupted run: %v", err)
	}
}

// A process may die between any two changes to the disk, also while it makes a part. Nothing that was written
// before is lost, and nothing is duplicated.
func TestPartsKilled(t *testing.T) {
	var closing []int // the changes that make parts
	changes := 0
	partedRun(t, store.Options{Part: smallPart, Buffer: 256, Fault: func(boundary string) error {
		if changes++; strings.Contains(boundary, ".zst") || strings.HasPrefix(boundary, "truncate") {
			closing = append(closing, changes)
		}
		return nil
	}})
	const kills = 24
	if len(closing) < kills {
		t.Fatalf("parts close in %d changes, want at least %d", len(closing), kills)
	}
	for i := range kills {
		at, n, last := closing[i*len(closing)/kills], 0, ""
		o := store.Options{Part: smallPart, Buffer: 256, Fault: func(boundary string) error {
			switch n++; {
			case n < at:
				return nil
			case i%2 == 0:
				last = boundary
				return errors.New("died")
			}
			last = boundary
			return disk.ErrTorn
		}}
		w, err := o.Create(t.TempDir(), partsManifest(queries))
		if err != nil {
			t.Fatal(err)
		}
		writeQueries(w, 0, queries)
		if err := w.Finish(store.Complete, partTime); err == nil {
			t.Fatalf("the process died at %q and finished", last)
		}
		resumeKilled(t, w.Dir(), last)
	}
}

// resumeKilled finishes a run that died, and checks it.
func resumeKilled(t *testing.T, dir, at string) {
	t.Helper()
	run := runIn(t, dir)
	for _, err := range run.Exchanges() { // a reader before the resumption
		if err != nil {
			t.Errorf("killed at %q: %v", at, err)
		}
	}
	w, prior, err := store.Options{Part: smallPart}.Resume(run, partTime, store.Scope{})
	if err != nil {
		t.Fatalf("killed at %q: %v", at, err)
	}
	decided := prior.Queries()
	for i := range queries {
		if !prior.Decided("c", fmt.Sprintf("q%03d", i)) {
			writeQueries(w, i, i+1)
			decided++
		}
	}
	if err := w.Finish(store.Complete, partTime); err != nil {
		t.Fatal(err)
	}
	run = runIn(t, dir)
	if wrong := upkeep.Verify(context.Background(), run); len(wrong) > 0 || decided != queries {
		t.Errorf("killed at %q: %d decided, %v", at, decided, wrong)
	}
	lines := contents(t, run)
	if unique := slices.Compact(slices.Sorted(slices.Values(lines))); len(lines) != queries*(3+2+1) || len(unique) == 0 {
		t.Errorf("killed at %q: %d lines, want %d", at, len(lines), queries*6)
	}
	if left, err := filepath.Glob(filepath.Join(dir, ".*.zst.*")); err != nil || len(left) > 0 {
		t.Errorf("killed at %q: %v is left, %v", at, left, err)
	}
}

// Parts that were cut, changed or removed are found and named. Repair keeps the lines of undamaged frames.
func TestPartsDamaged(t *testing.T) {
	for name, damage := range map[string]func(path string) error{
		"cut":       func(path string) error { return os.Truncate(path, 300) },
		"cut table": func(path string) error { info, _ := os.Stat(path); return os.Truncate(path, info.Size()-5) },
		"empty":     func(path string) error { return os.Truncate(path, 0) },
		"flipped": func(path string) error {
			raw, err := os.ReadFile(path)
			if err == nil {
				raw[len(raw)/2] ^= 4
				err = os.WriteFile(path, raw, 0o600)
			}
			return err
		},
		"gone": os.Remove,
		"another": func(path string) error {
			raw, err := os.ReadFile(strings.Replace(path, "0002", "0001", 1))
			return errors.Join(err, os.WriteFile(path, raw, 0o600))
		},
	} {
		t.Run(name, func(t *testing.T) {
			run := partedRun(t, store.Options{Part: smallPart})
			path := stored.Name(filepath.Join(run.Dir, "chat.jsonl"), 2)
			if err := damage(path); err != nil {
				t.Fatal(err)
			}
			wrong := fmt.Sprint(upkeep.Verify(context.Background(), run))
			if !strings.Contains(wrong, "concur runs repair") || !strings.Contains(wrong, "chat.") {
				t.Errorf("verify says %s", wrong)
			}
			if _, _, err := run.Resume(partTime, store.Scope{}); err == nil {
				t.Error("the run was resumed")
			}
			repaired, err := upkeep.Repair(context.Background(), run)
			if err != nil || len(repaired) == 0 || repaired[0].File != "chat.jsonl" || repaired[0].Kept < 20 {
				t.Fatalf("%+v, %v", repaired, err)
			}
			run = runIn(t, run.Dir)
			if wrong := upkeep.Verify(context.Background(), run); len(wrong) > 0 {
				t.Error(wrong)
			}
			w, prior, err := run.Resume(partTime, store.Scope{})
			if err != nil {
				t.Fatal(err)
			}
			if n := prior.Queries(); n < 5 || n == queries && name != "cut table" {
				t.Errorf("%d queries are decided", n)
			}
			if err := w.Finish(store.Interrupted, partTime); err != nil {
				t.Fatal(err)
			}
			if left, err := filepath.Glob(filepath.Join(run.Dir, ".*jsonl*")); err != nil || len(left) > 0 {
				t.Errorf("%v is left, %v", left, err)
			}
		})
	}
}

// A reader that began before a part was made can read on after it.
func TestPartsWhileReading(t *testing.T) {
	w, err := store.Options{Part: smallPart}.Create(t.TempDir(), partsManifest(queries))
	if err != nil {
		t.Fatal(err)
	}
	writeQueries(w, 0, 3)
	path := filepath.Join(w.Dir(), "trace.jsonl")
	for t.Context().Err() == nil { // until the writer has written
		if raw, err := os.ReadFile(path); err == nil && len(raw) > 500 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	f, err := stored.Open(path, disk.OpenFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	before, closed := make([]byte, 200), f.Parts()
	if _, err := f.ReadAt(before, 0); err != nil {
		t.Fatal(err)
	}
	writeQueries(w, 3, queries)
	if err := w.Finish(store.Complete, partTime); err != nil {
		t.Fatal(err)
	}
	after := make([]byte, 200)
	if _, err := f.ReadAt(after, 0); err != nil || !bytes.Equal(before, after) || closed != 0 {
		t.Errorf("with %d parts before, read %q, want %q: %v", closed, after, before, err)
	}
	all, err := io.ReadAll(io.NewSectionReader(f, 0, 1<<30))
	if sealed := runIn(t, w.Dir()).Manifest.Files["trace.jsonl"]; err != nil || int64(len(all)) != sealed.Bytes {
		t.Errorf("%d bytes, want %d: %v", len(all), sealed.Bytes, err)
	}
}
