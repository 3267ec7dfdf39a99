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
	// Seed belongs to this trace alone (DESIGN.md §3); an agent that samples takes its
	// randomness from it.
	Seed int64
	// Model answers the agent's turns and records them.
	Model model.Model
	// Emit records what happens, as it happens. The end is recorded from the Trace that
	// Run returns; a Conclusion that is emitted is passed over.
	Emit trace.Emit
}

// Agent runs tasks. Implementations are safe for concurrent use.
type Agent interface {
	// Run runs one trace to its end. Every failure is data in the trace; once ctx is
	// done it returns soon, with stop reason cancelled. An agent must not look at the
	// query's gold beyond its answer type.
	Run(ctx context.Context, task Task) trace.Trace
}
