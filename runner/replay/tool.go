package replay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

// Tool answers from a recording. Only a registry may call it, because its context must have the trace
// (tool.WithTrace).
type Tool struct {
	// Inner is the recorded tool, which gives the specification. A pure tool is run instead of replayed, because
	// its output is always the same.
	Inner     tool.Tool
	Recording *Recording
	// Missing runs Inner for calls that are not in the recording; otherwise they fail.
	Missing bool
}

// Kind is the kind of the tool.BackendError for a call that deviates from its recording.
const Kind = "replay"

// Spec describes the inner tool. Calls that are answered only from the recording need no deadline.
func (t Tool) Spec() tool.Spec {
	spec := t.Inner.Spec()
	spec.OwnDeadline = spec.OwnDeadline || !spec.Pure && !t.Missing
	return spec
}

// Call returns the recorded output, with its documents, or the recorded error. For a call that differs it
// returns a *Difference. For a call that is not in the recording it returns an *Unrecorded. Both are wrapped
// in a *tool.BackendError of kind Kind, which does not count against the agent.
func (t Tool) Call(ctx context.Context, arguments json.RawMessage) (tool.Output, error) {
	spec := t.Inner.Spec()
	if spec.Pure {
		return t.Inner.Call(ctx, arguments)
	}
	o, err := t.Recording.observation(ctx, spec.Name, string(arguments))
	if _, missing := errors.AsType[*Unrecorded](err); missing && t.Missing {
		return t.Inner.Call(ctx, arguments)
	}
	if err == nil && o.Error != nil {
		kind := ""
		if o.ErrorKind != nil {
			kind = *o.ErrorKind
		}
		return tool.Output{}, tool.Observed(*o.Error, kind)
	}
	var out tool.Output
	if err == nil {
		out, err = outputOf(o)
	}
	if err != nil {
		return tool.Output{}, &tool.BackendError{Kind: Kind, Err: err}
	}
	return out, nil
}

// calls has the calls of a trace that have the same id. Ids may repeat, because external agents choose them.
type calls struct {
	mu           sync.Mutex
	actions      []trace.Action
	observations []trace.Observation
	used         int
}

// readCalls reads the tool calls of a trace.
func (r *Recording) readCalls(id trace.ID) (map[tool.Caller]*calls, error) {
	events, err := r.source.Events(id)
	out := map[tool.Caller]*calls{}
	if r.forgets(id.Query, model.Agent) {
		return out, err
	}
	for _, e := range events {
		switch body := e.Body.(type) {
		case trace.Action:
			who := tool.Caller{Trace: id, Path: e.Path, Call: body.CallID}
			if out[who] == nil {
				out[who] = &calls{}
			}
			out[who].actions = append(out[who].actions, body)
		case trace.Observation: // an observation without a call is ignored
			c := out[tool.Caller{Trace: id, Path: e.Path, Call: body.CallID}]
			if c != nil && len(c.observations) < len(c.actions) {
				c.observations = append(c.observations, body)
			}
		}
	}
	return out, err
}

// observation returns the recorded result of a call, after it has checked that the call is the same.
func (r *Recording) observation(ctx context.Context, name, arguments string) (none trace.Observation, _ error) {
	who, ok := tool.CallerOf(ctx)
	if !ok {
		return none, errors.New("a replayed tool needs to know the trace and call: run it through a registry, in a " +
			"context of tool.WithTrace")
	}
	what := fmt.Sprintf("tool call %s of %s trace %d (by %s)", who.Call, who.Trace.Query, who.Trace.Trace,
		who.Trace.Agent)
	recorded, err := loadOnce(&r.calls, who.Trace, r.readCalls)
	if err != nil {
		return none, fmt.Errorf("read recorded %s: %w", what, err)
	}
	was, o, why := recorded[who].take()
	if why != "" {
		return none, &Unrecorded{what, why}
	}
	if a, b := callText(was.Name, argumentsOf(was.Input)), callText(name, arguments); a != b {
		return none, &Difference{what, []string{"the call"}, a, b}
	}
	return o, nil
}

// take returns the first unused call; without one, why is the reason. The nth call with an id gets the nth
// observation.
func (c *calls) take() (a trace.Action, o trace.Observation, why string) {
	if c == nil {
		return a, o, "the recording has no such call"
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch c.used {
	case len(c.actions):
		return a, o, fmt.Sprintf("the recording has only %d of this call", c.used)
	case len(c.observations):
		return a, o, "the recording was stopped before the call returned"
	}
	a, o = c.actions[c.used], c.observations[c.used]
	c.observations[c.used] = trace.Observation{} // frees the memory of a large observation
	c.used++
	return a, o, ""
}

// callText returns a call in canonical notation.
func callText(name, arguments string) string {
	if strings.TrimSpace(arguments) == "" {
		arguments = "{}" // as in tool.Invoke
	}
	return name + "(" + tool.Canonical(arguments) + ")"
}

// argumentsOf reverses trace.InputOf.
func argumentsOf(input json.RawMessage) string {
	var text string
	if json.Unmarshal(input, &text) == nil {
		return text
	}
	return string(input)
}

// results is the field in which Render writes documents.
const results = "results"

// unescape removes the escapes of HTML characters, which occur in the files of a run but not in Render's
// output.
var unescape = strings.NewReplacer(`\\`, `\\`, `\u0026`, "&", `\u003c`, "<", `\u003e`, ">")

// outputOf reverses Render: it returns the object without its results, and the documents. Rendering the
// output again gives the same bytes. The ledger gives the documents the same ids, because their order is the
// same.
func outputOf(o trace.Observation) (tool.Output, error) {
	var fields map[string]json.RawMessage
	err := json.Unmarshal([]byte(unescape.Replace(string(o.Output))), &fields)
	if err == nil && fields == nil {
		err = errors.New("it is null: the recording is damaged")
	}
	if err != nil {
		return tool.Output{}, fmt.Errorf("read recorded output of call %s: %w", o.CallID, err)
	}
	object := make(map[string]any, len(fields))
	for name, raw := range fields {
		if name != results || o.Documents == nil {
			object[name] = value(raw)
		}
	}
	return tool.Output{Object: object, Documents: o.Documents}, nil
}

// value returns a field's value: a string if its JSON is in canonical form, otherwise the raw JSON, because
// decoding would lose the order of its fields.
func value(raw json.RawMessage) any {
	var text *string
	if json.Unmarshal(raw, &text) != nil || text == nil {
		return raw
	}
	if again, err := json.Marshal(*text); err != nil || unescape.Replace(string(again)) != string(raw) {
		return raw
	}
	return *text
}
