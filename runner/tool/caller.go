package tool

import (
	"context"
	"time"

	"github.com/seed-5817661a/concur/runner/trace"
)

// Caller names the call that a tool is run for.
type Caller struct {
	Trace trace.ID
	Call  string // the call's id, unique in the trace
}

type (
	traceKey   struct{}
	callKey    struct{}
	timeoutKey struct{}
)

// WithTrace gives a context that names the trace whose calls are run in it. Whoever runs
// an agent sets it; Invoke adds the call.
func WithTrace(ctx context.Context, id trace.ID) context.Context {
	return context.WithValue(ctx, traceKey{}, id)
}

func withCall(ctx context.Context, id string, timeout time.Duration) context.Context {
	return context.WithValue(context.WithValue(ctx, callKey{}, id), timeoutKey{}, timeout)
}

// TimeoutOf tells a tool with a deadline of its own, by the context of its Call, how long
// the call may wait for what is outside of this process. False is a call outside of Invoke.
func TimeoutOf(ctx context.Context) (time.Duration, bool) {
	timeout, invoked := ctx.Value(timeoutKey{}).(time.Duration)
	return timeout, invoked
}

// CallerOf tells a tool, by the context of its Call, what it is run for. A tool must not
// let its output depend on it; it is for records. False is a call outside of a trace.
func CallerOf(ctx context.Context) (Caller, bool) {
	id, inTrace := ctx.Value(traceKey{}).(trace.ID)
	call, invoked := ctx.Value(callKey{}).(string)
	return Caller{id, call}, inTrace && invoked
}
