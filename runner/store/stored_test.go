package store_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// Stored is called when the lines before it are in the file, although no trace has ended and nothing was synced.
func TestStored(t *testing.T) {
	w, err := store.Create(t.TempDir(), store.Manifest{Run: "r", Start: time.Now()})
	if err != nil {
		t.Fatal(err)
	}
	w.Event(trace.Event{ID: trace.ID{Agent: "a", Query: "q"}, Body: trace.Thought{Content: "kept"}})
	found := make(chan bool)
	w.Stored(func() {
		raw, err := os.ReadFile(filepath.Join(w.Dir(), "trace.jsonl"))
		go func() { found <- err == nil && strings.Contains(string(raw), "kept") }()
	})
	if !<-found {
		t.Error("the line was not in the file")
	}
	if err := w.Finish(store.Interrupted, time.Now()); err != nil {
		t.Error(err)
	}
}
