package store_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/disk"
)

// A replaced file has either the old or the new content, wherever the process dies.
func TestWriteFileIsWholeOrNot(t *testing.T) {
	for _, how := range []error{errors.New("killed"), disk.ErrTorn} {
		for n := 0; ; n++ {
			path := filepath.Join(t.TempDir(), "summary.json")
			if err := os.WriteFile(path, []byte("the old text"), 0o600); err != nil {
				t.Fatal(err)
			}
			left, struck := n, ""
			o := store.Options{Fault: func(boundary string) error {
				if left--; left >= 0 {
					return nil
				}
				struck = boundary
				return how
			}}
			err := o.WriteFile(path, []byte("the new text"))
			if (err != nil) != (struck != "") {
				t.Fatalf("killed at %q: %v", struck, err)
			}
			if got := string(content(t, path)); got != "the new text" && (struck == "" || got != "the old text") {
				t.Errorf("killed at %q: %q", struck, got)
			}
			if struck == "" {
				break
			}
		}
	}
}

// A file with the same content is not written, because its disk may be read-only.
func TestWriteFileLeavesWhatIsEqual(t *testing.T) {
	path := filepath.Join(t.TempDir(), "summary.json")
	if err := store.WriteFile(path, []byte("text")); err != nil {
		t.Fatal(err)
	}
	touched := store.Options{Fault: func(string) error { return errors.New("written") }}
	if err := touched.WriteFile(path, []byte("text")); err != nil {
		t.Error(err)
	}
}

// Resuming a run removes the outputs that were computed from it, because they would be outdated.
func TestResumeRemovesWhatIsDerived(t *testing.T) {
	run := finish(t, create(t, "r1"), store.Complete)
	derived := []string{"summary.json", "chat.md", ".chat.md.77", "gate.json", "gate-no-calc-1a2b.json", ".gate-no-calc-1a2b.json.77"}
	for _, name := range derived {
		if err := os.WriteFile(filepath.Join(run.Dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	resume(t, run, false)
	for _, name := range derived {
		if _, err := os.Stat(filepath.Join(run.Dir, name)); err == nil {
			t.Errorf("%s is still there", name)
		}
	}
}

// If another process has continued a run since it was opened, the run is resumed from its present state.
func TestResumeReadsTheManifestAnew(t *testing.T) {
	run := finish(t, create(t, "r1"), store.Interrupted)
	stale := reopen(t, run.Dir)
	first, _ := resume(t, run, false)
	if err := first.Finish(store.Interrupted, day(4)); err != nil {
		t.Fatal(err)
	}
	resume(t, stale, false)
	if n := len(reopen(t, run.Dir).Manifest.Resumed); n != 2 {
		t.Errorf("resumed %d times, want 2", n)
	}
}

func TestAnEditedManifestIsRefused(t *testing.T) {
	run := finish(t, create(t, "r1"), store.Interrupted)
	path := filepath.Join(run.Dir, "run.yaml")
	raw := content(t, path)
	for from, to := range map[string]string{"seed: 7": "seed: 8", "k: 1": "k: 5", "pass: gold": "pass: quality"} {
		edited := []byte(replaceOnce(t, string(raw), from, to))
		if err := os.WriteFile(path, edited, 0o600); err != nil {
			t.Fatal(err)
		}
		_, _, err := reopen(t, run.Dir).Resume(day(3), store.Scope{})
		wantError(t, err, "run.yaml was changed since it began")
	}
}

// TestWriteFileIsAtomic checks that readers see either the old or the new content, and never a part of it.
func TestWriteFileIsAtomic(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "summary.json")
	contents := [][]byte{bytes.Repeat([]byte("a"), 100_000), bytes.Repeat([]byte("b"), 10)}
	write := func(i int) {
		if err := store.WriteFile(path, contents[i%2]); err != nil {
			t.Error(err)
		}
	}
	write(0)
	var writing sync.WaitGroup
	writing.Go(func() {
		for i := range 100 {
			write(i)
		}
	})
	for range 1000 {
		got, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(got, contents[0]) && !bytes.Equal(got, contents[1]) {
			t.Errorf("read %d bytes, %v", len(got), err)
			break
		}
	}
	writing.Wait()
	onlyFile(t, dir, "summary.json")
}

func TestWriteFileThatFailsLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	taken := filepath.Join(dir, "taken")
	if err := os.MkdirAll(filepath.Join(taken, "full"), 0o700); err != nil {
		t.Fatal(err)
	}
	wantError(t, store.WriteFile(taken, []byte("x")), "write "+taken)
	onlyFile(t, dir, "taken")
	missing := filepath.Join(dir, "missing", "x")
	wantError(t, store.WriteFile(missing, []byte("x")), "write "+missing)
}

func onlyFile(t *testing.T, dir, name string) {
	t.Helper()
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 1 || left[0].Name() != name {
		t.Errorf("the folder holds %v (%v), want %s alone", left, err, name)
	}
}
