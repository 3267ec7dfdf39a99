package store_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/store"
)

func TestFind(t *testing.T) {
	runs, elsewhere := t.TempDir(), t.TempDir()
	make := func(dir, name string, started int) {
		m := manifest(name)
		m.Start = day(started)
		w, err := store.Create(dir, m)
		if err != nil {
			t.Fatal(err)
		}
		finish(t, w, store.Complete)
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
		{store.Latest, "a-newest"}, // by its start, not by its name
		{filepath.Join(runs, "c"), "c"},
		{"d", "d"}, // a folder in the working directory
		{"." + string(filepath.Separator) + "d", "d"},
	} {
		if r, err := store.Find(runs, c.name); err != nil || r.Manifest.Run != c.want {
			t.Errorf("%s: %v, %v; want run %s", c.name, r, err, c.want)
		}
	}
	for name, want := range map[string]string{
		"nope":                         `find run "nope": there is no such folder, here or in ` + runs,
		"zzz-no-run":                   "it is not a run folder",
		"zzzz-file":                    "zzzz-file",
		filepath.Join(runs, "nowhere"): "it is not a run folder",
	} {
		_, err := store.Find(runs, name)
		wantError(t, err, want)
	}
}

func TestFindLatestOfNone(t *testing.T) {
	for _, dir := range []string{t.TempDir(), filepath.Join(t.TempDir(), "missing")} {
		_, err := store.Find(dir, store.Latest)
		wantError(t, err, "there is no run in "+dir, "concur run", "--runs-dir")
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

// Exchanges of some queries have their complete settings, also if another query's exchange has the only copy, and
// only those of the last session.
func TestExchangesOf(t *testing.T) {
	w := create(t, "some")
	for _, x := range []store.Exchange{exchange("q1", 0, 0, .5), exchange("q2", 0, 0, .5), exchange("q1", 1, 0, .5)} {
		w.Exchange(x)
	}
	r := finish(t, w, store.Interrupted)
	of := func(query string) func(model.Identity) bool {
		return func(id model.Identity) bool { return id.Query == query }
	}
	for query, want := range map[string]int{"q1": 2, "q2": 1, "q3": 0} {
		got, err := collect(r.ExchangesOf(of(query)))
		if err != nil || len(got) != want {
			t.Errorf("%s: %d exchanges, %v", query, len(got), err)
		}
		for _, x := range got {
			if x.Query != query || x.RequestSettings == nil || x.RequestSettings.Temperature != .5 {
				t.Errorf("%s: %+v", query, x)
			}
		}
	}
	r.Manifest.Resumed = append(r.Manifest.Resumed, day(2))
	edit(t, r.Dir, "chat.jsonl", func(text string) string { return strings.Replace(text, `"trace":1`, `"trace":8`, 1) })
	if _, err := collect(r.ExchangesOf(of("q1"))); err == nil {
		t.Error("a changed line is not reported")
	}
}
