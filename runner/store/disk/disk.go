package disk

import (
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

// Disk makes all changes to a run folder, so that a test can fail any of them.
type Disk struct {
	Fault  Fault // nil except in tests
	Dead   error // the error that the fault returned
	Buffer int   // bytes that each file buffers
	Part   int64 // bytes of lines in a part; 0 means 64 MB
}

func (d *Disk) at(operation, path string) error {
	if d.Fault == nil {
		return nil
	}
	if d.Dead == nil {
		d.Dead = d.Fault(operation + " " + filepath.Base(path))
	}
	return d.Dead
}

// Do makes a change, unless the fault returns an error.
func (d *Disk) Do(operation, path string, change func() error) error {
	if err := d.at(operation, path); err != nil {
		return err
	}
	return change()
}

// Mkdir makes a folder.
func (d *Disk) Mkdir(path string) error {
	return d.Do("mkdir", path, func() error { return os.Mkdir(path, 0o700) })
}

// Open opens a file for appending. Only a new file counts as a change.
func (d *Disk) Open(path string, flags int) (*os.File, error) {
	if flags&os.O_CREATE != 0 {
		if err := d.at("create", path); err != nil {
			return nil, err
		}
	}
	return openPlain(path, flags|os.O_APPEND)
}

func (d *Disk) write(f *os.File, data []byte) (int, error) {
	if err := d.at("write", f.Name()); err != nil {
		if errors.Is(err, ErrTorn) {
			data = data[:len(data)/2]
			d.Dead = errors.New("killed in the middle of a write") // later writes fail entirely
			n, werr := f.Write(data)
			return n, errors.Join(d.Dead, werr)
		}
		return 0, err
	}
	return f.Write(data)
}

// Sync writes what the system holds of a file to the disk.
func (d *Disk) Sync(f *os.File) error { return d.Do("sync", f.Name(), f.Sync) }

// Truncate cuts a file.
func (d *Disk) Truncate(f *os.File, size int64) error {
	return d.Do("truncate", f.Name(), func() error { return f.Truncate(size) })
}

// Remove removes a file.
func (d *Disk) Remove(path string) error {
	return d.Do("remove", path, func() error { return os.Remove(path) })
}

// Replace replaces a file atomically: it writes and syncs a temporary file, and renames it.
func (d *Disk) Replace(path string, data []byte) error {
	return d.ReplaceWith(path, func(w io.Writer) error { _, err := w.Write(data); return err })
}

// ReplaceWith is like replace, with the data that fill writes.
func (d *Disk) ReplaceWith(path string, fill func(io.Writer) error) (err error) {
	if err := d.at("create", Temporary(path)); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), Temporary(path)+"*")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	defer func() {
		if err != nil && d.Dead == nil {
			err = fmt.Errorf("write %s: %w", path, errors.Join(err, os.Remove(f.Name())))
		}
	}()
	err = fill(Appender{Disk: d, File: f})
	if err == nil {
		err = d.Sync(f)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := d.Do("rename", path, func() error { return os.Rename(f.Name(), path) }); err != nil {
		return err
	}
	return d.SyncDir(filepath.Dir(path))
}

// Temporary returns the prefix of the names of a file's temporary files.
func Temporary(path string) string { return "." + filepath.Base(path) + "." }

// SyncDir writes the names in a folder to the disk, so that they survive a power failure, if the system
// supports that.
func (d *Disk) SyncDir(path string) error {
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
	return errors.Join(os.Rename(f.Name(), target), (&Disk{}).SyncDir(dir))
}

// Appender writes a file's buffer to the disk.
type Appender struct {
	Disk *Disk
	File *os.File
}

func (a Appender) Write(p []byte) (int, error) { return a.Disk.write(a.File, p) }
