package scratch

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/seed-5817661a/concur/internal/filelock"
)

// Folder is a temporary folder. Its process has a lock in it, so that others know that it is in use.
type Folder struct {
	path string
	lock *os.File
}

// lockName is the name of the file that is locked. It has the name of the host, because the locks of some network file
// systems are unknown to other hosts.
const lockName = ".lock"

// unknownHost is in the lock file in place of a host that has no name. An empty lock file means that its process was
// killed.
const unknownHost = " "

// attempts is the maximum number of folders that New tries to make. A folder is lost if another process examines it in
// the moment between its making and its lock.
const attempts = 100

// New makes a folder in the folder for temporary files. kind is the beginning of its name, such as concur-work. Before,
// New removes folders of this kind whose process was killed; see remove for those that it leaves.
func New(kind string) (*Folder, error) {
	host, err := os.Hostname()
	if err != nil {
		host = "" // then no process removes the folder: its host is unknown
	}
	if host != "" {
		clean(kind, host)
	}
	for range attempts {
		f, err := create(kind, host)
		if f != nil || err != nil {
			return f, err
		}
	}
	return nil, fmt.Errorf("make a folder in %s, the folder of TMPDIR: other processes remove it", os.TempDir())
}

// create makes a folder and locks it. It returns nil if another process was faster with the lock.
func create(kind, host string) (*Folder, error) {
	path, err := os.MkdirTemp("", kind+"-")
	if err != nil {
		return nil, fmt.Errorf("make a folder in %s; name another one with TMPDIR: %w", os.TempDir(), err)
	}
	name := filepath.Join(path, lockName)
	lock, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(path))
	}
	f := &Folder{path, lock}
	err = filelock.Try(lock)
	if err == nil && !hasPath(lock, name) || errors.Is(err, filelock.ErrHeld) {
		return nil, f.Remove()
	}
	if errors.Is(err, errors.ErrUnsupported) { // then others cannot lock it either, and leave it
		err = nil
	}
	if err == nil {
		_, err = lock.WriteString(cmp.Or(host, unknownHost))
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("lock the folder %s: %w", path, err), f.Remove())
	}
	return f, nil
}

// hasPath reports whether a path is still that of an open file.
func hasPath(f *os.File, path string) bool {
	is, err := f.Stat()
	named, wrong := os.Lstat(path)
	return err == nil && wrong == nil && os.SameFile(is, named)
}

// Path returns the path of the folder.
func (f *Folder) Path() string { return f.path }

// Remove removes the folder with everything in it.
func (f *Folder) Remove() error {
	// The lock is released first, because Windows removes no open file. A process that takes it then removes the
	// folder, too.
	return errors.Join(f.lock.Close(), os.RemoveAll(f.path))
}
