package copying_test

import (
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func day(n int) time.Time { return time.Date(2024, 5, n, 12, 0, 0, 0, time.UTC) }

func manifest(name string) store.Manifest {
	c := config.New()
	c.Name, c.K = "", 1 // the name is in the outer object
	return store.Manifest{
		Run: name, Start: day(1), Seed: 7, Dataset: store.Dataset{Name: "small", Hash: "sha256:00", Queries: 2},
		Configurations: []store.Configuration{{Name: "default", Agent: "3f2a", Configuration: c}},
	}
}

func create(t *testing.T, name string) *store.Writer {
	t.Helper()
	w, err := store.Create(t.TempDir(), manifest(name))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func finish(t *testing.T, w *store.Writer, s store.State) *store.Run {
	t.Helper()
	if err := w.Finish(s, day(2)); err != nil {
		t.Fatal(err)
	}
	run, err := store.Open(w.Dir())
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// collect reads a sequence up to its end or the first error.
func collect[T any](seq iter.Seq2[T, error]) ([]T, error) {
	var out []T
	for v, err := range seq {
		if err != nil {
			return out, err
		}
		out = append(out, v)
	}
	return out, nil
}

func id(query string, index int) trace.ID { return trace.ID{Agent: "3f2a", Query: query, Trace: index} }

func thought(query string, index, step int) trace.Event {
	return trace.Event{ID: id(query, index), Step: step, Time: day(1), Body: trace.Thought{Content: fmt.Sprint(query, step)}}
}

func exchange(query string, index, step int, temperature float64) store.Exchange {
	return store.Exchange{
		Identity:        model.Identity{Agent: "3f2a", Query: query, Trace: index, Step: step, Purpose: model.Agent},
		Time:            day(1),
		RequestSettings: &store.RequestSettings{Model: "test:m", Temperature: temperature},
	}
}

func record(query string) store.Record { return store.Record{Configuration: "default", Query: query} }

func wantError(t *testing.T, err error, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if err == nil || !strings.Contains(err.Error(), p) {
			t.Errorf("error %v, want one with %q", err, p)
		}
	}
}

// edit rewrites a file of a run folder.
func edit(t *testing.T, dir, name string, change func(string) string) {
	t.Helper()
	path := filepath.Join(dir, name)
	raw, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, []byte(change(string(raw))), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}
