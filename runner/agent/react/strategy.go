package react

import (
	"github.com/seed-5817661a/concur/runner/agent/session"
	"github.com/seed-5817661a/concur/runner/config"
)

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
