package coordinator

import (
	"context"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/seed-5817661a/concur/runner/hub/link"
)

// Drain asks for no more traces, as runner.Executor says: it removes from the hub what no worker has begun. A trace
// that a worker fetches at this moment is of use only if the next session of the run takes its result.
func (c *Coordinator) Drain() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.draining || c.ended {
		return
	}
	c.draining = true
	for key, w := range c.wanted {
		if l := c.losses[key]; l == nil || l.holder.Worker == "" {
			delete(c.wanted, key)
			w.result <- nil
		}
	}
	c.running.Go(func() { c.drop() })
}

// drains reports whether no more traces are asked for.
func (c *Coordinator) drains() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.draining
}

// drop purges the stream of work until it succeeds or the session ends. Workers that have fetched a message go on.
func (c *Coordinator) drop(o ...jetstream.StreamPurgeOpt) {
	for {
		err := c.purge(c.ending, o...)
		if err == nil || link.Gone(err) {
			return
		}
		c.o.Log(fmt.Sprintf("remove work that is no longer wanted from the hub: %v", err))
		if !pause(c.ending, time.Second) {
			return
		}
	}
}

// purge removes messages from the stream of work: without options, all.
func (c *Coordinator) purge(ctx context.Context, o ...jetstream.StreamPurgeOpt) error {
	ctx, cancel := context.WithTimeout(ctx, link.Timeout)
	defer cancel()
	stream, err := c.o.Link.JS.Stream(ctx, c.o.Run.Work())
	if err == nil {
		err = stream.Purge(ctx, o...)
	}
	return err
}
