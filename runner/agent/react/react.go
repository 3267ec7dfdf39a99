package react

import (
	"context"
	"errors"
	"fmt"

	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/agent/session"
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/trace"
)

// Agent is the shipped agent with one configuration.
type Agent session.Settings

// Run runs one trace.
func (a *Agent) Run(ctx context.Context, task agent.Task) trace.Trace {
	return session.Run(ctx, session.Settings(*a), task, strategyOf(a.Config.Strategy))
}

// loop runs turns with tools until the model answers or a limit is reached.
func loop(ctx context.Context, s *session.Session) trace.Trace {
	for range s.MaxSteps {
		confidence := askConfidence(s)
		t, err := s.Ask(ctx, true)
		if err != nil {
			return s.Fail(ctx, err)
		}
		switch {
		case t.Problem == nil:
		case s.Complain(t):
			continue
		case session.IsUnmarked(t.Problem):
			return s.Conclude(ctx, trace.Final, t)
		default:
			return s.NoAnswer(trace.Final, trace.FormatError, t.Problem.Error())
		}
		answers := len(t.Calls) == 0 || t.Finish == model.FinishContentFilter
		if confidence {
			noteChoice(s, answers)
		}
		if answers {
			return s.Conclude(ctx, trace.Final, t)
		}
		switch limited, bug := s.Act(ctx, t); {
		case errors.Is(ctx.Err(), context.Canceled): // after a deadline the next request fails, and is recorded
			return s.Fail(ctx, ctx.Err())
		case bug != nil:
			return s.Stop(trace.Panic, bug.Error+"\n"+bug.Stack) // never the agent's fault
		case limited:
			return s.AtLimit(ctx, trace.MaxToolCalls)
		}
	}
	s.Guard("steps", "limit", "all allowed turns are used up")
	return s.AtLimit(ctx, trace.MaxSteps)
}

// once runs a single turn without tools.
func once(ctx context.Context, s *session.Session) trace.Trace {
	t, err := s.Ask(ctx, false)
	if err != nil {
		return s.Fail(ctx, err)
	}
	return s.Conclude(ctx, trace.Final, t)
}

// askConfidence asks the model once, after the configured number of turns, whether it can
// answer already.
func askConfidence(s *session.Session) bool {
	n := s.Config().ConfidenceCheck
	if n <= 0 || s.Steps() != n {
		return false
	}
	s.Guard("confidence_check", "ask", fmt.Sprintf("after %d turns", n))
	s.Say(promptConfidence)
	return true
}

// noteChoice records the result of the confidence check.
func noteChoice(s *session.Session, answers bool) {
	decision := "continue"
	if answers {
		decision = "answer"
	}
	s.Guard("confidence_check", decision, "")
}
