package replay

import (
	"errors"
	"fmt"
	"sync"

	"github.com/seed-5817661a/concur/runner/tool"
	"github.com/seed-5817661a/concur/runner/trace"
)

// Recording is an indexed recording of tool calls. It holds where they are, not what they
// gave, and serves each of them once: one Recording is for one replay, shared by all of
// its tools. It is safe for concurrent use.
type Recording struct {
	source Source
	mu     sync.Mutex
	calls  map[tool.Caller]*calls
	tally  Tally
}

// calls are those of one id in a trace: one, unless an agent of another make repeats ids.
type calls struct {
	recorded []call
	observed int // those in front have their observation
	used     int
}

// call says where a call and its observation are.
type call struct{ action, observation int64 }

// Tally counts what a replay did so far. Pure tools do not enter it.
type Tally struct {
	Replayed   int // calls that were answered from the recording
	Asked      int // those that it did not hold, and the tool was run
	Unrecorded int // those that it did not hold, and that failed for it
	Different  int // those that differed from the recorded ones, and failed for it
}

// Open indexes a recording. The error is the Source's.
func Open(source Source) (*Recording, error) {
	r := &Recording{source: source, calls: map[tool.Caller]*calls{}}
	names := map[string]string{} // one copy of each name; providers that number calls by trace repeat theirs
	share := func(s string) string {
		if _, known := names[s]; !known {
			names[s] = s
		}
		return names[s]
	}
	for e, err := range source.Index() {
		if err != nil {
			return nil, fmt.Errorf("index recorded tool calls: %w", err)
		}
		who := e.Caller
		who.Trace.Agent, who.Trace.Query, who.Call = share(who.Trace.Agent), share(who.Trace.Query), share(who.Call)
		if e.Observation {
			r.end(who, e.Position)
		} else {
			r.begin(who, e.Position)
		}
	}
	return r, nil
}

func (r *Recording) begin(who tool.Caller, position int64) {
	c := r.calls[who]
	if c == nil {
		c = &calls{}
		r.calls[who] = c
	}
	c.recorded = append(c.recorded, call{action: position})
}

// end gives an observation to the first call that has none. One without a call belongs to
// nothing that could be asked for.
func (r *Recording) end(who tool.Caller, position int64) {
	if c := r.calls[who]; c != nil && c.observed < len(c.recorded) {
		c.recorded[c.observed].observation = position
		c.observed++
	}
}

// Tally tells how far the replay has kept to the recording.
func (r *Recording) Tally() Tally {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.tally
}

func (r *Recording) count(n *int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	*n++
}

// take gives the first call of an id that was not given before.
func (r *Recording) take(who tool.Caller) (call, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := r.calls[who]
	switch {
	case c == nil:
		return call{}, &Unrecorded{who, "the recording has no such call"}
	case c.used == len(c.recorded):
		return call{}, &Unrecorded{who, fmt.Sprintf("it was made %d times when that was recorded, and is made once more now", c.used)}
	case c.used >= c.observed:
		return call{}, &Unrecorded{who, "the recording was stopped before it came back"}
	}
	c.used++
	return c.recorded[c.used-1], nil
}

// observation finds what a call gave, and sees to it that it is the same call.
func (r *Recording) observation(who tool.Caller, name, arguments string) (trace.Observation, error) {
	c, err := r.take(who)
	if err != nil {
		return trace.Observation{}, err
	}
	was, err := read[trace.Action](r.source, c.action, who)
	if err != nil {
		return trace.Observation{}, err
	}
	if d := difference(who, was, name, arguments); d != nil {
		r.count(&r.tally.Different)
		return trace.Observation{}, d
	}
	o, err := read[trace.Observation](r.source, c.observation, who)
	if err == nil {
		r.count(&r.tally.Replayed)
	}
	return o, err
}

// read reads an event that the index has seen.
func read[T trace.Body](source Source, position int64, who tool.Caller) (T, error) {
	e, err := source.Read(position)
	b, ok := e.Body.(T)
	if err == nil && (!ok || e.ID != who.Trace) {
		err = errors.New("the recording has changed since it was indexed: replay a copy that nothing writes to")
	}
	if err != nil {
		return b, fmt.Errorf("read recorded tool call %s: %w", describe(who), err)
	}
	return b, nil
}
