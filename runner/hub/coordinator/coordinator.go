package coordinator

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/seed-5817661a/concur/runner/hub/link"
	"github.com/seed-5817661a/concur/runner/hub/wire"
	"github.com/seed-5817661a/concur/trace"
)

// Times of the protocol. The zero value means the defaults; tests use shorter ones.
type Times struct {
	// AckWait is the time after which a trace whose worker is not heard is given to another; 0 means 30 s.
	AckWait time.Duration
	// The lease is renewed after LeaseEvery (3 s), and ends after LeaseFor (10 s).
	LeaseEvery, LeaseFor time.Duration
	// QuietAfter is the time without an answer of the hub after which the user gets a warning; 0 means link.QuietAfter.
	QuietAfter time.Duration
}

func (t Times) orDefault() Times {
	return Times{cmp.Or(t.AckWait, 30*time.Second), cmp.Or(t.LeaseEvery, leaseEvery), cmp.Or(t.LeaseFor, leaseFor),
		cmp.Or(t.QuietAfter, link.QuietAfter)}
}

// Options configure a coordinator.
type Options struct {
	Link *link.Link
	Run  wire.Run
	Dir  string // the run folder
	// Agents are the hashes of the agents of the run. Send stores the plan of the run at the hub, without AckWait.
	Agents []string
	Send   func(ctx context.Context, bucket jetstream.ObjectStore) (wire.Plan, error)
	// Has reports whether a trace is of the plan. Finished reports whether an earlier session of the run finished it.
	Has, Finished func(trace.ID) bool
	// Places is the number of traces that are asked for at the same time; 0 means four for each place of the workers,
	// and at least 64.
	Places int
	// Losses is the number of workers that a trace may lose before it ends as infra; 0 means that there is no limit.
	Losses int
	Times  Times
	// Made gets the worker that made a trace, and its version of concur, when the trace is in the files; the version is
	// "" if the worker was not heard. It may be nil, and is called once for each trace, one at a time.
	Made func(id trace.ID, worker, version string)
	// Log gets messages for the run's log, Warn messages for the user.
	Log, Warn func(string)
}

// Counts are numbers of a session. Doubled are results of traces that had one already, Refused are those that could not
// be used, Foreign those of traces that are not of the plan, Early those that came before they were asked for, and
// Twice are parts that came twice. Again counts traces that were asked for again,
// Losses those that were lost with their worker, and Infra those that ended for this reason.
type Counts struct{ Doubled, Refused, Foreign, Early, Twice, Again, Losses, Infra int }

// Coordinator asks the workers of a hub for the traces of a run.
type Coordinator struct {
	o        Options
	lease    *lease
	incoming incoming
	stop     context.CancelFunc
	ending   context.Context
	running  sync.WaitGroup
	heard    []*nats.Subscription
	asks     chan *want // traces that are to be asked for

	mu       sync.Mutex
	wanted   map[wire.TraceKey]*want
	early    map[wire.TraceKey]*arrival  // results that nobody has asked for yet
	done     map[wire.TraceKey]finished  // traces that have their result
	workers  map[string]*seen            // by name
	losses   map[wire.TraceKey]*lossesOf // of traces that were begun and have no result
	counts   Counts
	pace     pace
	last     time.Time // when something was last received, or asked for again
	consume  jetstream.ConsumeContext
	results  string // the name of the consumer of results
	ended    bool
	draining bool // see Drain
	failed   chan struct{}
	err      error // set before failed is closed
	warnings map[string]bool
	printed  map[string]bool // texts of workers
}

// want is a trace that was asked for.
type want struct {
	id     trace.ID
	result chan *arrival // of size 1; nil means that the trace is not made
}

// arrival is a complete result.
type arrival struct {
	delivery wire.Delivery
	sequence uint64 // of its only message; 0 if it came in parts
	stored   func() // acknowledges it
}

// finished tells how far the result of a trace is: in the files, or on its way there. Then sequence is its message.
type finished struct {
	stored   bool
	sequence uint64
}

// Begin takes the lease of a run, and makes its streams. It waits if another coordinator has the lease.
func Begin(ctx context.Context, o Options) (*Coordinator, error) {
	o.Times = o.Times.orDefault()
	c := &Coordinator{
		o: o, lease: newLease(o.Link, o.Run, o.Times), incoming: incomingIn(o.Dir),
		wanted: map[wire.TraceKey]*want{}, early: map[wire.TraceKey]*arrival{}, done: map[wire.TraceKey]finished{},
		workers: map[string]*seen{}, losses: map[wire.TraceKey]*lossesOf{}, failed: make(chan struct{}), last: time.Now(),
		pace: pace{begun: time.Now()}, asks: make(chan *want),
		warnings: map[string]bool{}, printed: map[string]bool{},
	}
	if err := c.incoming.clear(); err != nil {
		return nil, err
	}
	if err := c.lease.acquire(ctx, o.Warn); err != nil {
		return nil, fmt.Errorf("coordinate run %s: %w", o.Run, err)
	}
	c.ending, c.stop = context.WithCancel(context.WithoutCancel(ctx))
	c.begin(c.hold)
	if err := c.open(ctx); err != nil {
		c.End(context.WithoutCancel(ctx), false)
		return nil, fmt.Errorf("coordinate run %s: %w", o.Run, err)
	}
	c.begin(c.watch)
	c.begin(c.missWorkers)
	for range askers {
		c.begin(c.askFirst)
	}
	return c, nil
}

// open stores the plan, makes the streams, and begins to receive.
func (c *Coordinator) open(ctx context.Context) error {
	if err := c.send(ctx); err != nil {
		return err
	}
	if err := c.hearRemarks(); err != nil {
		return err
	}
	if err := c.listen(); err != nil { // before the streams: workers that find these say who they are
		return err
	}
	if err := c.o.Link.MakeStreams(ctx, c.o.Run, c.o.Times.AckWait); err != nil {
		return err
	}
	if err := c.purge(ctx); err != nil { // what the folder does not have is asked for again
		return fmt.Errorf("purge the stream of work: %w", err)
	}
	return c.receive(ctx)
}

// send stores the plan at the hub.
func (c *Coordinator) send(ctx context.Context) error {
	bucket, err := c.o.Link.JS.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: c.o.Run.Bucket()})
	if err != nil {
		return link.Explain("make the bucket of the plan", err)
	}
	plan, err := c.o.Send(ctx, bucket)
	if err == nil {
		plan.Schema, plan.Run, plan.AckWait, plan.Agents = wire.PlanSchema, c.o.Run, c.o.Times.AckWait, c.o.Agents
		_, err = bucket.PutBytes(ctx, wire.PlanObject, plan.Encode())
	}
	return link.Explain("store the plan at the hub", err)
}

// receive makes the consumer of results, and begins to take them.
func (c *Coordinator) receive(ctx context.Context) error {
	consumer, err := c.o.Link.Results(ctx, c.o.Run, c.lease.number(), c.o.Times.AckWait)
	if err != nil {
		return link.Explain("make the consumer of results", err)
	}
	consume, err := consumer.Consume(c.take, jetstream.PullMaxMessages(pulled),
		jetstream.ConsumeErrHandler(func(jetstream.ConsumeContext, error) {})) // watch looks after the streams
	if err != nil {
		return fmt.Errorf("receive results: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.consume != nil {
		c.consume.Stop()
	}
	c.consume, c.results = consume, consumer.CachedInfo().Name
	return nil
}

// pulled is the number of results that wait in this process. They are small, and are taken one by one.
const pulled = 64

// hold keeps the lease, and ends the run if somebody else has it.
func (c *Coordinator) hold() {
	if err := c.lease.hold(c.ending); err != nil {
		c.fail(err)
	}
}

// begin runs do in another goroutine, for which End waits. It does nothing after End.
func (c *Coordinator) begin(do func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.ended {
		c.running.Go(do)
	}
}

// Valid returns an error if another process coordinates the run. It asks the hub; an answer that does not come is no
// error.
func (c *Coordinator) Valid(ctx context.Context) error { return c.lease.renew(ctx) }

// While runs do until the session ends. An error of do ends the run.
func (c *Coordinator) While(do func(context.Context) error) {
	c.begin(func() {
		if err := do(c.ending); err != nil {
			c.fail(err)
		}
	})
}

// fail ends the run.
func (c *Coordinator) fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		c.err = err
		close(c.failed)
	}
}

// warnOnce prints a warning, once for each kind.
func (c *Coordinator) warnOnce(kind, text string) {
	c.mu.Lock()
	told := c.warnings[kind]
	c.warnings[kind] = true
	c.mu.Unlock()
	if !told {
		c.o.Warn(text)
	}
}

// End ends the session. If the run is complete, it is removed from the hub; otherwise results that come later are kept
// there for the next session.
func (c *Coordinator) End(ctx context.Context, complete bool) (Counts, error) {
	c.stop()
	for _, s := range c.heard {
		_ = s.Unsubscribe() // the connection is closed soon
	}
	c.mu.Lock()
	c.ended = true
	consume := c.consume
	c.mu.Unlock()
	if consume != nil {
		consume.Stop()
		<-consume.Closed()
	}
	c.mu.Lock()
	taken, counts := errors.Is(c.err, ErrTaken), c.counts
	c.mu.Unlock()
	c.running.Wait()
	ctx, cancel := context.WithTimeout(ctx, 2*link.Timeout)
	defer cancel()
	err := c.incoming.clear()
	switch {
	case taken: // everything there is the other coordinator's
		return counts, err
	case complete:
		err = errors.Join(err, c.o.Link.Remove(ctx, c.o.Run))
		c.sayEnd()
		return counts, err
	}
	_ = c.purge(ctx) // the next session purges it, too
	c.lease.release(ctx)
	c.sayEnd()
	return counts, err
}

// sayEnd tells the workers to stop the traces that they still make. Workers that do not hear it notice the end later.
func (c *Coordinator) sayEnd() { _ = c.o.Link.Conn.Publish(c.o.Run.EndSubject(), nil) }
