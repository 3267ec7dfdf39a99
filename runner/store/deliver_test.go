package store_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed-5817661a/concur/runner/store"
)

// A stream takes the place of a file as a whole or not at all, through a link, with its mode.
func TestDeliverStream(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := os.WriteFile(file, []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "by the umask"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	umask, err := os.Stat(filepath.Join(dir, "by the umask"))
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	for name, c := range map[string]struct {
		path, want string
		mode       fs.FileMode
		err        error
	}{
		"fails":      {file, "old", 0o640, broken},
		"fails new":  {filepath.Join(dir, "new"), "", 0, broken},
		"new":        {filepath.Join(dir, "other"), "new", umask.Mode(), nil},
		"by a link":  {link, "new", 0o640, nil},
		"the device": {os.DevNull, "", 0, nil},
	} {
		err := store.DeliverStream(c.path, func(f *os.File) error {
			_, err := f.WriteString("new")
			return errors.Join(err, c.err)
		})
		if !errors.Is(err, c.err) {
			t.Errorf("%s: %v", name, err)
		}
		got, err := os.ReadFile(c.path)
		if name != "fails" && string(got) != c.want || err != nil && name != "fails new" {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		if info, err := os.Stat(c.path); err == nil && c.mode != 0 && info.Mode() != c.mode {
			t.Errorf("%s: mode %v", name, info.Mode())
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".concur-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
