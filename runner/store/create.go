package store

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/seed-5817661a/concur/runner/store/disk"
	"github.com/seed-5817661a/concur/runner/store/runfiles"
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
	Fault  disk.Fault // for tests
	Buffer int        // bytes that each file buffers; 0 means 64 KB
	Part   int64      // bytes of lines in a part of trace.jsonl or chat.jsonl; 0 means 64 MB
}

// Disk returns a disk with these options.
func (o Options) Disk() *disk.Disk {
	return &disk.Disk{Fault: o.Fault, Buffer: cmp.Or(o.Buffer, 64<<10), Part: o.Part}
}

// Create makes a new run folder, writes its manifest with state running and opens its files. It creates the
// runs folder if necessary, and returns an error if the run folder exists.
func Create(runsDir string, m Manifest) (*Writer, error) { return Options{}.Create(runsDir, m) }

func (o Options) Create(runsDir string, m Manifest) (*Writer, error) {
	d := o.Disk()
	if err := os.MkdirAll(runsDir, 0o700); err != nil {
		return nil, fmt.Errorf("create runs folder: %w; choose another with --runs-dir", err)
	}
	dir := filepath.Join(runsDir, m.Run)
	if err := d.Mkdir(dir); err != nil {
		return nil, fmt.Errorf("create run folder: %w; choose another place with --runs-dir", err)
	}
	m.Schema, m.State, m.Sums, m.Telemetry = ManifestSchema, Running, 1, nil
	m = m.WithFiles(nil)
	w, err := create(dir, d, m)
	if err != nil {
		err = fmt.Errorf("create run folder %s: %w; choose another place with --runs-dir", dir, err)
		if d.Dead == nil { // an incomplete folder could be confused with a run
			err = errors.Join(err, os.RemoveAll(dir))
		}
		return nil, err
	}
	return w, nil
}

// create writes the files of a new folder. The manifest is written last: if a folder has a manifest, its files
// are complete.
func create(dir string, d *disk.Disk, m Manifest) (*Writer, error) {
	files, err := runfiles.Open(d, dir, os.O_CREATE|os.O_EXCL, m.LineSums())
	if err != nil {
		return nil, err
	}
	log, err := openLog(d, dir)
	if err == nil {
		err = files.Begin()
	}
	if err == nil {
		err = m.Write(d, dir)
	}
	if err != nil {
		files.Abandon()
		log.Close()
		return nil, err
	}
	w, err := newWriter(dir, d, m, log)
	if err != nil {
		files.Abandon()
		return nil, err
	}
	w.index = newIndexer(&Run{Dir: dir, Manifest: m})
	go w.write(files)
	return w, nil
}

// Check returns an error if runs cannot be stored in a folder, because files cannot be written or locked
// there. The folder may not exist yet. Check leaves no files behind.
func Check(runsDir string) (err error) {
	at := runsDir
	for !disk.Exists(at) && filepath.Dir(at) != at {
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
	return disk.Lock(f)
}

// WriteFile writes a file atomically. It does not write a file whose content is unchanged, so that a run on a
// read-only disk can still be shown.
func WriteFile(path string, data []byte) error { return Options{}.WriteFile(path, data) }

func (o Options) WriteFile(path string, data []byte) error {
	if old, err := disk.ReadFile(path); err == nil && bytes.Equal(old, data) {
		return nil
	}
	return o.Disk().Replace(path, data)
}

// LogFile is the name of the log in a run folder.
const LogFile = "run.log"

func openLog(d *disk.Disk, dir string) (*os.File, error) {
	return d.Open(filepath.Join(dir, LogFile), os.O_CREATE|os.O_WRONLY)
}

// Size returns the number of bytes in the run's files.
func (r *Run) Size() (int64, error) {
	var size int64
	err := filepath.WalkDir(r.Dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err == nil {
			size += info.Size()
		}
		return err
	})
	return size, err
}

// Remove deletes the run folder. It returns an error if another process is writing the run.
func (r *Run) Remove() (err error) {
	f, err := Options{}.Disk().Open(filepath.Join(r.Dir, runfiles.Traces.Name()), os.O_RDWR)
	if err == nil {
		defer func() { err = errors.Join(err, f.Close()) }()
		err = disk.Lock(f)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove run %s: %w", r.Dir, err)
	}
	return os.RemoveAll(r.Dir)
}
