package runner

import (
	"sync"

	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// Output receives all that a run produces: the run folder does, the progress on a terminal, an exporter of traces.
//
// Order: every output of a run gets the same calls in the same order, and the run folder gets each first. An exchange
// comes before the events that rest on its reply. The events of a trace come as they happen, and its end after them:
// see trace.Event.End. Every trace that began has one end, even if it panicked, was cancelled, or wrote too much.
// After it, only trace.Extraction events of the trace follow. A record comes after the ends of its traces, and after
// the events and exchanges of its decision. Traces run side by side, and so their calls alternate.
//
// Concurrency: the calls come one at a time, from several goroutines. The run waits for each of them, so an output with
// slow work does that in a goroutine of its own. An output must not call the run that calls it, must not panic, and
// must not change what it gets, since others get the same.
//
// Errors: the methods return none, since no output but the run folder can stop a run. An output that cannot keep
// something drops it, keeps the first error, and reports that at its end (Ender). After an error of the run folder, and
// after a cancellation, the calls of the running traces still come. A cancelled trace has an end with the stop reason
// trace.Cancelled, and its query has no record.
//
// Resuming: the calls are those of this session alone. A trace that an earlier session finished does not come again.
// The record of its query comes, if that was undecided. Fields named Session are zero; the run folder sets them.
//
// Replaying: a replay is a new run, and its calls are like those of any other.
type Output interface {
	// Exchange gets each exchange with a model: of an agent, an extractor, a verifier or a judge.
	Exchange(store.Exchange)
	// Event gets each event of a trace.
	Event(trace.Event)
	// Record gets the record of each query and configuration. It comes once in a run, however often that is resumed,
	// unless the record is made again because a trace or a judge of it had failed.
	Record(store.Record)
}

// Watcher is an Output that also gets how far the run is.
type Watcher interface {
	Output
	// Progress gets the state of each configuration at the start, with what earlier sessions decided, and whenever it
	// changes: a trace began or ended, or a query was decided. A trace's end and a record come before the changes that
	// they make. The calls do not overlap with those of Output.
	Progress(Progress)
}

// Ender is an Output that has something to do at the end of a run: to send the rest, or to report an error.
type Ender interface {
	Output
	// End comes once for each call of Plan.Run, after all other calls, with the error that Run returns. The run folder
	// is not finished before, so its log can be written.
	End(error)
}

// NoOutput is an Output that keeps nothing. Others embed it, and have only the methods that they need.
type NoOutput struct{}

func (NoOutput) Exchange(store.Exchange) {}
func (NoOutput) Event(trace.Event)       {}
func (NoOutput) Record(store.Record)     {}

// outputs pass each call to the outputs of a run, one call at a time.
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

// progress passes a state, which change returns after it has changed it.
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
