package coordinator

import (
	"bytes"
	"fmt"
	"io"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/seed-5817661a/concur/runner/hub/wire"
	"github.com/seed-5817661a/concur/trace"
)

// take takes a message of the stream of results. It is called for one message at a time.
func (c *Coordinator) take(m jetstream.Msg) {
	if !c.lease.sure() {
		return // without an acknowledgement it comes again, here or at the next coordinator
	}
	var sequence uint64
	if meta, err := m.Metadata(); err == nil {
		sequence = meta.Sequence.Stream
	}
	p, err := wire.ReadPart(m.Data())
	if err != nil {
		c.refuse(m, trace.ID{}, "", err)
		return
	}
	key := wire.Key(p.ID)
	switch c.known(p.ID, key, sequence) {
	case isForeign:
		c.warnOnce("foreign", fmt.Sprintf("worker %.60q delivered trace %d of %.60q, which is not of this run: dropped",
			p.Worker, p.Trace, p.Query))
		_ = m.Term()
		return
	case isDoubled:
		_ = m.Ack()
		return
	case isOnItsWay:
		return
	}
	if c.drains() && !c.waits(key) {
		return // the next session gets it
	}
	if p.Parts == 1 && c.waits(key) {
		data := bytes.Clone(p.Data)
		d, err := c.decode(p.PartHead, func() io.Reader { return bytes.NewReader(data) })
		if err != nil {
			c.refuse(m, p.ID, p.Worker, err)
			return
		}
		c.arrived(key, &arrival{delivery: d, sequence: sequence, stored: func() { _ = m.Ack() }})
		return
	}
	// One that nobody has asked for yet is kept here, too: a hub that is full of such results would take no others.
	whole, err := c.incoming.add(key, p)
	switch {
	case err == errTwice:
		c.count(func(n *Counts) { n.Twice++ })
		c.o.Log(fmt.Sprintf("worker %.60q sent part %d of %d of trace %d of %.60q twice: the second one is dropped", p.Worker,
			p.Part+1, p.Parts, p.Trace, p.Query))
		_ = m.Ack()
		return
	case err != nil: // the disk is full, perhaps; the part comes again
		c.warnOnce("incoming", fmt.Sprintf("keep a part of a result: %v", err))
		return
	}
	_ = m.Ack() // held back, a full store of halves would never empty
	if whole == nil {
		return
	}
	d, err := c.decode(p.PartHead, whole.reader)
	if err != nil {
		whole.remove()
		c.refuse(nil, p.ID, p.Worker, err)
		return
	}
	c.arrived(key, &arrival{delivery: d, stored: func() { c.incoming.remove(key) }})
}

// decode reads a delivery and checks it.
func (c *Coordinator) decode(head wire.PartHead, whole func() io.Reader) (wire.Delivery, error) {
	d, err := c.incoming.decoder.Decode(head, whole)
	if err == nil {
		err = d.Check()
	}
	return d, err
}

// what is known about a trace for which a message has come
type knowledge int

const (
	isNew knowledge = iota
	isForeign
	isDoubled
	isOnItsWay // the same message is being written
)

func (c *Coordinator) known(id trace.ID, key wire.TraceKey, sequence uint64) knowledge {
	if !c.o.Has(id) {
		c.count(func(n *Counts) { n.Foreign++ })
		return isForeign
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	f, done := c.done[key]
	switch {
	case done && !f.stored && f.sequence == sequence:
		return isOnItsWay
	case done || c.early[key] != nil || c.o.Finished(id):
		c.counts.Doubled++
		return isDoubled
	}
	return isNew
}

// waits reports whether a trace was asked for and has no result yet.
func (c *Coordinator) waits(key wire.TraceKey) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.wanted[key] != nil
}

func (c *Coordinator) count(change func(*Counts)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change(&c.counts)
}

// arrived passes a result to the trace that waits for it, or keeps it until it is asked for.
func (c *Coordinator) arrived(key wire.TraceKey, a *arrival) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.losses, key)
	c.pace.add(time.Now())
	w := c.wanted[key]
	if w == nil {
		c.counts.Early++
		c.early[key] = a
		return
	}
	delete(c.wanted, key)
	c.done[key] = finished{sequence: a.sequence}
	w.result <- a
}

// refuse drops a result that cannot be used, and asks for the trace again.
func (c *Coordinator) refuse(m jetstream.Msg, id trace.ID, worker string, why error) {
	c.count(func(n *Counts) { n.Refused++ })
	c.o.Log(fmt.Sprintf("a result of worker %.60q for trace %d of %.60q is refused: %v", worker, id.Trace, id.Query, why))
	c.warnOnce("refused", fmt.Sprintf("worker %.60q sent a result that is refused: %v; see run.log for others", worker,
		why))
	if m != nil {
		_ = m.Term()
	}
	if c.waits(wire.Key(id)) {
		c.begin(func() { _ = c.ask(c.ending, wire.Work{ID: id}) }) // it ends only with the run
	}
}
