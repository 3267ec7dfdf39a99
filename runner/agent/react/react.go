package react

import (
	"context"

	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/guard/inject"
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/tool"
	"github.com/seed-5817661a/concur/runner/trace"
)

// Agent is the ReAct agent with one setting. It keeps no state between traces.
type Agent struct {
	Config config.Agent
	// Tools is never nil; an agent without tools has an empty registry.
	Tools *tool.Registry
}

// Run runs one trace.
func (a *Agent) Run(ctx context.Context, task agent.Task) trace.Trace {
	s := a.newSession(task)
	if a.Config.HasGuard(config.GuardInjection) {
		if f := inject.Scan(task.Query.Text); f.Flagged {
			s.guard(config.GuardInjection, "refuse", describe(f))
			return s.stop(trace.RefusedByGuard, "")
		}
	}
	for range a.maxSteps(task) {
		t, err := s.ask(ctx, a.Tools.ModelSpecs())
		if err != nil {
			return s.fail(ctx, err)
		}
		if t.problem != nil {
			if !s.complain(t.problem) {
				return s.noAnswer(trace.Final, trace.FormatError, t.problem.Error())
			}
			continue
		}
		if len(t.calls) == 0 || t.finish == model.FinishContentFilter {
			return s.conclude(trace.Final, t)
		}
		switch limited, bug := s.act(ctx, t); {
		case ctx.Err() != nil:
			return s.fail(ctx, ctx.Err())
		case bug != nil:
			return s.crash(*bug)
		case limited:
			return s.lastTurn(ctx, trace.MaxToolCalls)
		}
	}
	s.guard("steps", "limit", "all allowed turns are used up")
	return s.lastTurn(ctx, trace.MaxSteps)
}

// maxSteps follows DESIGN.md §4: flag, then query, then configuration.
func (a *Agent) maxSteps(task agent.Task) int {
	if task.Query.MaxSteps > 0 && !a.Config.FixedSteps {
		return task.Query.MaxSteps
	}
	return a.Config.MaxSteps
}
