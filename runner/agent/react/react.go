// Package react is the shipped agent: the loop of thought, action and observation over a
// model's native tool calls or as text (Yao et al. 2022, arXiv 2210.03629), with its prompt,
// and strategies without tools for comparison. Package session does what all loops share.
package react

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/agent/session"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
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
			decision := "continue"
			if answers {
				decision = "answer"
			}
			s.Guard("confidence_check", decision, "")
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
	s.Say(prompt("confidence"))
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

//go:embed prompts.yaml
var promptFile []byte

var prompt = session.Prompts(promptFile)

// stepwisePrompt asks for chain-of-thought reasoning in one turn (Kojima et al. 2022, arXiv 2205.11916).
func stepwisePrompt(p session.Protocol, _ []tool.Spec, _ string) []string {
	return withForm(session.LoopPrompt(p, nil, ""), "steps")
}

// directPrompt leaves out the protocol's form, which asks for a thought: an answer line is
// a final message in every protocol.
func directPrompt(session.Protocol, []tool.Spec, string) []string {
	return withForm(session.LoopPrompt(session.Protocol{}, nil, ""), "direct")
}

// withForm replaces the last part of a system prompt, which is the form of the final answer.
func withForm(parts []string, form string) []string {
	return append(parts[:len(parts)-1], prompt(form))
}
