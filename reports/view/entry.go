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

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/reports/listing"
	"github.com/seed-5817661a/concur/runner/store"
)

// entry is a run folder with the data read from it. The data is read again when its files change.
type entry struct {
	name, dir string

	mu       sync.Mutex
	run      *store.Run
	manifest os.FileInfo // run.yaml, when run was read
	summary  *result.Result
	stored   os.FileInfo // summary.json, when summary was read
	index    *store.Index
}

// entry returns the entry of a run folder by the folder's name.
func (s *server) entry(name string) (*entry, error) {
	if name == "." || !filepath.IsLocal(name) || filepath.Base(name) != name || strings.ContainsRune(name, 0) {
		return nil, problem{http.StatusNotFound, "There is no such run: the name is not the name of a folder."}
	}
	e := &entry{name: name, dir: filepath.Join(s.RunsDir, name)}
	kept, known := s.runs.Load(name)
	if known {
		e = kept.(*entry)
	}
	_, err := e.open()
	switch {
	case errors.Is(err, fs.ErrNotExist) && known:
		return nil, problem{http.StatusGone, "The folder of run " + name +
			" was deleted or moved. The list shows the remaining runs."}
	case errors.Is(err, fs.ErrNotExist):
		return nil, problem{http.StatusNotFound,
			"There is no run " + name + " in " + s.RunsDir + ". The list shows all runs."}
	case err != nil:
		return nil, err
	}
	kept, _ = s.runs.LoadOrStore(name, e)
	return kept.(*entry), nil
}

// open returns the run. It reads the manifest again if that has changed.
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
	switch {
	case err != nil:
		return nil, err
	case len(run.Manifest.Configurations) == 0:
		return nil, fmt.Errorf("read %s: it has no configuration", filepath.Join(e.dir, "run.yaml"))
	}
	if err := run.Manifest.CheckSeal(); err != nil {
		return nil, fmt.Errorf("run %s: %w", e.name, err)
	}
	e.run, e.manifest = run, info
	return run, nil
}

func unchanged(now, before os.FileInfo) bool {
	return before != nil && os.SameFile(now, before) && now.Size() == before.Size() &&
		now.ModTime().Equal(before.ModTime())
}

// figures returns the figures in summary.json; nil before the run is complete.
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
		return nil, fmt.Errorf("read %s: it belongs to another run", result.Path(e.dir))
	}
	e.summary, e.stored = summary, info
	return summary, nil
}

// listed is an entry of a list of runs.
type listed struct {
	*entry
	listing.RunEntry
}

func (e *entry) listed() (listed, error) {
	run, err := e.open()
	if err != nil {
		return listed{}, err
	}
	out := listed{e, listing.RunEntry{Manifest: run.Manifest}}
	out.Run = e.name // the name of the folder, which may differ from the run's
	if out.Bytes, err = run.Size(); err == nil {
		out.Summary, err = e.figures(run)
	}
	return out, err
}

// records returns the run and its index, updated for lists of queries.
func (e *entry) records(ctx context.Context) (*store.Run, *store.Index, error) {
	run, err := e.open()
	if err != nil {
		return nil, nil, err
	}
	e.mu.Lock()
	if e.index == nil {
		e.index = store.NewIndex()
	}
	index := e.index
	e.mu.Unlock()
	return run, index, index.UpdateRecords(ctx, run)
}

// traces returns the run and its index, updated for traces. Reading a large run takes long, so it continues
// when the browser disconnects; otherwise the next request would begin again.
func (e *entry) traces(ctx context.Context) (*store.Run, *store.Index, error) {
	run, index, err := e.records(ctx)
	if err != nil {
		return nil, nil, err
	}
	return run, index, index.UpdateTraces(context.WithoutCancel(ctx), run)
}
