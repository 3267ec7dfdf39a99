package filewatch_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/internal/filewatch"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// watch returns a watcher of the files in a folder, and a file that is not there.
func watch(t *testing.T, dir string) *filewatch.Watcher {
	t.Helper()
	w := &filewatch.Watcher{Poll: time.Millisecond, List: func() ([]string, error) {
		paths, err := filepath.Glob(filepath.Join(dir, "*"))
		return append(paths, filepath.Join(dir, "later", "file")), err
	}}
	if err := w.Mark(); err != nil {
		t.Fatal(err)
	}
	return w
}

func TestChanged(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	write(t, a, "one")
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(a, old, old); err != nil {
		t.Fatal(err)
	}
	w := watch(t, dir)
	for _, c := range []struct {
		what   string
		change func()
		want   []string
	}{
		{"another content", func() { write(t, a, "two") }, []string{a}},
		{"the same size at once", func() { write(t, a, "six") }, []string{a}},
		{"a new file", func() { write(t, b, "one") }, []string{b}},
		{"a file in a new folder", func() {
			if err := os.Mkdir(filepath.Join(dir, "later"), 0o700); err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(dir, "later", "file"), "x")
		}, []string{filepath.Join(dir, "later", "file")}},
		{"a file that is replaced by rename", func() {
			write(t, filepath.Join(t.TempDir(), "new"), "x")
			if err := errors.Join(os.Remove(a), os.WriteFile(a, []byte("three"), 0o600)); err != nil {
				t.Fatal(err)
			}
		}, []string{a}},
		{"files that are gone", func() {
			if err := errors.Join(os.Remove(a), os.Remove(b)); err != nil {
				t.Fatal(err)
			}
		}, []string{a, b}},
	} {
		c.change()
		got, err := w.Changed(t.Context())
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, %v; want %q", c.what, got, err, c.want)
		}
	}
}

// A file that is touched, or written with the same content, has not changed.
func TestTouched(t *testing.T) {
	dir := t.TempDir()
	a := filepath.Join(dir, "a")
	write(t, a, "one")
	w := watch(t, dir)
	if err := os.Chtimes(a, time.Time{}, time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if got, err := w.Changed(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%q, %v", got, err)
	}
}

// With Failed, an error that lasts is reported once each time, and Changed waits on.
func TestChangedGoesOn(t *testing.T) {
	dir := t.TempDir()
	a := filepath.Join(dir, "a")
	w := watch(t, dir)
	list, broken := w.List, errors.New("broken")
	looks, failed := 0, 0
	w.List = func() ([]string, error) {
		switch looks++; {
		case looks <= 20, looks > 25 && looks <= 40:
			return nil, broken
		case looks == 41:
			write(t, a, "one")
		}
		return list()
	}
	w.Failed = func(err error) {
		if failed++; !errors.Is(err, broken) {
			t.Error(err)
		}
	}
	if got, err := w.Changed(t.Context()); err != nil || !slices.Equal(got, []string{a}) || failed != 2 {
		t.Errorf("%q, %v, after %d reports; want 2", got, err, failed)
	}
}

func TestChangedReportsErrors(t *testing.T) {
	dir := t.TempDir()
	w := watch(t, dir)
	broken := errors.New("broken")
	w.List = func() ([]string, error) { return nil, broken }
	if _, err := w.Changed(t.Context()); !errors.Is(err, broken) {
		t.Error(err)
	}
}
