package coordinator

import (
	"encoding/json"
	"fmt"
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
	holder wire.Taken   // the last worker at which the trace began
	gone   []wire.Taken // workers that were lost with it, in order
}

// names returns the names of the workers.
func (l *lossesOf) names() []string {
	if l == nil {
		return nil
	}
	names := make([]string, len(l.gone))
	for i, t := range l.gone {
		names[i] = t.Worker
	}
	return names
}

// taken notes that a trace begins at a worker. If another worker had it, did not give it back, and is not heard for one
// AckWait from now on, then this is a loss.
func (c *Coordinator) taken(m *nats.Msg) {
	var t wire.Taken
	if json.Unmarshal(m.Data, &t) != nil {
		return
	}
	key := wire.Key(t.ID)
	before, began := c.moved(key, t), time.Now()
	if before.Worker == "" || before.Worker == t.Worker || t.GivenBack > before.GivenBack {
		return
	}
	c.begin(func() {
		if pause(c.ending, c.o.Times.AckWait) {
			c.judge(key, before, began)
		}
	})
}

// moved notes at which worker a trace has begun, and returns where it began before.
func (c *Coordinator) moved(key wire.TraceKey, t wire.Taken) (before wire.Taken) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.wanted[key] == nil {
		return before
	}
	if s := c.workers[t.Worker]; s != nil {
		s.heard = time.Now()
	}
	l := c.losses[key]
	if l == nil {
		l = &lossesOf{}
		c.losses[key] = l
	}
	before, l.holder = l.holder, t
	return before
}

// judge counts a loss if the worker was not heard since another one began its trace.
func (c *Coordinator) judge(key wire.TraceKey, before wire.Taken, began time.Time) {
	c.mu.Lock()
	w, l := c.wanted[key], c.losses[key]
	s := c.workers[before.Worker]
	if w == nil || l == nil || s != nil && s.heard.After(began) {
		c.mu.Unlock()
		return
	}
	l.gone = append(l.gone, before)
	c.counts.Losses++
	names, alone := l.names(), false
	for _, t := range l.gone {
		alone = alone || t.Alone
	}
	ends := c.o.Losses > 0 && len(names) >= c.o.Losses && alone
	work := wire.Work{ID: w.id, Losses: names}
	c.mu.Unlock()
	c.o.Log(fmt.Sprintf("worker %.60q disappeared with trace %d of %.60q", before.Worker, w.id.Trace, w.id.Query))
	switch {
	case ends:
		c.giveUp(key, w.id, names)
	case c.o.Losses > 0 && work.Alone() && !alone:
		_ = c.ask(c.ending, work) // replaces the message, so that the next worker runs the trace alone
	}
}

// giveUp ends a trace that several workers did not survive.
func (c *Coordinator) giveUp(key wire.TraceKey, id trace.ID, names []string) {
	cause := fmt.Sprintf("lost by %d workers: %s", len(names), strings.Join(names, ", "))
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
