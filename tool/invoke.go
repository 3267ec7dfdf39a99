package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/trace"
)

// Failure says who is at fault for a failed call.
type Failure string

// NoFailure means that the call returned an output.
const (
	NoFailure      Failure = ""
	AgentFailure   Failure = "agent"   // unknown tool, bad arguments, or an input that the tool refuses
	BackendFailure Failure = "backend" // timeout, or a failure of the tool's backend
	PanicFailure   Failure = "panic"   // a bug in the tool
	CallerFailure  Failure = "caller"  // the caller cancelled the call
)

// Kinds of failures of an agent.
const (
	UnknownTool  = "unknown_tool"
	BadArguments = "bad_tool_arguments" // refused by the tool's schema, or by a server that checks arguments
	Refused      = "refused"            // refused by the tool for another reason
	BadRequest   = "bad_request"        // refused by the tool's backend
	NotFound     = "not_found"          // not found by the tool's backend
)

// IsRefusal reports whether the tool, and not Invoke, found an agent's failure of this kind.
func IsRefusal(kind string) bool { return kind == Refused || kind == BadRequest || kind == NotFound }

const (
	panicked = "panic" // the kind of every PanicFailure
	// Cancelled is the kind of every CallerFailure.
	Cancelled = "cancelled"
)

// Result is the result of one call.
type Result struct {
	Call    model.ToolCall
	Output  Output // for a failed call, only its cost
	Error   string // "ERROR: …" as shown to the model; "" with an output
	Failure Failure
	// Kind is the kind of a failure. If the agent caused it, it is one of the kinds above. If a backend caused
	// it, it is timeout, or the kind of its BackendError, such as auth, quota or rate_limited. Otherwise it is
	// cancelled or panic.
	Kind     string
	Reached  bool   // the tool was called, so the error may be the tool's own text
	Stack    string // stack of a panic
	Duration time.Duration
}

// PlainErrorPrefix is the beginning of every error observation.
const PlainErrorPrefix = "ERROR: "

// Invoke runs one call and returns within timeout; if a tool ignores its context, its late result is dropped.
// For a tool with its own deadline, Invoke waits until the tool returns or ctx is done; for an agent, until
// the agent returns.
func (r *Registry) Invoke(ctx context.Context, call model.ToolCall, timeout time.Duration) Result {
	start := time.Now()
	res := r.invoke(ctx, call, timeout)
	res.Call = call
	res.Duration = time.Since(start)
	return res
}

func (r *Registry) invoke(ctx context.Context, call model.ToolCall, timeout time.Duration) Result {
	i := r.index(call.Name)
	if i < 0 {
		return failed(AgentFailure, UnknownTool, "unknown_tool(%s)", text.Clip(call.Name, 64))
	}
	arguments := json.RawMessage(call.Arguments)
	if strings.TrimSpace(call.Arguments) == "" {
		arguments = json.RawMessage("{}") // some models omit empty arguments
	}
	e := r.entries[i]
	if err := checkArguments(e.schema, arguments); err != nil {
		return failed(AgentFailure, BadArguments, "bad_tool_arguments(%s): %v", call.Name, err)
	}

	caller := ctx
	s := scopeOf(ctx)
	s.Call, s.invoker, s.timeout = call.ID, ctx, timeout
	ctx, cancel := context.WithCancel(s.within(ctx))
	defer cancel()
	if !e.spec.OwnDeadline {
		ctx, cancel = context.WithTimeout(ctx, timeout)
		defer cancel()
	}
	if e.spec.Agent {
		return callRecovered(ctx, e.tool, arguments)
	}
	done := make(chan Result, 1) // with a buffer, so that sending a late result does not block
	go func() { done <- callRecovered(ctx, e.tool, arguments) }()
	select {
	case res := <-done:
		if ctx.Err() != nil && res.Failure != NoFailure && res.Failure != PanicFailure {
			return timeoutResult(caller, call.Name)
		}
		return res
	case <-ctx.Done():
		return timeoutResult(caller, call.Name)
	}
}

// timeoutResult returns the result of a call that did not end in time. The caller is at fault if it was
// cancelled, otherwise the backend.
func timeoutResult(caller context.Context, name string) Result {
	if caller.Err() != nil {
		return failed(CallerFailure, Cancelled, "cancelled(%s)", name)
	}
	return failed(BackendFailure, "timeout", "timeout(%s)", name)
}

func callRecovered(ctx context.Context, t Tool, arguments json.RawMessage) (res Result) {
	name := t.Spec().Name
	defer func() {
		if p := recover(); p != nil {
			res = failed(PanicFailure, panicked, "tool_panicked(%s): %v", name, p)
			res.Stack = string(debug.Stack())
		}
	}()
	defer func() { res.Reached = true }()
	out, err := t.Call(ctx, arguments)
	if e, observed := errors.AsType[*ObservedError](err); observed {
		return Result{Failure: e.Failure, Kind: e.Kind, Error: e.Text}
	}
	if err != nil {
		failure, kind := failureOf(err)
		if kind == BadArguments {
			return failed(failure, kind, "bad_tool_arguments(%s): %v", name, errors.Unwrap(err))
		}
		res = failed(failure, kind, "tool_failed(%s): %v", name, err)
		res.Output = Output{ModelCalls: out.ModelCalls, Usage: out.Usage, Children: out.Children}
		return res
	}
	if _, err := out.Render([]trace.Document{}); err != nil {
		return failed(BackendFailure, "malformed", "tool_failed(%s): %v", name, err)
	}
	return Result{Output: out}
}

// failureOf classifies the error of a tool.
func failureOf(err error) (Failure, string) {
	if e, ok := errors.AsType[*BackendError](err); ok {
		return BackendFailure, e.Kind
	}
	if e, ok := errors.AsType[*RequestError](err); ok && (IsRefusal(e.Kind) || e.Kind == BadArguments) {
		return AgentFailure, e.Kind
	}
	return AgentFailure, Refused
}

func failed(f Failure, kind, format string, args ...any) Result {
	return Result{Failure: f, Kind: kind, Error: PlainErrorPrefix + fmt.Sprintf(format, args...)}
}

// Canonical returns a call's arguments in a canonical form: sorted keys, no white space, numbers as written.
// Two calls are equal if their names and canonical arguments are equal. Arguments that are not JSON are
// returned without surrounding white space.
func Canonical(arguments string) string {
	var v any
	dec := json.NewDecoder(strings.NewReader(arguments))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil || dec.More() {
		return strings.TrimSpace(arguments)
	}
	raw, _ := json.Marshal(v) // encoding a decoded value never fails
	return string(raw)
}

// ObservedError is a failure from a recording. Invoke returns its text unchanged, unlike that of other
// errors.
type ObservedError struct {
	Text    string // the whole observation, "ERROR: …"
	Failure Failure
	Kind    string
}

func (e *ObservedError) Error() string { return strings.TrimPrefix(e.Text, PlainErrorPrefix) }

// FaultPrefix is the beginning of kinds of failures that a run makes on purpose. They count as the agent's
// failures, because they are obstacles for the agent and not faults of the infrastructure.
const FaultPrefix = "fault_"

// Observed returns the error of a recorded observation. Its kind says who is at fault: kinds of the agent and
// panics come from Invoke, all other kinds from backends.
func Observed(text, kind string) error {
	if text == "" {
		return errors.New("the recorded error has no text: the recording is damaged")
	}
	e := &ObservedError{Text: text, Failure: BackendFailure, Kind: kind}
	switch {
	case kind == UnknownTool, kind == BadArguments, IsRefusal(kind), strings.HasPrefix(kind, FaultPrefix):
		e.Failure = AgentFailure
	case kind == panicked:
		e.Failure = PanicFailure
	case kind == Cancelled:
		e.Failure = CallerFailure
	}
	return e
}
