package store

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/trace"
)

// syncEvery limits the loss in a power failure.
const syncEvery = time.Second

// Writer writes a run folder. Its methods are safe for concurrent use; one goroutine does the
// writing. The first write error stops it: Failed is closed, and Finish returns the error.
type Writer struct {
	dir      string
	disk     *disk
	manifest Manifest
	log      *os.File
	items    chan item
	finish   sync.Once
	finished chan struct{} // closed when nothing more will be appended
	done     chan struct{} // closed when the writing goroutine has ended
	failed   chan struct{}
	err      error // set before failed is closed
}

// item is one line to append. flush writes everything up to it to the files.
type item struct {
	file  fileIndex
	value any
	flush bool
}

func newWriter(dir string, d *disk, m Manifest, log *os.File) *Writer {
	if m.Agents = maps.Clone(m.Agents); m.Agents == nil {
		m.Agents = map[string]AgentFacts{}
	}
	return &Writer{
		dir: dir, disk: d, manifest: m, log: log,
		items: make(chan item, 256), finished: make(chan struct{}), done: make(chan struct{}), failed: make(chan struct{}),
	}
}

func (w *Writer) Dir() string { return w.dir }

// Log is run.log.
func (w *Writer) Log() *os.File { return w.log }

// Failed is closed after a write error; the run should then stop.
func (w *Writer) Failed() <-chan struct{} { return w.failed }

// Err is the write error once Failed is closed, else nil.
func (w *Writer) Err() error {
	select {
	case <-w.failed:
		return w.err
	default:
		return nil
	}
}

// session counts the resumptions of the run.
func (w *Writer) session() int { return len(w.manifest.Resumed) }

// Event appends to trace.jsonl, and flushes at the end of a trace.
func (w *Writer) Event(e trace.Event) {
	e.Session = w.session()
	_, last := e.Body.(trace.Conclusion)
	w.append(item{traceFile, e, last})
}

// Exchange appends to chat.jsonl.
func (w *Writer) Exchange(x Exchange) {
	x.Session = w.session()
	w.append(item{chatFile, x, false})
}

// Record appends to results.jsonl and flushes.
func (w *Writer) Record(r Record) {
	r.Timing.Session = w.session()
	w.append(item{resultsFile, r, true})
}

func (w *Writer) append(i item) {
	select {
	case w.items <- i:
	case <-w.done: // the writer has stopped
	}
}

// write is the writing goroutine.
func (w *Writer) write(files *files) {
	defer close(w.done)
	tick := time.NewTicker(syncEvery)
	defer tick.Stop()
	for w.err == nil {
		select {
		case i := <-w.items:
			w.put(files, i)
		case <-tick.C:
			w.fail(files.sync())
		case <-w.finished:
			w.drain(files)
			w.fail(files.close())
			return
		}
	}
	// Only the first error is returned; that of closing goes to the log.
	if err := files.close(); err != nil {
		slog.New(slog.NewTextHandler(w.log, nil)).Error("close run files", "error", err)
	}
}

// drain appends the remaining items.
func (w *Writer) drain(files *files) {
	for w.err == nil {
		select {
		case i := <-w.items:
			w.put(files, i)
		default:
			return
		}
	}
}

// put appends an item, and notes what an agent's provider got, and under which name it answered.
func (w *Writer) put(files *files, i item) {
	w.fail(files.append(i))
	x, ok := i.value.(Exchange)
	if ok && x.Purpose == model.Agent && x.Response != nil {
		w.manifest.Agents[x.Agent] = w.manifest.Agents[x.Agent].heard(x)
	}
}

func (w *Writer) fail(err error) {
	if err != nil && w.err == nil {
		kept := "earlier lines are kept"
		if errors.Is(err, ErrVanished) {
			kept = "earlier lines are in the moved folder, if it still exists"
		}
		w.err = fmt.Errorf("write run folder: %w; %s", err, kept)
		close(w.failed)
	}
}

// SetDataset replaces the dataset that Finish writes, for a run whose queries arrive one by one.
func (w *Writer) SetDataset(d Dataset) {
	w.manifest.Dataset = d
	w.manifest.Seal = w.manifest.seal()
}

// Finish waits until everything is on disk, sets the manifest's state and releases the lock. After
// a write error, the state is failed and the error is returned. Later appends are dropped.
func (w *Writer) Finish(state State, end time.Time) error {
	w.finish.Do(func() { close(w.finished) })
	<-w.done
	if w.err != nil {
		state = Failed
	}
	w.manifest.State, w.manifest.End = state, &end
	return errors.Join(w.err, w.manifest.write(w.disk, w.dir), w.log.Close())
}

func openLog(d *disk, dir string) (*os.File, error) {
	return d.open(filepath.Join(dir, "run.log"), os.O_CREATE|os.O_WRONLY)
}
