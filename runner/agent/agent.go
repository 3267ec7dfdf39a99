// Package agent defines the interface of agents: an Agent takes a Task and returns a Trace. The built-in agent
// is agent/react; other programs implement Agent.
package agent

import (
	"context"
	"time"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/trace"
)

// Task is one trace to run.
type Task struct {
	ID    trace.ID
	Query datasets.Query
	// Today is the day of the run, for prompts if the query has no time; zero if it is not known.
	Today time.Time
	// Seed is the seed of this trace (docs/method.md §11), for an agent that needs randomness.
	Seed int64
	// Model answers the agent's turns and records them.
	Model model.Model
	// Emit records events as they happen. It ignores a Conclusion, because that is recorded from the Trace that
	// Run returns.
	Emit  trace.Emit
	Child Child // set for an agent that another agent calls as a tool
	// Records serves agents that this one calls as tools; nil if it cannot call any.
	Records Records
}

// Day returns the day of the query or, without one, of the run; zero if neither is known.
func (t Task) Day() time.Time {
	if day, dated := t.Query.Today(); dated {
		return day
	}
	return t.Today
}

// Agent runs tasks. Implementations must be safe for concurrent use.
type Agent interface {
	// Run runs one trace to its end. A failure is data in the trace. When ctx is done, Run returns soon, with
	// the stop reason cancelled. An agent must not use the query's gold, except its answer type and whether the
	// premise of the question is false.
	Run(ctx context.Context, task Task) trace.Trace
}

// ReasonOf returns the stop reason for a model's failure.
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

// Child is the position of an agent that another agent calls as a tool, and its part of the caller's trace.
// The zero value means the trace's own agent.
type Child struct {
	// Path names the agent within the trace: "" for the trace's own agent, researcher#1 for the first agent
	// that it called, researcher#1/checker#1 for the first agent that researcher#1 called.
	Path   string
	Ledger *trace.Ledger // the evidence of the trace; nil is an empty ledger
	// MaxSteps and MaxToolCalls are the caller's remaining limits; nil means the agent's own settings.
	MaxSteps, MaxToolCalls *int
	// InOrder calls do when the agents that were called before this one in the same turn have returned, which
	// may be now. It orders the records of agents that work at the same time; nil calls do at once.
	InOrder func(do func())
}

// Ordered calls do by InOrder.
func (c Child) Ordered(do func()) {
	if c.InOrder == nil {
		do()
		return
	}
	c.InOrder(do)
}

// Records returns the model of a called agent, recorded under name, and the Emit for its events. Both must be
// safe for use at the same time as those of other agents; events are recorded by Child.Ordered.
type Records func(c Child, name string, m model.Model) (model.Model, trace.Emit)

type callerKey struct{}

// WithCaller returns a context with the task of the calling agent, for a tool that runs an agent. Its Child is
// the position of the called agent.
func WithCaller(ctx context.Context, caller Task) context.Context {
	return context.WithValue(ctx, callerKey{}, caller)
}

// CallerOf returns the calling agent's task to a tool that runs an agent. ok is false outside a trace.
func CallerOf(ctx context.Context) (caller Task, ok bool) {
	caller, ok = ctx.Value(callerKey{}).(Task)
	return caller, ok && caller.Records != nil
}
