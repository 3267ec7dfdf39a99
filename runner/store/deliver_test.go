package store_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed-5817661a/concur/runner/store/disk"
)

// A stream replaces a file atomically, also through a link, and the file keeps its mode.
func TestDeliverStream(t *testing.T) {
	dir := t.TempDir()
	file, link, early := filepath.Join(dir, "file"), filepath.Join(dir, "link"), filepath.Join(dir, "early")
	if err := os.WriteFile(file, []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Symlink(file, link), os.Symlink("not yet", early)); err != nil {
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
		"not there":  {early, "new", umask.Mode(), nil},
		"the device": {os.DevNull, "", 0, nil},
	} {
		err := disk.DeliverStream(c.path, func(f *os.File) error {
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
	if to, err := os.Readlink(early); err != nil || to != "not yet" {
		t.Errorf("the link that led nowhere leads to %q, %v", to, err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".concur-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// A device can be written to, and an error names the requested file.
func TestDeliver(t *testing.T) {
	if err := disk.Deliver(os.DevNull, []byte("new")); err != nil {
		t.Errorf("a device: %v", err)
	}
	path := filepath.Join(t.TempDir(), "file")
	err := disk.DeliverStream(path, func(f *os.File) error {
		return &fs.PathError{Op: "write", Path: f.Name(), Err: errors.ErrUnsupported}
	})
	if want := "write " + path + ": unsupported operation"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
