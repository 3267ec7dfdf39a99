package react

import (
	"context"
	"fmt"

	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/agent/session"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/tool"
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
		t, again, end := s.Turn(ctx)
		switch {
		case end != nil:
			return *end
		case again:
			continue
		}
		answers := len(t.Calls) == 0 || t.Finish == model.FinishContentFilter
		if confidence {
			s.Guard("confidence_check", map[bool]string{true: "answer", false: "continue"}[answers], "")
		}
		if answers {
			return s.Conclude(ctx, trace.Final, t)
		}
		if end := s.Run(ctx, t, func() {}); end != nil {
			return *end
		}
	}
	return s.OutOfTurns(ctx)
}

// once runs a single turn without tools.
func once(ctx context.Context, s *session.Session) trace.Trace {
	t, err := s.Ask(ctx, false)
	if err != nil {
		return s.Fail(ctx, err)
	}
	return s.Conclude(ctx, trace.Final, t)
}

// askConfidence asks the model once, after the configured number of turns, whether it can answer already.
func askConfidence(s *session.Session) bool {
	n := s.Config().ConfidenceCheck
	if n <= 0 || s.Steps() != n {
		return false
	}
	s.Guard("confidence_check", "ask", fmt.Sprintf("after %d turns", n))
	s.Say(promptConfidence)
	return true
}

// strategyOf gives the strategy of a name in the configuration; the default is react.
func strategyOf(name string) session.Strategy {
	switch name {
	case config.StrategyCoT:
		return session.Strategy{System: stepwisePrompt, Run: once}
	case config.StrategyDirect:
		return session.Strategy{System: directPrompt, Run: once}
	default:
		return session.Strategy{Tools: true, System: session.LoopPrompt, Run: loop}
	}
}

const (
	promptSteps = `The final answer has two parts:
1. your reasoning, step by step: what is asked, what you know about it, and what follows, each step in a sentence;
2. a line that begins with "Answer:" and holds the short answer alone: the name, the number, the date, yes or no. Write "Answer: [ABSTAIN]" if what you know does not settle the question, and "Answer: [REFUSE]" if you refuse.`

	promptDirect = `Reply with one line and nothing else. It begins with "Answer:" and holds the short answer alone: the name, the number, the date, yes or no. Write "Answer: [ABSTAIN]" if what you know does not settle the question, and "Answer: [REFUSE]" if you refuse.`

	// promptConfidence is the confidence check.
	promptConfidence = `Before you go on: say how sure you are, in percent, that what you have settles the question. If it does, give the final answer now; if it does not, go on with what is missing.`
)

// stepwisePrompt asks for chain-of-thought reasoning in one turn (Kojima et al. 2022, arXiv 2205.11916).
func stepwisePrompt(p session.Protocol, _ []tool.Spec, _ string) []string {
	parts := append([]string{session.PromptTask}, p.Instructions(nil)...)
	return append(parts, session.PromptQuoted, session.PromptRefuse, promptSteps)
}

// directPrompt leaves out the protocol's form, which asks for a thought: an answer line is
// a final message in every protocol.
func directPrompt(session.Protocol, []tool.Spec, string) []string {
	return []string{session.PromptTask, session.PromptQuoted, session.PromptRefuse, promptDirect}
}
