package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/trace"
)

// Options set how a folder is opened for writing; the zero value is ready to use.
type Options struct {
	Fault  Fault // for tests
	Buffer int   // bytes that each file buffers; 0 means 64 KB
}

// disk returns a disk with these options.
func (o Options) disk() *disk { return &disk{fault: o.Fault, buffer: cmp.Or(o.Buffer, 64<<10)} }

// Create makes a new run folder, writes its manifest with state running and opens its
// files. It makes the runs folder if it is missing, and never reuses a run folder.
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
		if d.dead == nil { // an incomplete folder could be mistaken for a run
			err = errors.Join(err, os.RemoveAll(dir))
		}
		return nil, err
	}
	return w, nil
}

// create fills a new folder. The manifest is written last: a folder with a manifest is complete.
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
	go w.write(files)
	return w, nil
}

// Check reports whether runs can be stored in a folder, which need not exist yet: whether
// files can be written and locked there. It leaves no files behind.
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

// CopyTraces makes a new run folder with the traces of the run, their exchanges and the labels of people, so
// that verifier and judges can decide again. It does not copy the records or the exchanges of verifier and
// judges. The manifest is the new run's, in the state interrupted until the run is resumed.
func (r *Run) CopyTraces(runsDir string, m Manifest) (_ *Run, err error) {
	dir, d := filepath.Join(runsDir, m.Run), Options{}.disk()
	if err := os.MkdirAll(runsDir, 0o700); err != nil {
		return nil, fmt.Errorf("create runs folder: %w; choose another with --runs-dir", err)
	}
	if err := d.mkdir(dir); err != nil {
		return nil, fmt.Errorf("create run folder: %w; choose another place with --runs-dir", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("copy the traces of run %s: %w", r.Dir, err), os.RemoveAll(dir))
		}
	}()
	m.Schema, m.State, m.Resumed, m.PausedS, m.End, m.Sums = ManifestSchema, Interrupted, r.Manifest.Resumed, 0, nil, 1
	m = m.withFiles(nil)
	copied := &Run{Dir: dir, Manifest: m}
	if err := r.copyLines(d, copied); err != nil {
		return nil, err
	}
	if err := r.copyLabels(copied); err != nil {
		return nil, err
	}
	if err := m.write(d, dir); err != nil {
		return nil, err
	}
	return Open(dir)
}

// copyLabels copies the labels that people gave.
func (r *Run) copyLabels(to *Run) error {
	labels, err := r.Labels()
	for _, l := range labels {
		if err == nil {
			err = to.AddLabel(context.Background(), l)
		}
	}
	return err
}

// copyLines copies the lines of traces: all events except extractions, the agent's exchanges, and no records.
func (r *Run) copyLines(d *disk, to *Run) error {
	out, err := openFiles(d, to.Dir, os.O_CREATE|os.O_EXCL, to.Manifest.sums())
	if err != nil {
		return err
	}
	defer out.abandon() // does nothing if close was called
	if err := out.begin(); err != nil {
		return err
	}
	for _, f := range []fileIndex{chatFile, traceFile} {
		for line, err := range r.rawLines(f, start) {
			var x lineHead
			if err == nil {
				err = decodeHead(line.text, &x)
			}
			if err == nil && (x.Event != "" && x.Event != trace.ExtractionEvent || x.Purpose == model.Agent) {
				err = out.put(f, withoutSum(line.text), x)
			}
			if err != nil {
				return err
			}
		}
	}
	return out.close()
}
