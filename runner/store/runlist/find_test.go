package runlist_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/runlist"
)

func TestFind(t *testing.T) {
	runs, elsewhere := t.TempDir(), t.TempDir()
	make := func(dir, name string, started int) {
		start := time.Date(2024, 5, started, 12, 0, 0, 0, time.UTC)
		w, err := store.Create(dir, store.Manifest{Run: name, Start: start})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Finish(store.Complete, start); err != nil {
			t.Fatal(err)
		}
	}
	make(runs, "a-newest", 3)
	make(runs, "b", 1)
	make(runs, "c", 2)
	make(elsewhere, "d", 9)
	if err := os.Mkdir(filepath.Join(runs, "zzz-no-run"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(runs, "zzzz-file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(elsewhere)
	for _, c := range []struct{ name, want string }{
		{"b", "b"},
		{runlist.Latest, "a-newest"}, // by its start, not by its name
		{filepath.Join(runs, "c"), "c"},
		{"d", "d"}, // a folder in the working directory
		{"." + string(filepath.Separator) + "d", "d"},
	} {
		if r, err := runlist.Find(runs, c.name); err != nil || r.Manifest.Run != c.want {
			t.Errorf("%s: %v, %v; want run %s", c.name, r, err, c.want)
		}
	}
	for name, want := range map[string]string{
		"nope":                         `find run "nope": there is no such folder, here or in ` + runs,
		"zzz-no-run":                   "it is not a run folder",
		"zzzz-file":                    "zzzz-file",
		filepath.Join(runs, "nowhere"): "it is not a run folder",
	} {
		_, err := runlist.Find(runs, name)
		wantError(t, err, want)
	}
}

func TestFindLatestOfNone(t *testing.T) {
	for _, dir := range []string{t.TempDir(), filepath.Join(t.TempDir(), "missing")} {
		_, err := runlist.Find(dir, runlist.Latest)
		wantError(t, err, "there is no run in "+dir, "concur run", "--runs-dir")
	}
}

func wantError(t *testing.T, err error, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if err == nil || !strings.Contains(err.Error(), p) {
			t.Errorf("error %v, want one with %q", err, p)
		}
	}
}
