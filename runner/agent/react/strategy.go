package react

import (
	"context"

	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/tool"
	"github.com/seed-5817661a/concur/runner/trace"
)

// strategy is how a question is worked on: the tools that the model has, what it is told,
// and how many turns it takes.
type strategy struct {
	tools bool // the configured ones; else none
	// prompt gives the parts of the system prompt. marks tells of marked data; "" where
	// nothing is marked.
	prompt func(p protocol, tools []tool.Spec, marks string) []string
	run    func(s *session, ctx context.Context) trace.Trace
}

// strategyOf knows the names that the configuration allows; any other is react.
func strategyOf(name string) strategy {
	switch name {
	case config.StrategyCoT:
		return strategy{prompt: stepwisePrompt, run: (*session).once}
	case config.StrategyDirect:
		return strategy{prompt: directPrompt, run: (*session).once}
	default:
		return strategy{tools: true, prompt: loopPrompt, run: (*session).loop}
	}
}
