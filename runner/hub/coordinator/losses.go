package coordinator

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/seed-5817661a/concur/runner/hub/wire"
	"github.com/seed-5817661a/concur/trace"
)

// DefaultLosses is the usual value of Options.Losses.
const DefaultLosses = 3

// lossesOf counts the workers that disappeared while they made a trace. The number of deliveries of a message says
// nothing about this: it also rises when the hub is away for a while.
type lossesOf struct {
	holder  wire.Taken   // the last worker at which the trace began, unless it is in doubt
	doubted []wire.Taken // workers that had the trace before another got it, and may be lost
	gone    []wire.Taken // workers that were lost with it, in order
}

// names returns the names of workers.
func names(all ...wire.Taken) []string {
	out := make([]string, len(all))
	for i, t := range all {
		out[i] = t.Worker
	}
	return out
}

// alone reports whether one of several workers ran the trace alone.
func alone(all []wire.Taken) bool {
	return slices.ContainsFunc(all, func(t wire.Taken) bool { return t.Alone })
}

// known returns the losses that are certain.
func (l *lossesOf) known() []string {
	if l == nil {
		return nil
	}
	return names(l.gone...)
}

// taken notes that a trace begins at a worker.
func (c *Coordinator) taken(m *nats.Msg) {
	var t wire.Taken
	if json.Unmarshal(m.Data, &t) != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if l := c.moved(wire.Key(t.ID), t); l != nil {
		l.holder = t
	}
}

// advise answers a worker that got a trace which another worker had before. Whether that one is lost is known only one
// AckWait later. Until then it counts as lost: otherwise a trace that kills its worker would kill two more.
func (c *Coordinator) advise(m *nats.Msg) {
	var t wire.Taken
	if json.Unmarshal(m.Data, &t) != nil || !c.lease.sure() { // perhaps another coordinator needs the trace
		return
	}
	var out wire.Advice
	key := wire.Key(t.ID)
	c.mu.Lock()
	if l := c.moved(key, t); l != nil {
		perhaps := slices.Concat(l.gone, l.doubted)
		out.Losses, out.Wait = names(perhaps...), c.tooMany(perhaps)
	} else {
		_, out.Done = c.done[key]
	}
	c.mu.Unlock()
	_ = m.Respond(out.Encode()) // without an answer the worker begins
}

// tooMany reports whether a trace ends when it is lost by these workers.
func (c *Coordinator) tooMany(lost []wire.Taken) bool {
	return c.o.Losses > 0 && len(lost) >= c.o.Losses && alone(lost)
}

// moved notes that a worker got a trace, and returns what is known about the trace; nil if no Run waits for it. If
// another worker had it, did not give it back, and is not heard for one AckWait from now on, then this is a loss. c.mu
// must be locked.
func (c *Coordinator) moved(key wire.TraceKey, t wire.Taken) *lossesOf {
	if c.wanted[key] == nil {
		return nil
	}
	if s := c.workers[t.Worker]; s != nil {
		s.heard = time.Now()
	}
	l := c.losses[key]
	if l == nil {
		l = &lossesOf{}
		c.losses[key] = l
	}
	before := l.holder
	if before.Worker == "" || before.Worker == t.Worker {
		return l
	}
	l.holder = wire.Taken{}
	if t.GivenBack <= before.GivenBack && !c.ended {
		l.doubted = append(l.doubted, before)
		began := time.Now()
		c.running.Go(func() {
			if pause(c.ending, c.o.Times.AckWait) {
				c.judge(key, before, began)
			}
		})
	}
	return l
}

// judge counts a loss if the worker was not heard since another one got its trace.
func (c *Coordinator) judge(key wire.TraceKey, before wire.Taken, began time.Time) {
	c.mu.Lock()
	w, l := c.wanted[key], c.losses[key]
	if w == nil || l == nil {
		c.mu.Unlock()
		return
	}
	l.doubted = slices.DeleteFunc(l.doubted, func(t wire.Taken) bool { return t.Worker == before.Worker })
	if s := c.workers[before.Worker]; s != nil && s.heard.After(began) {
		c.mu.Unlock()
		return
	}
	l.gone = append(l.gone, before)
	c.counts.Losses++
	lost, ends := l.known(), c.tooMany(l.gone)
	work := wire.Work{ID: w.id, Losses: lost}
	again := work.Alone() && !alone(slices.Concat(l.gone, l.doubted, []wire.Taken{l.holder}))
	c.mu.Unlock()
	c.o.Log(fmt.Sprintf("worker %.60q disappeared with trace %d of %.60q", before.Worker, w.id.Trace, w.id.Query))
	switch {
	case ends:
		c.giveUp(key, w.id, lost)
	case again: // a worker has begun it without an answer of advise
		_ = c.ask(c.ending, work) // replaces the message, so that the next worker runs the trace alone
	}
}

// giveUp ends a trace that several workers did not survive.
func (c *Coordinator) giveUp(key wire.TraceKey, id trace.ID, names []string) {
	cause := fmt.Sprintf("lost by %d workers: %s", len(names), strings.Join(slices.Sorted(slices.Values(names)), ", "))
	d := wire.Delivery{ID: id, Lines: []wire.Line{{Event: &trace.Event{ID: id, Time: time.Now(), Body: trace.Conclusion{
		Outcome: trace.Infra, StopReason: trace.AgentError, Extract: "none", Cause: &cause, Supporting: []string{}}}}}}
	c.mu.Lock()
	w := c.wanted[key]
	if w != nil {
		delete(c.wanted, key)
		delete(c.losses, key)
		c.done[key] = finished{}
		c.counts.Infra++
		w.result <- &arrival{delivery: d, stored: func() {}}
	}
	c.mu.Unlock()
	if w == nil {
		return
	}
	c.o.Warn(fmt.Sprintf("trace %d of %.60q is %s", id.Trace, id.Query, cause))
	c.drop(jetstream.WithPurgeSubject(c.o.Run.WorkSubject(id)))
}
