package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/seed-5817661a/concur/runner/store"
)

// writeResult delivers data to the file that a user named. A regular file is replaced
// whole, through a link, and keeps its mode; a device or a pipe is written to.
func writeResult(path string, data []byte) error {
	target, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		target, err = path, nil
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	info, err := os.Stat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return os.WriteFile(target, data, 0o666)
	case err != nil:
		return fmt.Errorf("write %s: %w", path, err)
	case !info.Mode().IsRegular():
		f, err := os.OpenFile(target, os.O_WRONLY, 0)
		if err != nil {
			return fmt.Errorf("write %s: %w", path, err)
		}
		_, err = f.Write(data)
		return errors.Join(err, f.Close())
	}
	if err := store.WriteFile(target, data); err != nil {
		return err
	}
	return os.Chmod(target, info.Mode().Perm())
}

// sameFile reports whether two paths name one file.
func sameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}
