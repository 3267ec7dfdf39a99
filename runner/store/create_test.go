package store_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/seed-5817661a/concur/runner/store"
)

func TestCreate(t *testing.T) {
	runs := filepath.Join(t.TempDir(), "deep", "runs") // Create makes this folder
	w, err := store.Create(runs, manifest("r1"))
	if err != nil {
		t.Fatal(err)
	}
	if w.Dir() != filepath.Join(runs, "r1") {
		t.Errorf("folder %s", w.Dir())
	}
	if runtime.GOOS != "windows" {
		for path, want := range map[string]os.FileMode{
			w.Dir(): 0o700, filepath.Join(w.Dir(), "run.yaml"): 0o600, filepath.Join(w.Dir(), "chat.jsonl"): 0o600, filepath.Join(w.Dir(), "run.log"): 0o600,
		} {
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			if got := info.Mode().Perm(); got != want {
				t.Errorf("%s has mode %v, want %v", path, got, want)
			}
		}
	}
	for name, schema := range map[string]string{
		"trace.jsonl": "concur/trace/v1", "chat.jsonl": "concur/chat/v1", "results.jsonl": "concur/results/v1",
	} {
		raw, err := os.ReadFile(filepath.Join(w.Dir(), name))
		if want := `{"schema":"` + schema + `"}` + "\n"; err != nil || string(raw) != want {
			t.Errorf("%s begins with %q (%v), want %q", name, raw, err, want)
		}
	}
	got := reopen(t, w.Dir()).Manifest
	if got.State != store.Running || got.End != nil {
		t.Errorf("while it runs: state %s, end %v", got.State, got.End)
	}

	want := manifest("r1")
	end := day(2)
	got = finish(t, w, store.Complete).Manifest
	want.Schema, want.State, want.End, want.Seal, want.Sums = "concur/run/v1", store.Complete, &end, got.Seal, 1
	want.Files = map[string]store.Sealed{}
	for _, name := range []string{"chat.jsonl", "trace.jsonl", "results.jsonl"} {
		raw := content(t, filepath.Join(w.Dir(), name))
		want.Files[name] = store.Sealed{Bytes: int64(len(raw)), Lines: 1, SHA256: fmt.Sprintf("%x", sha256.Sum256(raw))}
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("manifest (-want +got):\n%s", diff)
	}
	if err := got.CheckSeal(); err != nil {
		t.Errorf("the seal with the files: %v", err)
	}
	got.Files = nil
	if got.CheckSeal() == nil {
		t.Error("the seal holds without the files")
	}
}

func TestCreateNeverReusesAFolder(t *testing.T) {
	runs := t.TempDir()
	w, err := store.Create(runs, manifest("r1"))
	if err != nil {
		t.Fatal(err)
	}
	w.Record(record("q1"))
	_, err = store.Create(runs, manifest("r1"))
	wantError(t, err, "create run folder", filepath.Join(runs, "r1"), "--runs-dir")
	if got, err := collect(finish(t, w, store.Complete).Records()); err != nil || len(got) != 1 {
		t.Errorf("the first run has %d records after that (%v), want 1", len(got), err)
	}
}

func TestCreateSaysWhereItCannot(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := store.Create(file, manifest("r1"))
	wantError(t, err, "create runs folder", file, "--runs-dir")
	_, err = store.Create(filepath.Join(file, "runs"), manifest("r1"))
	wantError(t, err, "create runs folder", file, "--runs-dir")

	if runtime.GOOS == "windows" || os.Geteuid() == 0 {
		t.Skip("nothing is forbidden to this user")
	}
	closed := t.TempDir()
	if err := os.Chmod(closed, 0o500); err != nil {
		t.Fatal(err)
	}
	_, err = store.Create(closed, manifest("r1"))
	wantError(t, err, "create run folder", closed, "--runs-dir")
	if left, err := os.ReadDir(closed); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestCreateLeavesNothingBehind uses folders whose path is nearly too long. In one, no file can be made. In
// the other, all files can be made except the manifest, because its temporary file has a longer name.
func TestCreateLeavesNothingBehind(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs to know how long a path may be")
	}
	const longest = 4095
	runs := t.TempDir()
	for len(runs) < longest-400 {
		runs = filepath.Join(runs, strings.Repeat("x", 100))
	}
	runs = filepath.Join(runs, strings.Repeat("y", longest-len(runs)-210))
	for _, room := range []int{len("/four"), len("/results.jsonl")} {
		name := strings.Repeat("z", longest-room-len(runs)-len("/"))
		_, err := store.Create(runs, manifest(name))
		wantError(t, err, "create run folder", "file name too long", "--runs-dir")
		if left, err := os.ReadDir(runs); err != nil || len(left) > 0 {
			t.Errorf("left behind: %v, %v", left, err)
		}
	}
}

func TestFinishStates(t *testing.T) {
	for _, s := range []store.State{store.Complete, store.Interrupted, store.Failed} {
		if got := finish(t, create(t, "r1"), s).Manifest; got.State != s || got.End == nil || !got.End.Equal(day(2)) {
			t.Errorf("finished as %s: state %s, end %v", s, got.State, got.End)
		}
	}
}

func TestLogIsPartOfTheFolder(t *testing.T) {
	w := create(t, "r1")
	if _, err := w.Log().WriteString("hello\n"); err != nil {
		t.Fatal(err)
	}
	finish(t, w, store.Complete)
	if raw, err := os.ReadFile(filepath.Join(w.Dir(), "run.log")); err != nil || string(raw) != "hello\n" {
		t.Errorf("run.log holds %q, %v", raw, err)
	}
}
