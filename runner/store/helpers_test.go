package store_test

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
	"github.com/seed-5817661a/concur/runner/store/storetest"
	"github.com/seed-5817661a/concur/trace"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func day(n int) time.Time { return time.Date(2024, 5, n, 12, 0, 0, 0, time.UTC) }

func manifest(name string) store.Manifest {
	return store.Manifest{
		Run: name, Start: day(1), Seed: 7,
		Dataset: store.Dataset{Name: "small", Hash: "sha256:00", Queries: 2, Categories: []string{"a", "b"}},
		Configurations: []store.Configuration{
			{Name: "default", Agent: "3f2a", Configuration: withoutName(config.New())},
		},
		Versions: map[string]string{"concur": "test"},
	}
}

// withoutName removes the fields that the manifest has in the outer object, and sets K to 1.
func withoutName(c config.Configuration) config.Configuration {
	c.Name, c.K = "", 1
	return c
}

func create(t testing.TB, name string) *store.Writer {
	t.Helper()
	w, err := store.Create(t.TempDir(), manifest(name))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func finish(t testing.TB, w *store.Writer, s store.State) *store.Run {
	t.Helper()
	if err := w.Finish(s, day(2)); err != nil {
		t.Fatal(err)
	}
	return reopen(t, w.Dir())
}

func reopen(t testing.TB, dir string) *store.Run {
	t.Helper()
	r, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return r
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

// unencodable returns an event that cannot be encoded, so that writing it fails.
func unencodable() trace.Event {
	return trace.Event{ID: id("q1", 0), Body: trace.Observation{Output: []byte("{")}}
}

// edit rewrites a file of a run folder.
func edit(t testing.TB, dir, name string, change func(string) string) {
	t.Helper()
	path := filepath.Join(dir, name)
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(change(string(raw))), 0o600); err != nil {
		t.Fatal(err)
	}
}

// older converts a run to the form of a version without checksums of lines.
func older(t testing.TB, dir string) *store.Run {
	t.Helper()
	if err := storetest.MakeOlder(dir); err != nil {
		t.Fatal(err)
	}
	return reopen(t, dir)
}

func wantError(t testing.TB, err error, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if err == nil || !strings.Contains(err.Error(), p) {
			t.Errorf("error %v, want one with %q", err, p)
		}
	}
}
