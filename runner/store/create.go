package store

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// NewName returns the name of a new run, which is also the name of its folder. Names sort by the start of the
// run.
func NewName(start time.Time, dataset string) string {
	var suffix [4]byte
	rand.Read(suffix[:]) // never fails
	return fmt.Sprintf("%s-%s-%x", start.UTC().Format("20060102T150405"), dataset, suffix)
}

// Options configure the opening of a folder for writing. The zero value is ready to use.
type Options struct {
	Fault  Fault // for tests
	Buffer int   // bytes that each file buffers; 0 means 64 KB
	Part   int64 // bytes of lines in a part of trace.jsonl or chat.jsonl; 0 means 64 MB
}

// disk returns a disk with these options.
func (o Options) disk() *disk {
	return &disk{fault: o.Fault, buffer: cmp.Or(o.Buffer, 64<<10), part: o.Part}
}

// Create makes a new run folder, writes its manifest with state running and opens its files. It creates the
// runs folder if necessary, and returns an error if the run folder exists.
func Create(runsDir string, m Manifest) (*Writer, error) { return Options{}.Create(runsDir, m) }

func (o Options) Create(runsDir string, m Manifest) (*Writer, error) {
	d := o.disk()
	if err := os.MkdirAll(runsDir, 0o700); err != nil {
		return nil, fmt.Errorf("create runs folder: %w; choose another with --runs-dir", err)
	}
	dir := filepath.Join(runsDir, m.Run)
	if err := d.mkdir(dir); err != nil {
		return nil, fmt.Errorf("create run folder: %w; choose another place with --runs-dir", err)
	}
	m.Schema, m.State, m.Sums = ManifestSchema, Running, 1
	m = m.withFiles(nil)
	w, err := create(dir, d, m)
	if err != nil {
		err = fmt.Errorf("create run folder %s: %w; choose another place with --runs-dir", dir, err)
		if d.dead == nil { // an incomplete folder could be confused with a run
			err = errors.Join(err, os.RemoveAll(dir))
		}
		return nil, err
	}
	return w, nil
}

// create writes the files of a new folder. The manifest is written last: if a folder has a manifest, its files
// are complete.
func create(dir string, d *disk, m Manifest) (*Writer, error) {
	files, err := openFiles(d, dir, os.O_CREATE|os.O_EXCL, m.sums())
	if err != nil {
		return nil, err
	}
	log, err := openLog(d, dir)
	if err == nil {
		err = files.begin()
	}
	if err == nil {
		err = m.write(d, dir)
	}
	if err != nil {
		files.abandon()
		log.Close()
		return nil, err
	}
	w, err := newWriter(dir, d, m, log)
	if err != nil {
		files.abandon()
		return nil, err
	}
	files.index = newIndexer(&Run{Dir: dir, Manifest: m})
	w.index = files.index
	go w.write(files)
	return w, nil
}

// Check returns an error if runs cannot be stored in a folder, because files cannot be written or locked
// there. The folder may not exist yet. Check leaves no files behind.
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
		return fmt.Errorf("%w; free some space, or choose another folder with --runs-dir", err)
	}
	return lock(f)
}

// ErrHeld means that another process is writing the run folder, or has its lock.
var ErrHeld = errors.New("another process is writing it: wait for it to end, or stop it")

// lock keeps other writers out while f is open; the system releases it when the process ends.
func lock(f *os.File) error {
	switch err := tryLock(f); {
	case err == nil, errors.Is(err, ErrHeld):
		return err
	case errors.Is(err, errors.ErrUnsupported):
		return fmt.Errorf("its file system, perhaps a network file system, cannot lock files: move the runs folder to " +
			"a local disk, and name it with --runs-dir")
	default:
		return fmt.Errorf("lock %s: %w; choose a folder on a local disk with --runs-dir", f.Name(), err)
	}
}

// LockFolder waits until no other process has this lock on a folder, or until ctx is done. It does not affect
// programs that do not call LockFolder. The system releases the lock when the process ends. On a file system
// without locks it does nothing.
func LockFolder(ctx context.Context, dir string) (release func() error, err error) {
	f, err := openLockable(dir)
	if err != nil {
		return nil, fmt.Errorf("lock folder %s: %w", dir, err)
	}
	const pause = 20 * time.Millisecond
	for {
		err := tryLock(f)
		switch {
		case err == nil, errors.Is(err, errors.ErrUnsupported):
			return f.Close, nil
		case !errors.Is(err, ErrHeld):
			return nil, errors.Join(fmt.Errorf("lock folder %s: %w", dir, err), f.Close())
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(fmt.Errorf("lock folder %s: %w", dir, ErrHeld), f.Close())
		case <-time.After(pause):
		}
	}
}

const logFile = "run.log"

func openLog(d *disk, dir string) (*os.File, error) {
	return d.open(filepath.Join(dir, logFile), os.O_CREATE|os.O_WRONLY)
}
