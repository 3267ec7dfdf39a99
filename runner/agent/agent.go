package agent

import (
	"context"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/trace"
)

// Task is one trace to run.
type Task struct {
	ID    trace.ID
	Query datasets.Query
	// Seed of this trace (DESIGN.md §3), for an agent that needs randomness.
	Seed int64
	// Model answers the agent's turns and records them.
	Model model.Model
	// Emit records events as they happen. The conclusion is recorded from the Trace that Run
	// returns; an emitted Conclusion is ignored.
	Emit trace.Emit
	// Child is the place of an agent that runs as a tool of another.
	Child Child
	// Records serves agents that this one calls as tools; nil if it can call none.
	Records Records
}

// Agent runs tasks. Implementations are safe for concurrent use.
type Agent interface {
	// Run runs one trace to its end. A failure is data in the trace. Once ctx is done, Run
	// returns soon, with stop reason cancelled. An agent must not use the query's gold
	// except its answer type.
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
