package coordinator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/seed-5817661a/concur/runner/hub/link"
	"github.com/seed-5817661a/concur/runner/hub/wire"
)

// seen is what is known about a worker.
type seen struct {
	version string
	places  int
	running int // traces that it runs
	heard   time.Time
}

// leastPlaces is the minimum number of traces that are asked for at the same time. perPlace is that number for each
// place of a worker, so that a worker that ends a trace finds the next one.
const (
	leastPlaces = 64
	perPlace    = 4
	// silentFor is the number of the longest pauses between two messages of a worker after which it does not count.
	silentFor = 15 * time.Second
)

// Places returns the number of traces that are asked for at the same time.
func (c *Coordinator) Places() int {
	if c.o.Places > 0 {
		return c.o.Places
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for _, s := range c.workers {
		if time.Since(s.heard) < silentFor {
			n += s.places
		}
	}
	return max(leastPlaces, perPlace*n)
}

// listen hears what workers say. One goroutine hears everything in the order in which it came: a worker that says that
// it lives and then disappears must not be heard after the next one has begun its trace.
func (c *Coordinator) listen() error {
	said := make(chan *nats.Msg, mostUnheard)
	hear := map[string]nats.MsgHandler{c.o.Run.TakenSubject(): c.taken, c.o.Run.TroubleSubject(): c.trouble,
		c.o.Run.AgainSubject(): c.advise}
	for _, subject := range append(slices.Collect(maps.Keys(hear)), c.o.Run.AliveSubject("*")) {
		s, err := c.o.Link.Conn.ChanSubscribe(subject, said)
		if err != nil {
			return fmt.Errorf("listen to workers: %w", err)
		}
		c.heard = append(c.heard, s)
	}
	// Workers that are there already, because the run is resumed, would otherwise be heard after 5 s.
	if err := c.o.Link.Conn.Publish(wire.WhoSubject, nil); err != nil {
		return fmt.Errorf("ask for workers: %w", err)
	}
	c.begin(func() {
		for {
			select {
			case <-c.ending.Done():
				return
			case m := <-said:
				if do, is := hear[m.Subject]; is {
					do(m)
				} else {
					c.alive(m)
				}
			}
		}
	})
	return nil
}

// mostUnheard is the number of messages of workers that may wait here. Further ones are dropped; they come again.
const mostUnheard = 1 << 14

// maxWorkers limits the memory for names of workers, which anybody with the token of the hub can invent.
const maxWorkers = 10_000

func (c *Coordinator) alive(m *nats.Msg) {
	var a wire.Alive
	if json.Unmarshal(m.Data, &a) != nil || a.Places < 1 || a.Places > 1<<16 {
		return
	}
	c.mu.Lock()
	s, known := c.workers[a.Worker]
	if !known && len(c.workers) < maxWorkers {
		s = &seen{version: a.Version}
		c.workers[a.Worker] = s
	}
	if s != nil {
		s.places, s.running, s.heard = a.Places, min(len(a.Running), a.Places), time.Now()
	}
	c.mu.Unlock()
	if !known {
		c.o.Log(fmt.Sprintf("worker %.60q (%.40s) has %d places", a.Worker, a.Version, a.Places))
	}
}

func (c *Coordinator) trouble(m *nats.Msg) {
	var t wire.Trouble
	if json.Unmarshal(m.Data, &t) == nil {
		c.warnOf(" takes no work", t.Worker, t.Cause)
	}
}

// watch looks after the streams until the session ends: it makes them again if the hub has lost them, and asks again
// for traces that got lost there.
func (c *Coordinator) watch() {
	answered := time.Now()
	for pause(c.ending, min(c.o.Times.AckWait/2, c.o.Times.QuietAfter)) {
		left, err := c.left()
		has := err == nil && c.hasLease()
		switch {
		case has:
			answered = time.Now()
			c.askAgain(left)
		case err == nil:
			answered = time.Now()
			c.again("the lease of this run")
		case link.Gone(err):
			answered = time.Now()
			c.again("streams of this run")
		case time.Since(answered) > c.o.Times.QuietAfter:
			c.o.Warn(fmt.Sprintf("the hub has not answered for %v (%v): start it again, or end the run and resume it later",
				time.Since(answered).Round(time.Second), err))
			answered = time.Now()
		}
	}
}

// hasLease reports whether the lease of this process is there. If it was not renewed in time, perhaps because this
// process was stopped, then hasLease renews it.
func (c *Coordinator) hasLease() bool {
	if c.lease.sure() {
		return true
	}
	if err := c.lease.renew(c.ending); err != nil {
		c.fail(err)
	}
	return c.lease.sure()
}

// left returns the number of messages in both streams. The error is that of link.Gone if a stream or its consumer does
// not exist.
func (c *Coordinator) left() (n int, err error) {
	ctx, cancel := context.WithTimeout(c.ending, link.Timeout)
	defer cancel()
	c.mu.Lock()
	results := c.results
	c.mu.Unlock()
	for _, of := range []struct{ stream, consumer string }{{c.o.Run.Work(), wire.Workers}, {c.o.Run.Done(), results}} {
		stream, err := c.o.Link.JS.Stream(ctx, of.stream)
		if err != nil {
			return 0, err
		}
		if _, err := stream.Consumer(ctx, of.consumer); err != nil {
			return 0, err
		}
		n += int(stream.CachedInfo().State.Msgs)
	}
	return n, nil
}

// askAgain asks again for all traces if the streams have been empty for one AckWait. The hub may have lost messages
// that it had not yet written to its disk when its machine stopped.
func (c *Coordinator) askAgain(left int) {
	c.mu.Lock()
	if left > 0 || len(c.wanted) == 0 || c.draining {
		c.last = time.Now()
	}
	if time.Since(c.last) < c.o.Times.AckWait {
		c.mu.Unlock()
		return
	}
	c.last = time.Now()
	c.mu.Unlock()
	c.askAll()
}

// askAll asks for all traces that are awaited.
func (c *Coordinator) askAll() {
	c.mu.Lock()
	if c.draining {
		c.mu.Unlock()
		return
	}
	var all []wire.Work
	for key, w := range c.wanted {
		all = append(all, wire.Work{ID: w.id, Losses: c.losses[key].known()})
	}
	c.counts.Again += len(all)
	c.mu.Unlock()
	slices.SortFunc(all, func(a, b wire.Work) int { return a.Trace - b.Trace })
	c.o.Log(fmt.Sprintf("%d traces are asked for again, because the hub has neither work nor results", len(all)))
	for _, w := range all {
		if c.ask(c.ending, w) != nil {
			return // the run ends
		}
	}
}

// again makes everything of the run at the hub again, after the hub has lost something.
func (c *Coordinator) again(what string) {
	c.o.Warn(fmt.Sprintf("the hub has lost %s: everything is made again", what))
	err := c.lease.again(c.ending)
	if err == nil {
		err = c.send(c.ending)
	}
	ctx, cancel := context.WithTimeout(c.ending, 2*link.Timeout)
	defer cancel()
	if err == nil {
		err = c.o.Link.MakeStreams(ctx, c.o.Run, c.o.Times.AckWait)
	}
	if err == nil {
		err = c.receive(ctx)
	}
	switch {
	case err == nil:
		c.askAll()
	case errors.Is(err, ErrTaken):
		c.fail(err)
	case link.Full(err):
		c.warnOnce("full", err.Error())
	default: // the next look tries again
		c.o.Log(fmt.Sprintf("make everything again: %v", err))
	}
}
