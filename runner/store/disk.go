package store

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
)

// Fault is called before every change to the disk, with a description such as "write trace.jsonl". Tests use it
// to simulate failures. If it returns an error, this change and all later ones fail, as if the process had
// died. If the error is ErrTorn, half of the data is written first.
type Fault func(boundary string) error

// ErrTorn is the error with which a Fault cuts a write in half.
var ErrTorn = errors.New("torn write")

// disk makes all changes to a run folder, so that a test can fail any of them.
type disk struct {
	fault  Fault // nil except in tests
	dead   error // the error that the fault returned
	buffer int   // bytes that each file buffers
	part   int64 // bytes of lines in a part; 0 means partBytes
}

func (d *disk) at(operation, path string) error {
	if d.fault == nil {
		return nil
	}
	if d.dead == nil {
		d.dead = d.fault(operation + " " + filepath.Base(path))
	}
	return d.dead
}

// do makes a change, unless the fault returns an error.
func (d *disk) do(operation, path string, change func() error) error {
	if err := d.at(operation, path); err != nil {
		return err
	}
	return change()
}

func (d *disk) mkdir(path string) error {
	return d.do("mkdir", path, func() error { return os.Mkdir(path, 0o700) })
}

// open opens a file for appending. Only a new file counts as a change.
func (d *disk) open(path string, flags int) (*os.File, error) {
	if flags&os.O_CREATE != 0 {
		if err := d.at("create", path); err != nil {
			return nil, err
		}
	}
	return openPlain(path, flags|os.O_APPEND)
}

func (d *disk) write(f *os.File, data []byte) (int, error) {
	if err := d.at("write", f.Name()); err != nil {
		if errors.Is(err, ErrTorn) {
			data = data[:len(data)/2]
			d.dead = errors.New("killed in the middle of a write") // later writes fail entirely
			n, werr := f.Write(data)
			return n, errors.Join(d.dead, werr)
		}
		return 0, err
	}
	return f.Write(data)
}

func (d *disk) sync(f *os.File) error { return d.do("sync", f.Name(), f.Sync) }

func (d *disk) truncate(f *os.File, size int64) error {
	return d.do("truncate", f.Name(), func() error { return f.Truncate(size) })
}

func (d *disk) remove(path string) error {
	return d.do("remove", path, func() error { return os.Remove(path) })
}

// replace replaces a file atomically: it writes and syncs a temporary file, and renames it.
func (d *disk) replace(path string, data []byte) error {
	return d.replaceWith(path, func(w io.Writer) error { _, err := w.Write(data); return err })
}

// replaceWith is like replace, with the data that fill writes.
func (d *disk) replaceWith(path string, fill func(io.Writer) error) (err error) {
	if err := d.at("create", temporary(path)); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), temporary(path)+"*")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	defer func() {
		if err != nil && d.dead == nil {
			err = fmt.Errorf("write %s: %w", path, errors.Join(err, os.Remove(f.Name())))
		}
	}()
	err = fill(appender{d, f})
	if err == nil {
		err = d.sync(f)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := d.do("rename", path, func() error { return os.Rename(f.Name(), path) }); err != nil {
		return err
	}
	return d.syncDir(filepath.Dir(path))
}

// temporary returns the prefix of the names of a file's temporary files.
func temporary(path string) string { return "." + filepath.Base(path) + "." }

// syncDir writes the names in a folder to the disk, so that they survive a power failure, if the system
// supports that.
func (d *disk) syncDir(path string) error {
	if runtime.GOOS == "windows" { // Windows cannot sync folders
		return nil
	}
	if err := d.at("sync", path); err != nil {
		return err
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	err = f.Sync()
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrInvalid) {
		err = nil // some network file systems do not support it
	}
	return errors.Join(err, f.Close())
}

// WriteFile writes a file atomically. It does not write a file whose content is unchanged, so that a run on a
// read-only disk can still be shown.
func WriteFile(path string, data []byte) error { return Options{}.WriteFile(path, data) }

func (o Options) WriteFile(path string, data []byte) error {
	if old, err := ReadFile(path); err == nil && bytes.Equal(old, data) {
		return nil
	}
	return o.disk().replace(path, data)
}

// Deliver writes data to a file that a user named, outside of any run; see DeliverStream.
func Deliver(path string, data []byte) error {
	return DeliverStream(path, func(f *os.File) error {
		_, err := f.Write(data)
		return err
	})
}

// DeliverStream writes the data that fill writes to a file that a user named; fill may also read it back. A
// regular file is replaced as a whole and keeps its mode. If the path is a link, the file behind it is
// replaced. A device or a pipe gets the data. If fill returns an error, the file does not change.
func DeliverStream(path string, fill func(*os.File) error) (err error) {
	target := path
	if real, err := filepath.EvalSymlinks(path); err == nil {
		target = real
	} else if to, err := os.Readlink(path); err == nil { // a link to a file that does not exist
		target = to
		if !filepath.IsAbs(to) {
			target = filepath.Join(filepath.Dir(path), to)
		}
	}
	dir, mode := filepath.Dir(target), fs.FileMode(0o666)
	info, err := os.Stat(target)
	there := err == nil
	device := there && !info.Mode().IsRegular()
	switch {
	case device:
		dir, mode = os.TempDir(), 0o600
	case there:
		mode = info.Mode().Perm()
	}
	f, err := os.OpenFile(filepath.Join(dir, ".concur-"+rand.Text()), os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	defer func() {
		f.Close()
		os.Remove(f.Name()) // does nothing after the file was renamed
		if of, ok := errors.AsType[*fs.PathError](err); ok && of.Path == f.Name() {
			err = fmt.Errorf("write %s: %w", path, of.Err) // show the user's path and not that of the temporary file
		}
	}()
	if err := fill(f); err != nil {
		return err
	}
	if device {
		to, err := os.OpenFile(target, os.O_WRONLY, 0)
		if err != nil {
			return fmt.Errorf("write %s: %w", path, err)
		}
		_, err = io.Copy(to, io.NewSectionReader(f, 0, math.MaxInt64))
		return errors.Join(err, to.Close())
	}
	if there { // a new file gets the mode from the umask
		err = f.Chmod(mode)
	}
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return errors.Join(os.Rename(f.Name(), target), (&disk{}).syncDir(dir))
}
