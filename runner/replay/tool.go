package replay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/runner/tool"
	"github.com/seed-5817661a/concur/runner/trace"
)

// Tool answers as a recording says. Its calls must come through a registry's Invoke, in a
// context of tool.WithTrace.
type Tool struct {
	// Inner is the tool that was recorded. It says what it is, and is run where it is pure:
	// it then gives the same output at any time.
	Inner    tool.Tool
	Recorded *Recording
	// Missing lets Inner run for calls that the recording does not hold; else they fail.
	Missing bool
}

// Kind is that of the tool.BackendError of a call that leaves its recording.
const Kind = "replay"

// Spec describes the inner tool. Where a recording alone answers, nothing is waited for.
func (t Tool) Spec() tool.Spec {
	spec := t.Inner.Spec()
	spec.OwnDeadline = spec.OwnDeadline || !spec.Pure && !t.Missing
	return spec
}

// Call gives the recorded output, with its documents, or the recorded error. A call that is
// not the recorded one is a *Difference, one that is not recorded an *Unrecorded; both come
// within a *tool.BackendError of kind Kind, which is never the agent's fault.
func (t Tool) Call(ctx context.Context, arguments json.RawMessage) (tool.Output, error) {
	spec := t.Inner.Spec()
	if spec.Pure {
		return t.Inner.Call(ctx, arguments)
	}
	o, err := t.Recorded.observation(ctx, spec.Name, string(arguments))
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

// calls are those of one id in a trace, by their offsets: one, unless an agent of another
// make repeats ids.
type calls struct {
	begun, observed []int64
	used            int
}

// observation finds what a call gave, and makes sure that it is the same call. Where an id
// was used several times, the nth call gets the nth observation.
func (r *Recording) observation(ctx context.Context, name, arguments string) (none trace.Observation, _ error) {
	who, ok := tool.CallerOf(ctx)
	if !ok {
		return none, errors.New("a replayed tool needs to know the trace and call: run it through a registry, in a context of tool.WithTrace")
	}
	what := fmt.Sprintf("tool call %s of %s trace %d (by %s)", who.Call, who.Trace.Query, who.Trace.Trace, who.Trace.Agent)
	begun, observed, why := r.take(who)
	if why != "" {
		return none, &Unrecorded{what, why}
	}
	was, err := read[trace.Action](r.source, begun, who)
	if err != nil {
		return none, fmt.Errorf("read recorded %s: %w", what, err)
	}
	if a, b := spell(was.Name, argumentsOf(was.Input)), spell(name, arguments); a != b {
		return none, &Difference{what, []string{"the call"}, a, b}
	}
	o, err := read[trace.Observation](r.source, observed, who)
	if err != nil {
		return none, fmt.Errorf("read recorded %s: %w", what, err)
	}
	return o, nil
}

// take gives the first call of an id that was not given before, or why there is none.
func (r *Recording) take(who tool.Caller) (begun, observed int64, why string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := r.calls[who]
	switch {
	case c == nil:
		return 0, 0, "the recording has no such call"
	case c.used == len(c.begun):
		return 0, 0, fmt.Sprintf("it was made %d times when that was recorded, and is made once more now", c.used)
	case c.used == len(c.observed):
		return 0, 0, "the recording was stopped before it came back"
	}
	c.used++
	return c.begun[c.used-1], c.observed[c.used-1], ""
}

// read reads an event that the index has seen.
func read[T trace.Body](source Source, offset int64, who tool.Caller) (T, error) {
	e, err := source.Event(offset)
	b, ok := e.Body.(T)
	if err == nil && (!ok || e.ID != who.Trace) {
		err = errChanged
	}
	return b, err
}

// spell writes a call in the canonical way.
func spell(name, arguments string) string {
	if strings.TrimSpace(arguments) == "" {
		arguments = "{}" // as Invoke calls a tool
	}
	return name + "(" + tool.Canonical(arguments) + ")"
}

// argumentsOf undoes trace.InputOf.
func argumentsOf(input json.RawMessage) string {
	var text string
	if json.Unmarshal(input, &text) == nil {
		return text
	}
	return string(input)
}
