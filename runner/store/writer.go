package store

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/store/disk"
	"github.com/seed-5817661a/concur/runner/store/runfiles"
	"github.com/seed-5817661a/concur/trace"
)

// syncEvery is the time between two syncs. It limits the loss in a power failure.
const syncEvery = time.Second

// Writer writes a run folder. Its methods are safe for concurrent use; one goroutine does the writing. After
// the first write error it writes nothing more: it closes the channel Failed, and Finish returns the error.
type Writer struct {
	dir      string
	disk     *disk.Disk
	manifest Manifest
	log      *os.File
	items    chan item
	finish   sync.Once
	finished chan struct{} // closed when no more lines will be appended
	done     chan struct{} // closed when the writing goroutine has ended
	failed   chan struct{}
	err      error // set before failed is closed
	sizes    sizes
	sealed   map[string]Sealed // sizes and hashes of the files; set before done is closed
	beside   map[string]string // digests of the folder's other files when this session began
	index    *indexer          // nil except for a new run; used by the writing goroutine, and by Finish
	settings map[string]bool   // request settings that this session has written in full
}

// item is one line to append. If flush is true, this line and all lines before it are written to the files.
type item struct {
	file  runfiles.File
	value any
	flush bool
}

// newWriter returns a writer for a folder that already has its manifest.
func newWriter(dir string, d *disk.Disk, m Manifest, log *os.File) (*Writer, error) {
	beside, err := runfiles.DigestsBeside(dir)
	if err != nil {
		return nil, err
	}
	if m.Agents = maps.Clone(m.Agents); m.Agents == nil {
		m.Agents = map[string]AgentFacts{}
	}
	return &Writer{
		dir: dir, disk: d, manifest: m, log: log, beside: beside, settings: map[string]bool{},
		items: make(chan item, 256), finished: make(chan struct{}), done: make(chan struct{}),
		failed: make(chan struct{}),
	}, nil
}

func (w *Writer) Dir() string { return w.dir }

// Log returns the open run.log.
func (w *Writer) Log() *os.File { return w.log }

// Failed returns a channel that is closed after a write error; the run should then stop.
func (w *Writer) Failed() <-chan struct{} { return w.failed }

// Err returns the write error if Failed is closed, otherwise nil.
func (w *Writer) Err() error {
	select {
	case <-w.failed:
		return w.err
	default:
		return nil
	}
}

// session returns the number of resumptions of the run.
func (w *Writer) session() int { return len(w.manifest.Resumed) }

// Event appends to trace.jsonl, and flushes at the end of a trace.
func (w *Writer) Event(e trace.Event) {
	e.Session = w.session()
	_, last := e.Body.(trace.Conclusion)
	w.append(item{runfiles.Traces, e, last})
}

// Exchange appends to chat.jsonl.
func (w *Writer) Exchange(x Exchange) {
	x.Session = w.session()
	w.append(item{runfiles.Chat, x, false})
}

// Record appends to results.jsonl and flushes.
func (w *Writer) Record(r Record) {
	r.Timing.Session = w.session()
	w.append(item{runfiles.Results, r, true})
}

func (w *Writer) append(i item) {
	select {
	case w.items <- i:
	case <-w.done: // the writer has stopped
	}
}

// write runs in the writing goroutine: it appends the items, and closes the files.
func (w *Writer) write(files *runfiles.Set) {
	defer close(w.done)
	tick := time.NewTicker(syncEvery)
	defer tick.Stop()
	for w.err == nil {
		select {
		case i := <-w.items:
			w.put(files, i)
		case <-tick.C:
			w.fail(files.Sync())
		case <-w.finished:
			w.drain(files)
			w.fail(files.Close())
			w.sealed = files.Sealed()
			return
		}
	}
	// The first error is returned by Finish, so a second error, of closing, goes to the log.
	if err := files.Close(); err != nil {
		slog.New(slog.NewTextHandler(w.log, nil)).Error("close run files", "error", err)
	}
}

// drain appends the items that are left in the channel.
func (w *Writer) drain(files *runfiles.Set) {
	for w.err == nil {
		select {
		case i := <-w.items:
			w.put(files, i)
		default:
			return
		}
	}
}

// put appends an item. It also records the digest of the agent's request, and the model's name in the
// provider's reply.
func (w *Writer) put(files *runfiles.Set, i item) {
	if w.reported(files, i) {
		return
	}
	before := files.Size(i.file)
	w.fail(w.appendTo(files, i))
	w.sizes.add(i.value, files.Size(i.file)-before)
	x, ok := i.value.(Exchange)
	if ok && x.Purpose == model.Agent && x.Response != nil {
		w.manifest.Agents[x.Agent] = w.manifest.Agents[x.Agent].heard(x)
	}
}

// Written returns the number of bytes that were written for an unfinished trace: its events, and its agent's
// exchanges. The most recent lines may be missing in this number.
func (w *Writer) Written(id trace.ID) int64 { return w.sizes.of(id) }

// sizes counts the bytes written for each unfinished trace. The zero value is ready to use. It is safe for
// concurrent use.
type sizes struct {
	mu    sync.Mutex
	bytes map[trace.ID]int64
}

func (s *sizes) of(id trace.ID) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bytes[id]
}

func (s *sizes) add(line any, n int64) {
	var id trace.ID
	ended := false
	switch x := line.(type) {
	case trace.Event:
		if x.Name() == trace.ExtractionEvent {
			return // the event comes after the trace's end
		}
		_, last := x.Body.(trace.Conclusion)
		id, ended = x.ID, last && x.Path == ""
	case Exchange:
		if x.Purpose != model.Agent {
			return
		}
		id = traceOf(x.Identity)
	default:
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if ended {
		delete(s.bytes, id)
		return
	}
	if s.bytes == nil {
		s.bytes = map[trace.ID]int64{}
	}
	s.bytes[id] += n
}

func (w *Writer) fail(err error) {
	if err != nil && w.err == nil {
		kept := "earlier lines are kept"
		switch {
		case errors.Is(err, runfiles.ErrVanished):
			kept = "earlier lines are in the moved folder, if it still exists"
		case errors.Is(err, runfiles.ErrChanged):
			kept = "keep the undamaged lines with `" + RepairCommand(w.dir) + "`"
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

// Finish waits until everything is on disk, sets the manifest's state and releases the lock. It returns a
// write error, or runfiles.ErrChanged if another program changed a file of the folder; the state is then failed. Lines
// appended later are dropped.
func (w *Writer) Finish(state State, end time.Time) error {
	w.finish.Do(func() { close(w.finished) })
	<-w.done
	err := w.err
	if err == nil {
		err = w.changedBeside()
	}
	if err != nil {
		state = Failed
	}
	w.manifest.State, w.manifest.End = state, &end
	if state == Complete {
		w.manifest = w.manifest.WithFiles(w.sealed)
	}
	w.countWorkers()
	err = errors.Join(err, w.manifest.Write(w.disk, w.dir), w.log.Close())
	w.index.finish(w.disk, state, w.sealed, err)
	return err
}

// changedBeside returns an error for files that another program changed, added or removed. It does not report
// the manifest, because the manifest is written again at the end.
func (w *Writer) changedBeside() error {
	now, err := runfiles.DigestsBeside(w.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // writing the manifest reports the error
	}
	if err != nil {
		return err
	}
	for name := range w.beside {
		if _, there := now[name]; !there {
			now[name] = ""
		}
	}
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if now[name] != w.beside[name] {
			return fmt.Errorf("%s %w: look at it, and keep the undamaged lines with `%s`",
				filepath.Join(w.dir, name), runfiles.ErrChanged, RepairCommand(w.dir))
		}
	}
	return nil
}

// AddTelemetry adds the counts of this session to those that Finish writes.
func (w *Writer) AddTelemetry(t Telemetry) {
	before := Telemetry{}
	if w.manifest.Telemetry != nil {
		before = *w.manifest.Telemetry
	}
	w.manifest.Telemetry = before.plus(t)
}
