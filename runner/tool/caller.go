package tool

import (
	"context"
	"errors"
	"time"

	"github.com/seed-5817661a/concur/runner/trace"
)

// Caller names the call that a tool runs for.
type Caller struct {
	Trace trace.ID
	Path  string // of the calling agent within the trace; "" for the trace's own
	Call  string // the call's id, unique in the agent's conversation
}

type (
	traceKey struct{}
	pathKey  struct{}
	callKey  struct{}
)

// running is a trace, and the context that ends with it.
type running struct {
	id  trace.ID
	ctx context.Context
}

// invocation is a call, and the context of its caller.
type invocation struct {
	id      string
	timeout time.Duration
	caller  context.Context
}

// WithTrace gives a context with the trace of the calls that run in it. The caller of an
// agent sets it, and ends ctx with the trace; Invoke adds the call.
func WithTrace(ctx context.Context, id trace.ID) context.Context {
	return context.WithValue(ctx, traceKey{}, running{id, ctx})
}

// OnTraceEnd calls do, once and in a goroutine of its own, after the trace of a call has
// ended; never outside of a trace.
func OnTraceEnd(ctx context.Context, do func()) {
	if r, inTrace := ctx.Value(traceKey{}).(running); inTrace {
		context.AfterFunc(r.ctx, do)
	}
}

// WithPath gives a context with the path of the agent whose calls run in it.
func WithPath(ctx context.Context, path string) context.Context {
	return context.WithValue(ctx, pathKey{}, path)
}

// callerGone reports, from the context of a Call, whether its caller has been cancelled or has
// reached a deadline of its own, which is no fault of the tool.
func callerGone(ctx context.Context) bool {
	call, invoked := ctx.Value(callKey{}).(invocation)
	return errors.Is(ctx.Err(), context.Canceled) || invoked && call.caller.Err() != nil
}

// TimeoutOf gives a tool with its own deadline, from the context of its Call, the time that
// the call may wait for anything outside of this process. ok is false outside of Invoke.
func TimeoutOf(ctx context.Context) (time.Duration, bool) {
	call, invoked := ctx.Value(callKey{}).(invocation)
	return call.timeout, invoked
}

// CallerOf gives a tool, from the context of its Call, the call that it runs for. It is for
// records: a tool's output must not depend on it. ok is false outside of a trace.
func CallerOf(ctx context.Context) (Caller, bool) {
	r, inTrace := ctx.Value(traceKey{}).(running)
	path, _ := ctx.Value(pathKey{}).(string)
	call, invoked := ctx.Value(callKey{}).(invocation)
	return Caller{r.id, path, call.id}, inTrace && invoked
}
