package replay

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/seed-5817661a/concur/runner/tool"
)

// Tool answers as a recording says. Its calls must come through a registry's Invoke, in a
// context of tool.WithTrace.
type Tool struct {
	// Inner is the tool that was recorded. It says what it is, and is run where it is pure.
	Inner    tool.Tool
	Recorded *Recording
	// Missing lets Inner run for calls that the recording does not hold; else they fail.
	Missing bool
	// OnMissing is told of every call for which Inner runs so; nil tells no one. Calls may
	// come side by side.
	OnMissing func(tool.Caller)
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
	who, ok := tool.CallerOf(ctx)
	if !ok {
		return tool.Output{}, failed(errors.New("a replayed tool needs to know the trace and call: run it through a registry, in a context of tool.WithTrace"))
	}
	o, err := t.Recorded.observation(who, spec.Name, string(arguments))
	if _, missing := errors.AsType[*Unrecorded](err); missing {
		return t.missing(ctx, who, arguments, err)
	}
	if err != nil {
		return tool.Output{}, failed(err)
	}
	if o.Error != nil {
		kind := ""
		if o.ErrorKind != nil {
			kind = *o.ErrorKind
		}
		return tool.Output{}, tool.Observed(*o.Error, kind)
	}
	out, err := outputOf(o)
	if err != nil {
		return tool.Output{}, failed(err)
	}
	return out, nil
}

func (t Tool) missing(ctx context.Context, who tool.Caller, arguments json.RawMessage, err error) (tool.Output, error) {
	r := t.Recorded
	if !t.Missing {
		r.count(&r.tally.Unrecorded)
		return tool.Output{}, failed(err)
	}
	r.count(&r.tally.Asked)
	if t.OnMissing != nil {
		t.OnMissing(who)
	}
	return t.Inner.Call(ctx, arguments)
}

func failed(err error) error { return &tool.BackendError{Kind: Kind, Err: err} }
