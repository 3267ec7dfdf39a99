package runner

import (
	"sync"

	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// Output receives everything that a run produces. The run folder, the progress display and an exporter of
// traces are outputs.
//
// Order: all outputs of a run get the same calls in the same order, and the run folder gets each call first. An
// exchange comes before the events that depend on its reply. The events of a trace come as they happen, and
// then its end (see trace.Event.End). Every trace that began has exactly one end, even if its agent panicked,
// if it was cancelled, or if it wrote too much. After the end, only trace.Extraction events of the trace
// follow. A record comes after the ends of its traces, and after the events and exchanges of its decision.
// Traces run concurrently, so calls of different traces alternate.
//
// Concurrency: the calls come one at a time, from several goroutines. The run waits for each call, so an output
// must do slow work in another goroutine. An output must not call the run that calls it, must not panic, and
// must not change its arguments, because all outputs share them.
//
// Errors: the methods return no error, because only the run folder can stop a run. If an output cannot store
// something, it drops it, keeps the first error, and reports this error at the end (Ender). After an error of
// the run folder, and after a cancellation, the calls of the running traces still come. A cancelled trace has
// an end with the stop reason trace.Cancelled, and its query has no record.
//
// Resuming: an output gets only the calls of this session. It does not get traces that an earlier session
// finished. But it gets the record of a query that this session decides, even if all traces of the query are
// from earlier sessions. Fields named Session are zero; the run folder sets them.
//
// Replaying: a replay is a new run, and makes the same calls as any other run.
type Output interface {
	// Exchange gets each exchange with a model: of an agent, an extractor, a verifier or a judge.
	Exchange(store.Exchange)
	// Event gets each event of a trace.
	Event(trace.Event)
	// Record gets the record of each query and configuration. In a run it is called once for each, however
	// often the run is resumed. There is one exception: after a failed trace or judge, a record may be made
	// again, and Record is then called again.
	Record(store.Record)
}

// Watcher is an Output that also gets the progress of the run.
type Watcher interface {
	Output
	// Progress gets the state of each configuration: once at the start, with the decisions of earlier sessions,
	// and after each change. A change is the beginning or the end of a trace, or the decision of a query. The
	// outputs get the end of the trace, or the record, before Progress is called. Calls of Progress and calls
	// of Output never overlap.
	Progress(Progress)
}

// Ender is an Output that has work to do at the end of a run, such as sending the last data or reporting an
// error.
type Ender interface {
	Output
	// End is called once for each call of Plan.Run, after all other calls. Its argument is the error that Run
	// returns. The run folder is still open at that time, so that an output can write to the run's log.
	End(error)
}

// NoOutput is an Output that ignores all calls. Embed it to implement only some of the methods.
type NoOutput struct{}

func (NoOutput) Exchange(store.Exchange) {}
func (NoOutput) Event(trace.Event)       {}
func (NoOutput) Record(store.Record)     {}

// outputs passes each call to all outputs of a run, one call at a time.
type outputs struct {
	mu       sync.Mutex
	all      []Output // the run folder first
	watchers []Watcher
}

func newOutputs(folder *store.Writer, others []Output) *outputs {
	o := &outputs{all: append([]Output{folder}, others...)}
	for _, to := range others {
		if w, watches := to.(Watcher); watches {
			o.watchers = append(o.watchers, w)
		}
	}
	return o
}

func (o *outputs) Exchange(x store.Exchange) { o.each(func(to Output) { to.Exchange(x) }) }
func (o *outputs) Event(e trace.Event)       { o.each(func(to Output) { to.Event(e) }) }
func (o *outputs) Record(r store.Record)     { o.each(func(to Output) { to.Record(r) }) }

func (o *outputs) each(call func(Output)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, to := range o.all {
		call(to)
	}
}

// progress calls change, and passes the state that change returns to all watchers.
func (o *outputs) progress(change func() Progress) {
	o.mu.Lock()
	defer o.mu.Unlock()
	p := change()
	for _, w := range o.watchers {
		w.Progress(p)
	}
}

func (o *outputs) end(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, to := range o.all {
		if e, ends := to.(Ender); ends {
			e.End(err)
		}
	}
}
