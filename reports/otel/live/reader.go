package live

import (
	"context"
	"sync"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/reports/otel"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// maxWaiting is the maximum number of queries that wait to be read from the folder.
const maxWaiting = 256

// reader reads queries from the run folder while the run is in progress, describes them and puts them into the queue.
type reader struct {
	dir       string
	describer *otel.Describer
	queue     *queue
	jobs      chan job
	done      chan struct{} // closed after the last job

	mu      sync.Mutex
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
	in := &folder{index: store.NewIndex()}
	for {
		select {
		case j := <-r.jobs:
			if err := r.read(ctx, in, j); err != nil {
				r.count(-1, 1)
			} else {
				r.count(-1, 0)
			}
		case <-ctx.Done():
			return
		}
	}
}

func (r *reader) read(ctx context.Context, in *folder, j job) (err error) {
	if in.run == nil {
		in.run, err = store.Open(r.dir)
	}
	if err == nil {
		err = in.index.UpdateTraces(ctx, in.run)
	}
	for _, record := range j.records {
		if err != nil {
			return err
		}
		var spans otel.Spans
		if spans, err = r.describer.Read(in, record, j.skip); err == nil {
			r.queue.addSlowly(ctx, spans)
		}
	}
	return err
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

// folder reads from a run folder that is being written.
type folder struct {
	run   *store.Run
	index *store.Index
}

// Events returns the events of a trace.
func (f *folder) Events(id trace.ID) ([]trace.Event, error) { return f.index.ReadEvents(f.run, id) }

// Exchanges returns the exchanges of a conversation.
func (f *folder) Exchanges(of model.Identity) ([]store.Exchange, error) {
	return f.index.ReadExchanges(f.run, of)
}

// Questions returns the conversations with verifier, judges and extractor about a query.
func (f *folder) Questions(query string) ([]model.Identity, error) {
	return f.index.Questions(query), nil
}
