// Package agent defines the harness's view of an agent: it takes a Task and gives a Trace. The
// shipped agent is agent/react; other programs implement Agent.
package agent

import (
	"context"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/trace"
)

// Task is one trace to run.
type Task struct {
	ID    trace.ID
	Query datasets.Query
	// Seed of this trace (docs/method.md §11), for an agent that needs randomness.
	Seed int64
	// Model answers the agent's turns and records them.
	Model model.Model
	// Emit records events as they happen. The conclusion is recorded from the Trace that Run
	// returns; an emitted Conclusion is ignored.
	Emit  trace.Emit
	Child Child // the place of an agent that runs as a tool of another
	// Records serves agents that this one calls as tools; nil if it can call none.
	Records Records
}

// Agent runs tasks. Implementations are safe for concurrent use.
type Agent interface {
	// Run runs one trace to its end. A failure is data in the trace. Once ctx is done, Run returns soon, with stop
	// reason cancelled. An agent must not use the query's gold except its answer type.
	Run(ctx context.Context, task Task) trace.Trace
}

// ReasonOf is the stop reason of a model's failure.
func ReasonOf(err error) trace.StopReason {
	switch model.KindOf(err) {
	case model.ErrContextOverflow:
		return trace.ContextOverflow
	case model.ErrContentFilter:
		return trace.ContentFilter
	case model.ErrTimeout:
		return trace.Timeout
	default:
		return trace.ModelError
	}
}

// Child is the place of an agent that another calls as a tool: what the caller's trace gives
// it. The zero value is the trace's own agent.
type Child struct {
	// Path names the agent within the trace: "" for the trace's own, researcher#1 for the
	// first that it called, researcher#1/checker#1 for the first that that one called.
	Path   string
	Ledger *trace.Ledger // the evidence of the trace; nil for an empty one
	// MaxSteps and MaxToolCalls are what the caller has left for it; nil leaves it to the agent's own settings.
	MaxSteps, MaxToolCalls *int
}

// Records gives the model of an agent at a path, recorded under name, and the Emit of its events.
type Records func(path, name string, m model.Model) (model.Model, trace.Emit)

type callerKey struct{}

// WithCaller gives a context with the task of an agent that calls a tool which is an agent too; its Child is the place
// of the one that it calls.
func WithCaller(ctx context.Context, caller Task) context.Context {
	return context.WithValue(ctx, callerKey{}, caller)
}

// CallerOf gives a tool that is an agent its caller. ok is false outside of a trace.
func CallerOf(ctx context.Context) (caller Task, ok bool) {
	caller, ok = ctx.Value(callerKey{}).(Task)
	return caller, ok && caller.Records != nil
}
