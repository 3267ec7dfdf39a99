package react

import (
	"context"
	"errors"

	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/guard/inject"
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/tool"
	"github.com/seed-5817661a/concur/runner/trace"
)

// Agent is the shipped agent with one configuration. It keeps no state between traces.
type Agent struct {
	Config config.Agent
	// Tools is never nil; an agent without tools has an empty registry.
	Tools *tool.Registry
	// Prompt comes before the agent's own instructions; may be "".
	Prompt string
}

// Run runs one trace.
func (a *Agent) Run(ctx context.Context, task agent.Task) trace.Trace {
	plan := strategyOf(a.Config.Strategy)
	s := a.newSession(task, plan)
	if a.Config.HasGuard(config.GuardInjection) {
		if f := inject.Scan(task.Query.Text, inject.Query); f.Flagged {
			s.guard(config.GuardInjection, "refuse", describe(f))
			return s.stop(trace.RefusedByGuard, "")
		}
	}
	return plan.run(s, ctx)
}

// loop runs turns with tools until the model answers or a limit is reached.
func (s *session) loop(ctx context.Context) trace.Trace {
	for range s.maxSteps {
		confidence := s.askConfidence()
		t, err := s.ask(ctx, true)
		if err != nil {
			return s.fail(ctx, err)
		}
		switch {
		case t.problem == nil:
		case s.complain(t):
			continue
		case isUnmarked(t.problem):
			return s.conclude(ctx, trace.Final, t)
		default:
			return s.noAnswer(trace.Final, trace.FormatError, t.problem.Error())
		}
		answers := len(t.calls) == 0 || t.finish == model.FinishContentFilter
		if confidence {
			s.noteChoice(answers)
		}
		if answers {
			return s.conclude(ctx, trace.Final, t)
		}
		switch limited, bug := s.act(ctx, t); {
		case errors.Is(ctx.Err(), context.Canceled): // after a deadline the next request fails, and is recorded
			return s.fail(ctx, ctx.Err())
		case bug != nil:
			return s.stop(trace.Panic, bug.Error+"\n"+bug.Stack) // never the agent's fault
		case limited:
			return s.atLimit(ctx, trace.MaxToolCalls)
		}
	}
	s.guard("steps", "limit", "all allowed turns are used up")
	return s.atLimit(ctx, trace.MaxSteps)
}

// once runs a single turn without tools.
func (s *session) once(ctx context.Context) trace.Trace {
	t, err := s.ask(ctx, false)
	if err != nil {
		return s.fail(ctx, err)
	}
	return s.conclude(ctx, trace.Final, t)
}

// maxSteps follows DESIGN.md §4: flag, then query, then configuration.
func (a *Agent) maxSteps(task agent.Task) int {
	if most := task.Child.MaxSteps; most != nil {
		return min(a.Config.MaxSteps, *most)
	}
	if task.Query.MaxSteps > 0 && !a.Config.FixedSteps {
		return task.Query.MaxSteps
	}
	return a.Config.MaxSteps
}
