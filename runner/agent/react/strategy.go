package react

import (
	"context"

	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/tool"
	"github.com/seed-5817661a/concur/runner/trace"
)

// strategy is a way to work on a question: its tools, its prompt and its turns.
type strategy struct {
	tools bool // use the configured tools
	// prompt gives the parts of the system prompt. marks explains marked data; "" if nothing
	// is marked.
	prompt func(p protocol, tools []tool.Spec, marks string) []string
	run    func(s *session, ctx context.Context) trace.Trace
}

// strategyOf gives the strategy of a name in the configuration; the default is react.
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
