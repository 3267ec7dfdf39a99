package worker

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/seed-5817661a/concur/internal/slot"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/hub/link"
	"github.com/seed-5817661a/concur/runner/hub/wire"
)

// Maker makes the traces of one run.
type Maker interface {
	// Agents returns the hashes of the agents, computed by this process.
	Agents() []string
	// Run makes a trace, as runner.Local does.
	Run(ctx context.Context, job runner.Job, out runner.Buffer) error
	// Broken returns why the agents no longer work on this machine, such as a key that an endpoint refuses; nil if they
	// may. It is then pointless to make further traces with this Maker.
	Broken() error
	Close() error
}

// Options configure a worker.
type Options struct {
	Link    *link.Link
	Name    string // of this process; different for each worker of a hub
	Version string // of concur
	Places  int    // traces that run at the same time, at least 1
	// Grace is the time in which running traces may end after the worker was told to stop. The others are given back.
	Grace time.Duration
	// Open opens the agents of a run. object reads an object of the run's bucket. The context of the maker's traces is
	// not ctx.
	Open func(ctx context.Context, plan wire.Plan, object Object) (Maker, error)
	Log  func(string)
}

// Object reads an object of a run's bucket.
type Object func(ctx context.Context, name string) ([]byte, error)

// Times of a worker.
const (
	lookEvery  = time.Second            // between two looks for runs, and for a consumer that was lost
	fetchWait  = time.Second            // of one fetch
	shareWait  = 100 * time.Millisecond // of one fetch if there are several runs
	aliveEvery = 5 * time.Second        // between two messages that the worker lives
	openEvery  = 10 * time.Second       // between two attempts to open the agents of a run
	mostRest   = time.Minute            // maximum of that time, for agents that broke again and again
	planEvery  = 2 * time.Second        // between two comparisons of a plan with that of the hub
	goneLooks  = 10                     // looks without the stream after which a run has ended
	heedEvery  = 3 * time.Second        // between two looks whether a run has ended
)

// worker is a worker at work.
type worker struct {
	Options
	quiet sync.RWMutex // held for writing by a trace that runs alone

	mu      sync.Mutex
	runs    map[wire.Run]*engagement
	retired []*engagement // with an earlier plan of a run; they are closed when their traces have ended
	turn    int           // for sharing places between runs

	poke chan struct{} // of size 1: a coordinator has said that its run has ended
}

// engagement is a run on which the worker works.
type engagement struct {
	run   wire.Run
	maker Maker // nil if the agents cannot be opened
	plan  wire.Plan
	cause string // why maker is nil

	openTime time.Time
	rest     time.Duration // before the agents are opened again; at least openEvery
	digest   string        // of the plan
	checked  time.Time     // when the plan was last compared; used only by the goroutine of look
	missing  int           // looks at the hub that did not find the run; guarded by worker.mu
	retired  time.Time     // when another engagement replaced this one; guarded by worker.mu

	mu       sync.Mutex
	consumer jetstream.Consumer // nil if it was lost
	looked   time.Time          // when the consumer was last looked for
	running  map[string]bool    // keys of traces
	refused  bool               // the hub does not store results
	endSaid  bool               // a coordinator has said that the run has ended
	over     chan struct{}      // closed when the traces that run now are no longer needed
}

// Work makes traces until ctx is done. It returns after Grace at the latest.
func Work(ctx context.Context, o Options) error {
	w := &worker{Options: o, runs: map[wire.Run]*engagement{}, poke: make(chan struct{}, 1)}
	hard, cancel := context.WithCancel(slot.With(context.WithoutCancel(ctx), runtime.GOMAXPROCS(0)))
	defer cancel()
	stopGrace := context.AfterFunc(ctx, func() {
		select {
		case <-time.After(w.Grace):
			w.Log(fmt.Sprintf("%v have passed: the other traces are given back", w.Grace))
			cancel()
		case <-hard.Done():
		}
	})
	defer stopGrace()
	who, err := w.Link.Conn.Subscribe(wire.WhoSubject, w.answer)
	if err != nil {
		return fmt.Errorf("listen to questions at the hub: %w", err)
	}
	defer func() { _ = who.Unsubscribe() }() // the connection is closed soon
	ends, err := w.Link.Conn.Subscribe(wire.EndSubjects, w.hearEnd)
	if err != nil {
		return fmt.Errorf("listen to coordinators at the hub: %w", err)
	}
	defer func() { _ = ends.Unsubscribe() }()
	var places, others sync.WaitGroup
	others.Go(func() { w.look(ctx) })
	others.Go(func() { w.live(hard) })
	others.Go(func() { w.heed(hard) })
	for range w.Places {
		places.Go(func() { w.place(ctx, hard) })
	}
	places.Wait()
	cancel()
	others.Wait()
	return w.close()
}

// close closes the agents of all runs.
func (w *worker) close() (err error) {
	for _, e := range slices.AppendSeq(w.retired, maps.Values(w.runs)) {
		if e.maker != nil {
			if closeErr := e.maker.Close(); closeErr != nil && err == nil {
				err = closeErr
			}
		}
	}
	return err
}

// place is one place for traces: it fetches a message, and works on it.
func (w *worker) place(ctx, hard context.Context) {
	for ctx.Err() == nil {
		e, others := w.next()
		if e == nil {
			pause(ctx, shareWait)
			continue
		}
		wait := fetchWait
		if others {
			wait = shareWait
		}
		m := e.fetch(ctx, w, wait)
		switch {
		case m == nil:
		case ctx.Err() != nil:
			_ = m.Nak() // it has not begun: another place may have it at once
		default:
			w.work(ctx, hard, e, m)
		}
	}
}

// next returns the run whose turn it is; nil without a run. others reports whether there are further runs.
func (w *worker) next() (e *engagement, others bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var ready []*engagement
	for _, e := range w.runs {
		if e.maker != nil {
			ready = append(ready, e)
		}
	}
	if len(ready) == 0 {
		return nil, false
	}
	w.turn++ // the order of the map is random, and so is the choice
	return ready[w.turn%len(ready)], len(ready) > 1
}

// fetch fetches one message; nil if there was none in this time.
func (e *engagement) fetch(ctx context.Context, w *worker, wait time.Duration) jetstream.Msg {
	consumer := e.find(ctx, w)
	if consumer == nil {
		pause(ctx, shareWait)
		return nil
	}
	batch, err := consumer.Fetch(1, jetstream.FetchMaxWait(wait))
	if err == nil {
		for m := range batch.Messages() {
			return m
		}
		err = batch.Error()
	}
	if err != nil { // whatever it is: look for the consumer again
		e.mu.Lock()
		e.consumer = nil
		e.mu.Unlock()
		pause(ctx, shareWait)
	}
	return nil
}

// find returns the consumer of the run's work; nil if it was not found. It looks for a lost one every second.
func (e *engagement) find(ctx context.Context, w *worker) jetstream.Consumer {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.consumer != nil || time.Since(e.looked) < lookEvery {
		return e.consumer
	}
	e.looked = time.Now()
	ctx, cancel := context.WithTimeout(ctx, link.Timeout)
	defer cancel()
	if c, err := w.Link.JS.Consumer(ctx, e.run.Work(), wire.Workers); err == nil {
		e.consumer = c
	}
	return e.consumer
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
