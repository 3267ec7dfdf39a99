package assemble

import (
	"context"
	"maps"

	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/agent/plan"
	"github.com/seed-5817661a/concur/runner/agent/react"
	"github.com/seed-5817661a/concur/runner/agent/session"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/guard/inject"
	"github.com/seed-5817661a/concur/runner/store"
)

// openOwn opens concur's own agent, and gives the parts of its hash.
func (s *Session) openOwn(ctx context.Context, a *runner.Arm) (map[string]string, store.AgentFacts, error) {
	if s.Replays() {
		s.options.Replay.servers = s.Draft.Manifest.Agents[a.AgentHash].Servers
	}
	set, err := s.tools.open(ctx, a.Configuration.Effective()) // cot and direct have none to open
	if err != nil {
		return nil, store.AgentFacts{}, err
	}
	settings := session.Settings{Config: a.Configuration.Agent, Tools: set.registry, Scans: &inject.Memo{}}
	if a.Configuration.Agent.Playbook.Used() {
		own := *set // others have these tools too, and not the playbook
		set = &own
		source, err := s.openPlaybook(ctx, a, set)
		if err != nil {
			return nil, store.AgentFacts{}, err
		}
		settings.Sources = append(settings.Sources, source)
	}
	parts, facts := agentVersions(), set.facts
	if err := s.addMemory(ctx, a, &settings, parts, &facts); err != nil {
		return nil, facts, err
	}
	a.Agent = loopOf(settings)
	parts["model"] = s.a.modelVersion(a.Configuration.Model, a.Configuration.Providers)
	maps.Copy(parts, set.parts)
	if !a.Configuration.Effective().Agent.Explain.IsZero() {
		parts["explain"] = session.ExplainVersion
	}
	if !a.Configuration.Agent.Turns.Condense.IsZero() {
		parts["condense"] = session.CondenseVersion
	}
	if a.Configuration.Agent.Strategy == config.StrategyPlan {
		parts["plan"] = plan.PromptVersion
	}
	return parts, facts, nil
}

// loopOf is an agent with the loop of its strategy.
func loopOf(s session.Settings) agent.Agent {
	if s.Config.Strategy == config.StrategyPlan {
		return (*plan.Agent)(&s)
	}
	return (*react.Agent)(&s)
}
