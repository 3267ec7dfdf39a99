package tool

import (
	"context"

	"github.com/seed-5817661a/concur/runner/trace"
)

// Caller names the call that a tool is run for.
type Caller struct {
	Trace trace.ID
	Call  string // the call's id, unique in the trace
}

type (
	traceKey struct{}
	callKey  struct{}
)

// WithTrace gives a context that names the trace whose calls are run in it. Whoever runs
// an agent sets it; Invoke adds the call.
func WithTrace(ctx context.Context, id trace.ID) context.Context {
	return context.WithValue(ctx, traceKey{}, id)
}

func withCall(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, callKey{}, id)
}

// CallerOf tells a tool, by the context of its Call, what it is run for. A tool must not
// let its output depend on it; it is for records. False is a call outside of a trace.
func CallerOf(ctx context.Context) (Caller, bool) {
	id, inTrace := ctx.Value(traceKey{}).(trace.ID)
	call, invoked := ctx.Value(callKey{}).(string)
	return Caller{id, call}, inTrace && invoked
}
