// Package agent defines the interface of agents: an Agent takes a Task and returns a Trace. The built-in agent
// is agent/react. Agents that are other programs implement the same interface.
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
	// Today is the day of the run. Prompts use it if the query has no time. It is zero if it is not known.
	Today time.Time
	// Seed is the seed of this trace (docs/method.md §11). Agents that need randomness use it.
	Seed int64
	// Model answers the agent's turns and records them.
	Model model.Model
	// Emit records events while they happen. It ignores a Conclusion, because the end of the trace is recorded
	// from the Trace that Run returns.
	Emit  trace.Emit
	Child Child // set for an agent that another agent calls as a tool
	// Records gives agents that this agent calls as tools what they need to record their work. It is nil if
	// this agent cannot call other agents.
	Records Records
}

// Day returns the day of the query. If the query has none, it returns the day of the run. It is zero if neither
// is known.
func (t Task) Day() time.Time {
	if day, dated := t.Query.Today(); dated {
		return day
	}
	return t.Today
}

// Agent runs tasks. Implementations must be safe for concurrent use.
type Agent interface {
	// Run runs one trace to its end. A failure is not an error but data in the trace. When ctx is done, Run
	// returns soon, with the stop reason cancelled. Of the query's gold, an agent may use only the answer type,
	// and whether the premise of the question is false.
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

// Child is the place of an agent that another agent calls as a tool, and the part of the caller's trace that it
// may use. The zero value means the trace's own agent.
type Child struct {
	// Path names the agent within the trace: "" for the trace's own agent, researcher#1 for the first agent
	// that it called, researcher#1/checker#1 for the first agent that researcher#1 called.
	Path   string
	Ledger *trace.Ledger // the evidence of the trace; nil is an empty ledger
	// MaxSteps and MaxToolCalls are the limits that the caller has left. If they are nil, the agent has the
	// limits of its own settings.
	MaxSteps, MaxToolCalls *int
	// InOrder calls do as soon as all agents that were called before this one in the same turn have returned.
	// This may be at once. So the records of agents that work at the same time are in order. If InOrder is nil,
	// do is called at once.
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

// Records returns two things for a called agent: a model that records its requests under name, and the Emit for
// its events. Both must be safe for use at the same time as those of other agents. Events are recorded by
// Child.Ordered.
type Records func(c Child, name string, m model.Model) (model.Model, trace.Emit)

type callerKey struct{}

// WithCaller returns a context that has the task of the calling agent. A tool that runs an agent needs it.
// Child of the task is the place of the called agent.
func WithCaller(ctx context.Context, caller Task) context.Context {
	return context.WithValue(ctx, callerKey{}, caller)
}

// CallerOf returns the task of the calling agent, for a tool that runs an agent. ok is false if the call is not
// part of a trace.
func CallerOf(ctx context.Context) (caller Task, ok bool) {
	caller, ok = ctx.Value(callerKey{}).(Task)
	return caller, ok && caller.Records != nil
}
