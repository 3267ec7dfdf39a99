// Package react implements the built-in agent: the loop of thought, action and observation (Yao et al. 2022,
// arXiv 2210.03629), with native tool calls or with calls as text. It also has the agent's prompts, and
// strategies without tools for comparison. Package session has the code that all loops share.
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

// Agent is the built-in agent with one configuration.
type Agent session.Settings

// Run runs one trace.
func (a *Agent) Run(ctx context.Context, task agent.Task) trace.Trace {
	return session.Run(ctx, session.Settings(*a), task, strategyOf(a.Config))
}

// runTurns runs turns with tools until the model answers or a limit is reached.
func runTurns(ctx context.Context, s *session.Session) trace.Trace {
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

// runSingle runs a single turn without tools.
func runSingle(ctx context.Context, s *session.Session) trace.Trace {
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

// runInline lets the model write one text. Each call in it is run, its result is put into the text, and the model
// writes on. When the calls are used up, it writes to the end (Schick et al. 2023, arXiv 2302.04761).
func runInline(ctx context.Context, s *session.Session) trace.Trace {
	for range s.MaxSteps {
		if !s.CallsLeft() {
			return runSingle(ctx, s)
		}
		t, again, end := s.Turn(ctx)
		switch {
		case end != nil:
			return *end
		case again:
			continue
		case len(t.Calls) == 0 || t.Finish == model.FinishContentFilter:
			return s.Conclude(ctx, trace.Final, t)
		}
		if end := s.Run(ctx, t, func() {}); end != nil {
			return *end
		}
	}
	return s.OutOfTurns(ctx)
}

// strategyOf returns an agent's strategy. If its name is empty, it returns react.
func strategyOf(c config.Agent) session.Strategy {
	switch c.Strategy {
	case config.StrategyCoT:
		return session.Strategy{System: stepwisePrompt, Run: runSingle}
	case config.StrategyDirect:
		return session.Strategy{System: directPrompt, Run: runSingle}
	default:
		run := runTurns
		if c.Protocol == config.ProtocolInline {
			run = runInline
		}
		return session.Strategy{Tools: true, System: session.LoopPrompt, Run: run}
	}
}

//go:embed prompts.yaml
var promptFile []byte

var prompt = session.Prompts(promptFile)

// stepwisePrompt asks for chain-of-thought reasoning in one turn (Kojima et al. 2022, arXiv 2205.11916).
func stepwisePrompt(p session.Protocol, _ []tool.Spec, _ string) []string {
	return withForm(session.LoopPrompt(p, nil, ""), "steps")
}

// directPrompt leaves out the text about the form of a turn, because that text asks for a thought. In every
// protocol, an answer line is a final message.
func directPrompt(session.Protocol, []tool.Spec, string) []string {
	return withForm(session.LoopPrompt(session.Protocol{}, nil, ""), "direct")
}

// withForm replaces the last part of a system prompt, the form of the final answer.
func withForm(parts []string, form string) []string {
	return append(parts[:len(parts)-1], prompt(form))
}
