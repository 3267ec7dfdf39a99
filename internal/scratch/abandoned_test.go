package scratch_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// What a process leaves that was killed while it made its folder, before or after the lock file, is removed when it is
// old: the process may still be about to lock it.
func TestAbandoned(t *testing.T) {
	dir := temporary(t)
	before := time.Now().Add(-61 * time.Minute)
	stays := map[string]bool{}
	for _, c := range []struct {
		name         string
		files        []string
		old, removed bool
	}{
		{"empty", nil, true, true},
		{"empty-new", nil, false, false},
		{"file", []string{"file"}, true, false},
		{"lock", []string{".lock"}, true, true},
		{"lock-new", []string{".lock"}, false, false},
		{"lock-and-file", []string{".lock", "file"}, true, false},
	} {
		path := filepath.Join(dir, kind+"-"+c.name)
		err := os.Mkdir(path, 0o700)
		for _, name := range c.files {
			err = errors.Join(err, os.WriteFile(filepath.Join(path, name), nil, 0o600))
		}
		if c.old {
			err = errors.Join(err, os.Chtimes(path, before, before))
		}
		if err != nil {
			t.Fatal(err)
		}
		stays[path] = !c.removed
	}
	made(t, kind)
	for path, want := range stays {
		if got := exists(t, path); got != want {
			t.Errorf("%s is left: %v, want %v", filepath.Base(path), got, want)
		}
	}
}
