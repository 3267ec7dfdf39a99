package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Deliver writes data to a file that a user named, outside of any run. A regular file is replaced
// whole, through a link, and keeps its mode; a device or a pipe is written to.
func Deliver(path string, data []byte) error {
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
	if err := WriteFile(target, data); err != nil {
		return err
	}
	return os.Chmod(target, info.Mode().Perm())
}
