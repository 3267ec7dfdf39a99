package coordinator

import (
	"context"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/hub/link"
	"github.com/seed-5817661a/concur/runner/hub/wire"
)

var _ runner.Executor = (*Coordinator)(nil)

// Run asks for a trace and waits for it, as runner.Executor says.
func (c *Coordinator) Run(ctx context.Context, job runner.Job, out runner.Lines) (stored func(), err error) {
	key := wire.Key(job.ID)
	w := &want{id: job.ID, result: make(chan *arrival, 1)}
	c.mu.Lock()
	if a := c.early[key]; a != nil {
		delete(c.early, key)
		w.result <- a
		c.done[key] = finished{sequence: a.sequence}
	} else if !c.draining {
		c.wanted[key] = w
	} else {
		w.result <- nil
	}
	asked := c.wanted[key] != nil
	c.mu.Unlock()
	asks := c.asks
	if !asked {
		asks = nil
	}
	for {
		select {
		case asks <- w:
			asks = nil
		case a := <-w.result:
			if a == nil {
				return nil, runner.ErrDrained
			}
			a.pass(out)
			return func() { c.stored(key, a) }, nil
		case <-ctx.Done():
			c.forget(key)
			return nil, ctx.Err()
		case <-c.failed:
			return nil, c.err
		}
	}
}

// pass passes the lines of a result on. It is not inlined, so that Run needs little of the stack while it waits.
//
//go:noinline
func (a *arrival) pass(out runner.Lines) {
	for _, l := range a.delivery.Lines {
		if l.Event != nil {
			out.Event(*l.Event)
		} else {
			out.Exchange(*l.Exchange)
		}
	}
}

// askers is the number of goroutines that ask for traces. A run may ask for 10,000 traces at a time: if each asked for
// itself, the stacks that this needs would take 150 MB while they wait.
const askers = 32

// askFirst asks for the traces that Run is called for, until the session ends.
func (c *Coordinator) askFirst() {
	for {
		select {
		case w := <-c.asks:
			if c.waits(wire.Key(w.id)) { // its Run may have ended since
				_ = c.ask(c.ending, wire.Work{ID: w.id}) // it ends only with the run
			}
		case <-c.ending.Done():
			return
		}
	}
}

// stored acknowledges a result that is in the files. It is called for one result at a time.
func (c *Coordinator) stored(key wire.TraceKey, a *arrival) {
	worker, version := a.delivery.Worker, ""
	c.mu.Lock()
	c.done[key] = finished{stored: true}
	if s := c.workers[worker]; s != nil {
		version = s.version
	}
	c.mu.Unlock()
	if c.o.Made != nil && worker != "" { // a trace that was given up has no worker
		c.o.Made(a.delivery.ID, worker, version)
	}
	a.stored()
}

// forget notes that a trace is no longer awaited.
func (c *Coordinator) forget(key wire.TraceKey) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.wanted, key)
}

// ask asks the workers for a trace, until the hub has stored the message. It asks for nothing after Drain.
func (c *Coordinator) ask(ctx context.Context, w wire.Work) error {
	w.Run = c.o.Run
	for wait := 100 * time.Millisecond; !c.drains(); wait = min(2*wait, link.Timeout) {
		err := c.o.Link.Publish(ctx, c.o.Run.WorkSubject(w.ID), w.Encode())
		if err == nil {
			break
		}
		if link.Full(err) {
			c.warnOnce("full", fmt.Sprintf("the hub is full (%v): make room there, or give it a larger --store", err))
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-c.failed:
			return c.err
		case <-time.After(wait):
		}
	}
	if c.drains() { // perhaps since the message was sent
		c.drop(jetstream.WithPurgeSubject(c.o.Run.WorkSubject(w.ID)))
	}
	return nil
}
