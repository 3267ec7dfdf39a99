package store

import (
	"errors"
	"fmt"
	"io"
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

// DeliverStream is Deliver for data that fill writes, and may read back, piece by piece. An
// error of fill leaves the file as it was.
func DeliverStream(path string, fill func(*os.File) error) (err error) {
	target, mode, dir := path, fs.FileMode(0o644), filepath.Dir(path)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		target, dir = real, filepath.Dir(real)
	}
	info, err := os.Stat(target)
	device := err == nil && !info.Mode().IsRegular()
	if err == nil {
		mode = info.Mode().Perm()
	}
	if device {
		dir = os.TempDir()
	}
	f, err := os.CreateTemp(dir, ".concur-*")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	defer func() {
		f.Close()
		os.Remove(f.Name()) // gone already after a rename
	}()
	if err := fill(f); err != nil {
		return err
	}
	if device {
		to, err := os.OpenFile(target, os.O_WRONLY, 0)
		if err == nil {
			_, err = f.Seek(0, io.SeekStart)
		}
		if err == nil {
			_, err = io.Copy(to, f)
		}
		if to != nil {
			err = errors.Join(err, to.Close())
		}
		return err
	}
	return errors.Join(f.Chmod(mode), f.Sync(), os.Rename(f.Name(), target))
}
