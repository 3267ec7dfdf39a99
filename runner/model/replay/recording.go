package replay

import (
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/seed-5817661a/concur/runner/model"
)

// Recording is an indexed recording. It holds the identities of exchanges and where they
// are, not the exchanges, and serves each of them once: one Recording is for one replay,
// shared by all models of it. It is safe for concurrent use.
type Recording struct {
	source    Source
	dialogues map[dialogueKey]*dialogue // not changed after Open
	agents    map[string]bool
	exchanges int

	taken, replayed, unrecorded, asked, different atomic.Int64
}

// dialogueKey names the exchanges that are recorded as one conversation.
type dialogueKey struct {
	agent, query string
	trace        int
	purpose      model.Purpose
}

func keyOf(id model.Identity) dialogueKey {
	return dialogueKey{id.Agent, id.Query, id.Trace, id.Purpose}
}

// Open indexes a recording. The error is the Source's.
func Open(source Source) (*Recording, error) {
	r := &Recording{source: source, dialogues: map[dialogueKey]*dialogue{}, agents: map[string]bool{}}
	names := map[string]string{} // one copy of each agent's and query's name, which many traces share
	share := func(s string) string {
		if _, known := names[s]; !known {
			names[s] = s
		}
		return names[s]
	}
	for e, err := range source.Index() {
		if err != nil {
			return nil, fmt.Errorf("index recording: %w", err)
		}
		e.Agent, e.Query, e.Purpose = share(e.Agent), share(e.Query), model.Purpose(share(string(e.Purpose)))
		d := r.dialogues[keyOf(e.Identity)]
		if d == nil {
			d = &dialogue{}
			r.dialogues[keyOf(e.Identity)] = d
		}
		d.entries = append(d.entries, entry{position: e.Position, step: e.Step})
		if e.Purpose == model.Agent {
			r.agents[e.Agent] = true
		}
		r.exchanges++
	}
	return r, nil
}

// Tally counts what a replay did so far.
type Tally struct {
	Replayed   int // requests that were answered from the recording
	Asked      int // those that it did not hold, and Missing was asked
	Unrecorded int // those that it did not hold, and that failed for it
	Different  int // those that differed from the recorded ones, and failed for it
	Unused     int // recorded exchanges that nothing has asked for
}

// Tally tells how far the replay has kept to the recording: Replayed alone is above 0
// where it did throughout.
func (r *Recording) Tally() Tally {
	t := Tally{
		Replayed: int(r.replayed.Load()), Asked: int(r.asked.Load()),
		Unrecorded: int(r.unrecorded.Load()), Different: int(r.different.Load()),
	}
	t.Unused = r.exchanges - int(r.taken.Load())
	return t
}

// answer finds the exchange that a request repeats. The error is an *Unrecorded, a
// *Difference, or that of a recording which cannot be read.
func (r *Recording) answer(req model.Request) (Exchange, error) {
	x, err := r.find(req)
	switch {
	case err == nil:
		r.replayed.Add(1)
	case isDifference(err):
		r.different.Add(1)
	}
	return x, err
}

func (r *Recording) find(req model.Request) (Exchange, error) {
	id := req.Identity
	d := r.dialogues[keyOf(id)]
	if d == nil {
		return Exchange{}, &Unrecorded{Identity: id, Reason: r.whyNone(id)}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	at, ok := d.take(id.Step)
	if !ok {
		return Exchange{}, &Unrecorded{Identity: id, Reason: d.whyNone(id.Step)}
	}
	r.taken.Add(1)
	defer d.forgetUsed()
	x, messages, err := d.request(r.source, id, at)
	if err != nil {
		return Exchange{}, fmt.Errorf("read recorded exchange of %s: %w", describe(id), err)
	}
	if x.Failure != nil && x.Failure.fromOutside() {
		return Exchange{}, &Unrecorded{Identity: id, Reason: "the recording was stopped before it was answered"}
	}
	if diff := difference(x, messages, req); diff != nil {
		return Exchange{}, diff
	}
	return x, nil
}

func isDifference(err error) bool {
	_, ok := errors.AsType[*Difference](err)
	return ok
}
