package live

import (
	"context"
	"sync"
	"time"

	"github.com/seed-5817661a/concur/reports/otel"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// maxWaiting is the maximum number of queries that wait to be read from the folder. gather is how long the first of
// them waits for others, because the files are opened once for all of them.
const (
	maxWaiting = 256
	gather     = 50 * time.Millisecond
)

// reader reads queries from the run folder while the run is in progress, describes them and puts them into the queue.
type reader struct {
	dir       string
	describer *otel.Describer
	queue     *queue
	jobs      chan job
	done      chan struct{} // closed after the last job

	mu      sync.Mutex
	settled []trace.ID    // traces that need not be read any more
	waiting int           // jobs that are not done
	dropped int           // jobs that found no room, or could not be read
	idle    chan struct{} // closed when waiting becomes 0 after finish
}

// job is a query to read. skip is as in otel.Describer.Read.
type job struct {
	records []store.Record
	skip    func(trace.ID) bool
}

func newReader(ctx context.Context, dir string, d *otel.Describer, q *queue) *reader {
	r := &reader{dir: dir, describer: d, queue: q, jobs: make(chan job, maxWaiting), done: make(chan struct{})}
	go r.work(ctx)
	return r
}

// later reads a query when its lines are in the files.
func (r *reader) later(folder *store.Writer, records []store.Record, skip func(trace.ID) bool) {
	r.count(1, 0)
	folder.Stored(func() {
		select {
		case r.jobs <- job{records, skip}:
		default:
			r.count(-1, 1)
		}
	})
}

// settle says that the traces of a record need not be read any more, so that the index can forget them.
func (r *reader) settle(folder *store.Writer, record store.Record) {
	folder.Stored(func() { // the index must know the lines before it can forget them
		r.mu.Lock()
		defer r.mu.Unlock()
		r.settled = append(r.settled, tracesOf(record)...)
	})
}

func tracesOf(r store.Record) []trace.ID {
	ids := make([]trace.ID, len(r.Answers))
	for i, a := range r.Answers {
		ids[i] = trace.ID{Agent: r.Agent, Query: r.Query, Trace: a.Trace}
	}
	return ids
}

func (r *reader) count(waiting, dropped int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waiting, r.dropped = r.waiting+waiting, r.dropped+dropped
	if r.waiting == 0 && r.idle != nil {
		close(r.idle)
		r.idle = nil
	}
}

func (r *reader) work(ctx context.Context) {
	defer close(r.done)
	in := &folder{dir: r.dir, index: store.NewIndex()}
	for {
		select {
		case first := <-r.jobs:
			select {
			case <-time.After(gather):
			case <-ctx.Done():
			}
			jobs := []job{first}
			for len(r.jobs) > 0 { // only this goroutine takes jobs
				jobs = append(jobs, <-r.jobs)
			}
			r.read(ctx, in, jobs)
		case <-ctx.Done():
			return
		}
	}
}

// read describes the queries of jobs. It opens the files once for all of them.
func (r *reader) read(ctx context.Context, in *folder, jobs []job) {
	r.mu.Lock()
	settled := r.settled
	r.settled = nil
	r.mu.Unlock()
	from, err := in.open(ctx)
	if err != nil {
		r.count(-len(jobs), len(jobs))
		return
	}
	defer from.Close() // the files were only read
	in.index.Forget(settled...)
	for _, j := range jobs {
		if r.describe(ctx, in.index, from, j) == nil {
			r.count(-1, 0)
		} else {
			r.count(-1, 1)
		}
	}
}

func (r *reader) describe(ctx context.Context, index *store.Index, from otel.Folder, j job) error {
	for _, record := range j.records {
		spans, err := r.describer.Read(from, record, j.skip)
		if err != nil {
			return err
		}
		r.queue.addSlowly(ctx, spans)
	}
	for _, record := range j.records {
		index.Forget(tracesOf(record)...)
	}
	return nil
}

// finish waits until all jobs are done, and returns how many were not.
func (r *reader) finish(within context.Context, failed <-chan struct{}) (left int) {
	r.mu.Lock()
	idle := make(chan struct{})
	if r.waiting == 0 {
		close(idle)
	} else {
		r.idle = idle
	}
	r.mu.Unlock()
	select {
	case <-idle:
	case <-within.Done():
	case <-failed: // the lines will never be in the files
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.waiting + r.dropped
}

// folder is a run folder that is being written.
type folder struct {
	dir   string
	run   *store.Run
	index *store.Index
}

// open opens the files of the run, with an index of the lines that they have now.
func (f *folder) open(ctx context.Context) (_ *store.Traces, err error) {
	if f.run == nil {
		f.run, err = store.Open(f.dir)
	}
	if err == nil {
		err = f.index.UpdateTraces(ctx, f.run)
	}
	if err != nil {
		return nil, err
	}
	return f.index.Open(f.run)
}
