package replay

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/memo"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

// Source has the traces of a recorded run, such as a store.Recording. It must be safe for concurrent use.
// It omits traces that were stopped from outside, because their length depended on time.
type Source interface {
	// Exchanges returns the exchanges of a trace, a verifier or a judge, named by model.Identity.OfTrace, in
	// recorded order.
	Exchanges(of model.Identity) ([]store.Exchange, error)
	// Events returns the events of a trace, in recorded order.
	Events(id trace.ID) ([]trace.Event, error)
	Agents() []string // names of the agents that have exchanges
}

// Recording gives each exchange and each tool call of a source once. All models and tools of one replay share
// it. It reads a trace when it is first needed, and is safe for concurrent use.
type Recording struct {
	source    Source
	dialogues memo.Once[model.Identity, map[model.Identity]*dialogue] // by OfTrace, then by Conversation
	calls     memo.Once[trace.ID, map[tool.Caller]*calls]
	forgotten func(query string) (agent, rest bool)
}

// Forget makes the recording leave out parts of queries that have changed since it was made. of says for each
// query which parts: if agent is true, everything; if rest is true, the exchanges of extractor, verifier and
// judges. Call it before the first use.
func (r *Recording) Forget(of func(query string) (agent, rest bool)) { r.forgotten = of }

// forgets reports whether an exchange or a call is left out.
func (r *Recording) forgets(query string, by model.Purpose) bool {
	if r.forgotten == nil {
		return false
	}
	agent, rest := r.forgotten(query)
	return agent || rest && by != model.Agent
}

// New returns a recording with all exchanges and calls unused.
func New(source Source) *Recording { return &Recording{source: source} }

// Seconds returns the recorded duration of a trace; ok is false if the recording does not have its end.
func (r *Recording) Seconds(id trace.ID) (seconds float64, ok bool) {
	events, err := r.source.Events(id)
	for _, e := range events {
		if end, is := e.Body.(trace.Conclusion); is && e.Path == "" && err == nil {
			seconds, ok = end.Timing.WallS, true
		}
	}
	return seconds, ok
}

// loadOnce returns the value of a key. Concurrent callers load it only once. If loading fails, the next
// caller tries again.
func loadOnce[K comparable, V any](values *memo.Once[K, V], key K, load func(K) (V, error)) (V, error) {
	return values.Get(context.Background(), key, func() (V, bool, error) {
		v, err := load(key)
		return v, true, err
	})
}

// Unrecorded reports an exchange or a tool call that is not in the recording.
type Unrecorded struct {
	What   string
	Reason string // why the recording does not have it
}

func (e *Unrecorded) Error() string {
	return fmt.Sprintf("find recorded %s: %s; replay with --record-missing to ask the model or tool, or record again",
		e.What, e.Reason)
}

// Difference reports a request or a call that differs from the recorded one.
type Difference struct {
	What string
	// Fields are the differing parts of a request: messages[i] (only the first that differs), tools, choice,
	// single_call, temperature, seed, stop, schema. For a tool call it is the call.
	Fields []string
	// RecordedText and NowText are the first differing part as text; "" if the message is missing.
	RecordedText, NowText string
}

func (e *Difference) Error() string {
	return fmt.Sprintf("replay %s: it differs from the recorded one in %s:\n%s\nundo the change, or record again",
		e.What, strings.Join(e.Fields, ", "), e.Diff())
}

// Diff shows the first difference as a short unified diff.
func (e *Difference) Diff() string { return unified(e.RecordedText, e.NowText) }

// maxAgents is the maximum number of agents that an error names.
const maxAgents = 3

// reason explains why the recording does not have a conversation.
func (r *Recording) reason(id model.Identity) string {
	known := r.source.Agents()
	switch of := slices.Contains(known, id.Agent); {
	case id.Purpose == model.Agent && of && id.Task != "":
		return "the recording does not have this conversation: the external agent's first message has changed"
	case id.Purpose != model.Agent || of:
		return "the recording does not have this conversation"
	case len(known) == 0:
		return "the recording has no agent's exchanges"
	}
	more := ""
	if len(known) > maxAgents {
		known, more = known[:maxAgents], ", …"
	}
	return fmt.Sprintf("the recording has the agents %s%s: a setting, prompt or tool of the agent has changed",
		strings.Join(known, ", "), more)
}
