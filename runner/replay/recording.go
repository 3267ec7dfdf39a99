package replay

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"unique"

	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/tool"
	"github.com/seed-5817661a/concur/runner/trace"
)

// Source is a recording, such as a store.Recording, that does not change and can be read concurrently.
type Source interface {
	// Exchanges and Events give the positions, in recorded order.
	Exchanges() iter.Seq2[store.ExchangeAt, error]
	Events() iter.Seq2[store.EventAt, error]
	// Exchange and Event read the one at such an offset.
	Exchange(offset int64) (store.Exchange, error)
	Event(offset int64) (trace.Event, error)
}

// Recording is an indexed recording. It holds the positions of exchanges and tool calls, and serves each once: one
// Recording is for one replay, shared by all its models and tools. It is safe for concurrent use.
//
// Traces that were stopped from outside are not replayed: their length depends on the time.
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
	share := func(s string) string { return unique.Make(s).Value() } // many traces share a name
	ended := map[trace.ID]bool{}
	for e, err := range source.Events() {
		if err != nil {
			return nil, fmt.Errorf("index recording: %w", err)
		}
		id := trace.ID{Agent: share(e.Agent), Query: share(e.Query), Trace: e.Trace}
		who := tool.Caller{Trace: id, Path: share(e.Path), Call: share(e.CallID)}
		switch e.Name {
		case "action":
			if r.calls[who] == nil {
				r.calls[who] = &calls{}
			}
			r.calls[who].actions = append(r.calls[who].actions, e.Offset)
		case "observation": // ignored without a call
			if c := r.calls[who]; c != nil && len(c.observations) < len(c.actions) {
				c.observations = append(c.observations, e.Offset)
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

// Unrecorded reports an exchange or a tool call that is not in the recording.
type Unrecorded struct {
	What   string
	Reason string // what the recording has instead
}

func (e *Unrecorded) Error() string {
	return fmt.Sprintf("find recorded %s: %s; replay with --record-missing to ask the model or tool, or record again", e.What, e.Reason)
}

// Difference reports a request or a call that differs from the recorded one.
type Difference struct {
	What string
	// Fields are the differing parts of a request: messages[i], of which only the first is
	// named, tools, choice, single_call, temperature, seed, stop, schema; or the call.
	Fields []string
	// RecordedText and NowText are the first of them as text; "" if the message is missing.
	RecordedText, NowText string
}

func (e *Difference) Error() string {
	return fmt.Sprintf("replay %s: it differs from the recorded one in %s:\n%s\nundo the change, or record again",
		e.What, strings.Join(e.Fields, ", "), e.Diff())
}

// Diff shows the first difference as a short unified diff.
func (e *Difference) Diff() string { return unified(e.RecordedText, e.NowText) }

var errChanged = errors.New("the recording has changed since it was indexed: replay a copy that no process writes to")

// maxAgents limits the agents that an error names.
const maxAgents = 3

// reason describes the recording for a conversation that it does not have.
func (r *Recording) reason(id model.Identity) string {
	switch {
	case id.Purpose == model.Agent && r.agents[id.Agent] && id.Task != "":
		return "the recording does not have this conversation: what an external agent sends first has changed"
	case id.Purpose != model.Agent || r.agents[id.Agent]:
		return "the recording does not have this conversation"
	}
	known := slices.Sorted(maps.Keys(r.agents))
	if len(known) == 0 {
		return "the recording has no agent's exchanges"
	}
	more := ""
	if len(known) > maxAgents {
		known, more = known[:maxAgents], ", …"
	}
	return fmt.Sprintf("the recording is of %s%s: a setting, prompt or tool of the agent has changed", strings.Join(known, ", "), more)
}
