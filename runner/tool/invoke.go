package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/trace"
)

// Failure says whose fault a failed call was.
type Failure string

// The failures. NoFailure is a call that gave an output.
const (
	NoFailure      Failure = ""
	AgentFailure   Failure = "agent"   // unknown tool, bad arguments, an input that the tool refuses
	BackendFailure Failure = "backend" // timeout, or what stands behind the tool
	PanicFailure   Failure = "panic"   // a bug in the tool
	CallerFailure  Failure = "caller"  // it gave the call up; no fault of the agent or the backend
)

// The kinds of an agent's failures. The first two never reach a tool.
const (
	UnknownTool  = "unknown_tool"
	BadArguments = "bad_tool_arguments" // the tool's schema refuses them
	Refused      = "refused"            // by the tool itself
	BadRequest   = "bad_request"        // by what stands behind the tool
	NotFound     = "not_found"          // likewise
)

// IsRefusal tells the kinds of what was the agent's fault and did reach the tool.
func IsRefusal(kind string) bool { return kind == Refused || kind == BadRequest || kind == NotFound }

const (
	panicked = "panic" // the kind of every PanicFailure
	// Cancelled is the kind of every CallerFailure.
	Cancelled = "cancelled"
)

// Result is what came of one call.
type Result struct {
	Call    model.ToolCall
	Output  Output
	Error   string // "ERROR: …" as the model sees it; "" if there was an output
	Failure Failure
	// Kind says what a failure was: of the agent one of the kinds below, of a backend that
	// of its BackendError, such as auth, quota or rate_limited; timeout; cancelled; panic.
	Kind     string
	Stack    string // of a panic
	Duration time.Duration
}

// PlainErrorPrefix begins every error observation.
const PlainErrorPrefix = "ERROR: "

// Invoke runs one call and returns within timeout, whatever the tool does: a tool that
// ignores its context is left behind and its late result dropped. A tool with a deadline of
// its own is waited for until it returns or ctx is done.
func (r *Registry) Invoke(ctx context.Context, call model.ToolCall, timeout time.Duration) Result {
	start := time.Now()
	res := r.invoke(ctx, call, timeout)
	res.Call = call
	res.Duration = time.Since(start)
	return res
}

func (r *Registry) invoke(ctx context.Context, call model.ToolCall, timeout time.Duration) Result {
	i, ok := r.byName[call.Name]
	if !ok {
		return failed(AgentFailure, UnknownTool, "unknown_tool(%s)", clip(call.Name, 64))
	}
	arguments := json.RawMessage(call.Arguments)
	if strings.TrimSpace(call.Arguments) == "" {
		arguments = json.RawMessage("{}") // how some models call a tool without arguments
	}
	if err := r.check(i, arguments); err != nil {
		return failed(AgentFailure, BadArguments, "bad_tool_arguments(%s): %v", call.Name, err)
	}

	caller := ctx
	ctx, cancel := context.WithCancel(withCall(ctx, call.ID, timeout))
	defer cancel()
	if !r.specs[i].OwnDeadline {
		ctx, cancel = context.WithTimeout(ctx, timeout)
		defer cancel()
	}
	done := make(chan Result, 1) // buffered: a late result needs no reader
	go func() { done <- callRecovered(ctx, r.tools[i], arguments) }()
	select {
	case res := <-done:
		if ctx.Err() != nil && res.Failure != NoFailure && res.Failure != PanicFailure {
			return givenUp(caller, call.Name)
		}
		return res
	case <-ctx.Done():
		return givenUp(caller, call.Name)
	}
}

// givenUp is the result of a call that did not end in time: its caller's doing where that
// has left, else the backend's.
func givenUp(caller context.Context, name string) Result {
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
	out, err := t.Call(ctx, arguments)
	if e, observed := errors.AsType[*ObservedError](err); observed {
		return Result{Failure: e.Failure, Kind: e.Kind, Error: e.Text}
	}
	if err != nil {
		failure, kind := blame(err)
		return failed(failure, kind, "tool_failed(%s): %v", name, err)
	}
	if _, err := out.Render([]trace.Document{}); err != nil {
		return failed(BackendFailure, "malformed", "tool_failed(%s): %v", name, err)
	}
	return Result{Output: out}
}

// blame sorts the error of a tool.
func blame(err error) (Failure, string) {
	if e, ok := errors.AsType[*BackendError](err); ok {
		return BackendFailure, e.Kind
	}
	if e, ok := errors.AsType[*RequestError](err); ok && IsRefusal(e.Kind) {
		return AgentFailure, e.Kind
	}
	return AgentFailure, Refused
}

func failed(f Failure, kind, format string, args ...any) Result {
	return Result{Failure: f, Kind: kind, Error: PlainErrorPrefix + fmt.Sprintf(format, args...)}
}

func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}

// Canonical gives a call's arguments in one spelling: keys sorted, no white space,
// numbers as written. Two calls with equal names and canonical arguments ask for the
// same thing. Arguments that are no JSON stand for themselves.
func Canonical(arguments string) string {
	var v any
	dec := json.NewDecoder(strings.NewReader(arguments))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil || dec.More() {
		return strings.TrimSpace(arguments)
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return arguments
	}
	return string(raw)
}
