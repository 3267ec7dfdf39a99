package agent

import (
	"context"

	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/trace"
)

// Child is the place of an agent that another calls as a tool: what the caller's trace gives
// it. The zero value is the trace's own agent.
type Child struct {
	// Path names the agent within the trace: "" for the trace's own, researcher#1 for the
	// first that it called, researcher#1/checker#1 for the first that that one called.
	Path string
	// Ledger is the evidence of the trace; nil for an empty one.
	Ledger *trace.Ledger
	// MaxSteps and MaxToolCalls are what the caller has left for it; nil leaves it to the
	// agent's own settings.
	MaxSteps, MaxToolCalls *int
}

// Caller is an agent that calls a tool which is an agent too.
type Caller struct {
	Task  Task  // the caller's own
	Child Child // for the agent that it calls
}

// Records gives the model of an agent at a path, recorded under name, and the Emit of its
// events.
type Records func(path, name string, m model.Model) (model.Model, trace.Emit)

type callerKey struct{}

// WithCaller gives a context with the caller of the tools that are agents.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// CallerOf gives a tool that is an agent its caller. ok is false outside of a trace.
func CallerOf(ctx context.Context) (c Caller, ok bool) {
	c, ok = ctx.Value(callerKey{}).(Caller)
	return c, ok && c.Task.Records != nil
}
