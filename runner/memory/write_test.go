package memory_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/seed-5817661a/concur/runner/memory"
)

// TestAddLosesNothing adds items concurrently, also to a file whose last line has no end.
func TestAddLosesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.jsonl")
	if err := os.WriteFile(path, []byte(`{"id":"m1","text":"first"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			added, err := memory.Add(t.Context(), path, func(have []memory.Item) ([]memory.Item, error) {
				return []memory.Item{{ID: memory.NewID(have), Text: fmt.Sprint("item ", i)}}, nil
			})
			if err != nil || len(added) != 1 {
				t.Errorf("%v, %v", added, err)
			}
		})
	}
	all.Wait()
	items, err := memory.Open(path)
	if err != nil || len(items) != 21 {
		t.Errorf("%d items, %v", len(items), err)
	}
}

// TestAddChangesNothingOnError checks that invalid items, and an error of the caller's function, do not
// change the file.
func TestAddChangesNothingOnError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.jsonl")
	const text = `{"id":"m1","text":"first"}` + "\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, items := range map[string]func([]memory.Item) ([]memory.Item, error){
		"an id twice": func([]memory.Item) ([]memory.Item, error) {
			return []memory.Item{{ID: "m2", Text: "x"}, {ID: "m1", Text: "y"}}, nil
		},
		"no text": func([]memory.Item) ([]memory.Item, error) { return []memory.Item{{ID: "m2"}}, nil },
		"refused": func([]memory.Item) ([]memory.Item, error) { return nil, errors.New("no") },
	} {
		if _, err := memory.Add(t.Context(), path, items); err == nil {
			t.Errorf("%s: no error", name)
		}
		if raw, err := os.ReadFile(path); err != nil || string(raw) != text {
			t.Errorf("%s: the file is %q, %v", name, raw, err)
		}
	}
}
