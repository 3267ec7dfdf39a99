package replay

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/tool"
	"github.com/seed-5817661a/concur/runner/trace"
)

// Source is a recording, such as a store.Recording. It must not change while it is replayed,
// and is safe for concurrent reading.
type Source interface {
	// Exchanges and Events tell where they are, in the order in which they were recorded.
	Exchanges() iter.Seq2[store.ExchangeAt, error]
	Events() iter.Seq2[store.EventAt, error]
	// Exchange and Event give the one at an offset that was told.
	Exchange(offset int64) (store.Exchange, error)
	Event(offset int64) (trace.Event, error)
}

// Recording is an indexed recording. It holds where exchanges and tool calls are, not what
// they say, and serves each of them once: one Recording is for one replay, shared by all of
// its models and tools. It is safe for concurrent use.
//
// Nothing is replayed of traces that were stopped from outside: how far they came depends on
// when that was.
type Recording struct {
	source    Source
	agents    map[string]bool
	dialogues map[model.Identity]*dialogue // by model.Identity.Conversation; not changed after Open

	mu    sync.Mutex
	calls map[tool.Caller]*calls
}

// Open indexes a recording. The error is the Source's.
func Open(source Source) (*Recording, error) {
	r := &Recording{source: source, agents: map[string]bool{}, dialogues: map[model.Identity]*dialogue{}, calls: map[tool.Caller]*calls{}}
	names := map[string]string{} // one copy of each name, which many traces share
	share := func(s string) string {
		if _, known := names[s]; !known {
			names[s] = s
		}
		return names[s]
	}
	ended := map[trace.ID]bool{}
	for e, err := range source.Events() {
		if err != nil {
			return nil, fmt.Errorf("index recording: %w", err)
		}
		id := trace.ID{Agent: share(e.Agent), Query: share(e.Query), Trace: e.Trace}
		who := tool.Caller{Trace: id, Call: share(e.CallID)}
		switch e.Name {
		case "action":
			if r.calls[who] == nil {
				r.calls[who] = &calls{}
			}
			r.calls[who].begun = append(r.calls[who].begun, e.Offset)
		case "observation": // one without a call belongs to nothing that could be asked for
			if c := r.calls[who]; c != nil && len(c.observed) < len(c.begun) {
				c.observed = append(c.observed, e.Offset)
			}
		case "final":
			if e.Path == "" { // the trace's own agent
				ended[id] = !e.StopReason.Unfinished()
			}
		}
	}
	for who := range r.calls {
		if !ended[who.Trace] {
			delete(r.calls, who)
		}
	}
	for x, err := range source.Exchanges() {
		if err != nil {
			return nil, fmt.Errorf("index recording: %w", err)
		}
		id := model.Identity{Agent: share(x.Agent), Query: share(x.Query), Trace: x.Trace, Purpose: model.Purpose(share(string(x.Purpose))), Path: share(x.Path), Task: share(x.Task)}
		if id.Purpose == model.Agent {
			if !ended[trace.ID{Agent: id.Agent, Query: id.Query, Trace: id.Trace}] {
				continue
			}
			r.agents[id.Agent] = true
		}
		if r.dialogues[id] == nil {
			r.dialogues[id] = &dialogue{}
		}
		d := r.dialogues[id]
		d.entries = append(d.entries, entry{offset: x.Offset, step: x.Step})
	}
	return r, nil
}

// Unrecorded says that an exchange or a tool call is not in the recording.
type Unrecorded struct {
	What   string
	Reason string // what the recording has instead
}

func (e *Unrecorded) Error() string {
	return fmt.Sprintf("find recorded %s: %s; replay with --record-missing to have it asked for, or record anew", e.What, e.Reason)
}

// Difference says that a request or a call is not the one that was recorded in its place.
type Difference struct {
	What string
	// Fields are the parts of a request that differ: messages[i], of which the first alone is
	// named, tools, choice, single_call, temperature, seed, stop, schema; or the call.
	Fields []string
	// Recorded and Now are the first of them as text; "" is a message that is not there.
	Recorded, Now string
}

func (e *Difference) Error() string {
	return fmt.Sprintf("replay %s: it differs from the recorded one in %s:\n%s\nundo the change, or record anew",
		e.What, strings.Join(e.Fields, ", "), e.Diff())
}

// Diff shows the first difference as a unified diff of a few lines.
func (e *Difference) Diff() string { return unified(e.Recorded, e.Now) }

// errChanged is why what the index found is not there any more.
var errChanged = errors.New("the recording has changed since it was indexed: replay a copy that nothing writes to")

// maxAgents bounds the agents that an error names.
const maxAgents = 3

// whyNone says what there is where a conversation is not recorded.
func (r *Recording) whyNone(id model.Identity) string {
	if id.Purpose != model.Agent || r.agents[id.Agent] {
		return "the recording has nothing of it"
	}
	var known []string
	for a := range r.agents {
		known = append(known, a)
	}
	if slices.Sort(known); len(known) == 0 {
		return "the recording has no agent's exchanges"
	}
	more := ""
	if len(known) > maxAgents {
		known, more = known[:maxAgents], ", …"
	}
	return fmt.Sprintf("the recording is of %s%s: what can reach the agent has changed", strings.Join(known, ", "), more)
}
