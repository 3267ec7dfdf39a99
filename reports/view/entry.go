package view

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner/store"
)

// entry is a run folder. What is kept of it is read again once its files change.
type entry struct {
	name, dir string

	mu       sync.Mutex
	run      *store.Run
	manifest os.FileInfo // of run.yaml when run was read
	summary  *result.Result
	stored   os.FileInfo // of summary.json when summary was read
	index    *store.Index
	reading  *reading // of the traces; nil while nobody reads them
}

// reading is the reading of a run's traces in the background.
type reading struct {
	done chan struct{}
	err  error // set before done is closed
}

// entry finds a run folder by its name.
func (s *server) entry(name string) (*entry, error) {
	if name == "." || !filepath.IsLocal(name) || filepath.Base(name) != name || strings.ContainsRune(name, 0) {
		return nil, problem{http.StatusNotFound, "There is no such run: its name is no name of a folder."}
	}
	s.mu.Lock()
	e, known := s.runs[name]
	if !known {
		e = &entry{name: name, dir: filepath.Join(s.RunsDir, name)}
	}
	s.mu.Unlock()
	_, err := e.open()
	switch {
	case errors.Is(err, fs.ErrNotExist) && known:
		e.forget()
		return nil, problem{http.StatusGone, "The folder of run " + name + " was deleted or moved. The list has the runs that are left."}
	case errors.Is(err, fs.ErrNotExist):
		return nil, problem{http.StatusNotFound, "There is no run " + name + " in " + s.RunsDir + ". The list has those that there are."}
	case err != nil:
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if other, known := s.runs[name]; known {
		return other, nil
	}
	s.runs[name] = e
	return e, nil
}

// open reads the manifest, unless it is as it was.
func (e *entry) open() (*store.Run, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	info, err := os.Lstat(filepath.Join(e.dir, "run.yaml"))
	if err != nil {
		return nil, err
	}
	if e.run != nil && unchanged(info, e.manifest) {
		return e.run, nil
	}
	run, err := store.Open(e.dir)
	if err == nil && len(run.Manifest.Configurations) == 0 {
		err = fmt.Errorf("read %s: it names no configuration", filepath.Join(e.dir, "run.yaml"))
	}
	if err == nil {
		if err = run.Manifest.CheckSeal(); err != nil {
			err = fmt.Errorf("run %s: %w", e.name, err)
		}
	}
	if err != nil {
		return nil, err
	}
	e.run, e.manifest = run, info
	return run, nil
}

// forget drops what is kept of a folder that is gone.
func (e *entry) forget() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.run, e.summary, e.stored, e.index = nil, nil, nil, nil
}

func unchanged(now, before os.FileInfo) bool {
	return before != nil && os.SameFile(now, before) && now.Size() == before.Size() && now.ModTime().Equal(before.ModTime())
}

// figures are those of summary.json; nil before the run is complete.
func (e *entry) figures(run *store.Run) (*result.Result, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	info, err := os.Lstat(result.Path(e.dir))
	switch {
	case err != nil:
		return nil, nil
	case unchanged(info, e.stored):
		return e.summary, nil
	}
	summary, err := result.Stored(run)
	if err != nil || summary == nil {
		return nil, err
	}
	if len(summary.Configurations) != len(run.Manifest.Configurations) {
		return nil, fmt.Errorf("read %s: it is of another run", result.Path(e.dir))
	}
	e.summary, e.stored = summary, info
	return summary, nil
}

// listed is a run as lists show it.
type listed struct {
	*entry
	reports.RunEntry
}

func (e *entry) listed() (listed, error) {
	run, err := e.open()
	if err != nil {
		return listed{}, err
	}
	out := listed{e, reports.RunEntry{Manifest: run.Manifest}}
	out.Run = e.name // under which it is found
	if out.Bytes, err = run.Size(); err == nil {
		out.Summary, err = e.figures(run)
	}
	return out, err
}

// records brings the index up to date as far as lists of queries need it.
func (e *entry) records(ctx context.Context) (*store.Run, *store.Index, error) {
	run, err := e.open()
	if err != nil {
		return nil, nil, err
	}
	e.mu.Lock()
	if e.index == nil {
		e.index = run.Index()
	}
	index := e.index
	e.mu.Unlock()
	_, err = index.UpdateRecords(ctx, run)
	return run, index, err
}

// errReading means that the traces of a run are still being read.
var errReading = errors.New("the traces are being read")

// patience is how long a page waits for the traces of a large run to be read.
const patience = 2 * time.Second

// traces brings the index wholly up to date. That takes long for a large run without a saved
// index: it goes on in the background, and errReading is returned.
func (s *server) traces(ctx context.Context, e *entry) (*store.Run, *store.Index, error) {
	run, index, err := e.records(ctx)
	if err != nil {
		return nil, nil, err
	}
	e.mu.Lock()
	now := e.reading
	if now == nil {
		now = &reading{done: make(chan struct{})}
		e.reading = now
		s.mu.Lock()
		s.begin(func() {
			var changed bool
			changed, now.err = index.UpdateTraces(s.ctx, run)
			e.mu.Lock()
			e.reading = nil
			e.mu.Unlock()
			close(now.done)
			if now.err == nil && changed && run.Manifest.State != store.Running {
				_ = index.Save() // of a folder that cannot be written, the index stays in memory
			}
		})
		s.mu.Unlock()
	}
	e.mu.Unlock()
	select {
	case <-now.done:
		return run, index, now.err
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	case <-time.After(patience):
		return nil, nil, errReading
	}
}
