package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Check reports whether runs can be kept in a folder: whether it, or where it is to be
// made, can be written and its files locked. It leaves nothing behind.
func Check(runsDir string) (err error) {
	at := runsDir
	for !exists(at) && filepath.Dir(at) != at {
		at = filepath.Dir(at)
	}
	f, err := os.CreateTemp(at, ".concur-check-*")
	if err != nil {
		return fmt.Errorf("%w; choose another folder with --runs-dir", err)
	}
	defer func() { err = errors.Join(err, f.Close(), os.Remove(f.Name())) }()
	if _, err := f.WriteString("concur"); err != nil {
		return fmt.Errorf("%w; make room, or choose another folder with --runs-dir", err)
	}
	return lock(f)
}
