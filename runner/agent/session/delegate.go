package session

import (
	"context"
	"fmt"

	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/tool"
)

// isAgent reports whether a tool is an agent.
func (s *Session) isAgent(name string) bool {
	t, known := s.tools.Lookup(name)
	return known && t.Spec().Agent
}

// callAgent runs the first of the turn's remaining calls of agents, sharers in number. They
// run one after another, so that events and document ids have an order that a replay repeats.
// Each has an equal part of the tool calls that are left, and the turns that are left.
func (s *Session) callAgent(ctx context.Context, call model.ToolCall, sharers int) tool.Result {
	s.children[call.Name]++
	path := fmt.Sprintf("%s#%d", call.Name, s.children[call.Name])
	if s.task.Child.Path != "" {
		path = s.task.Child.Path + "/" + path
	}
	steps := max(1, s.MaxSteps-s.result.Steps)
	r := s.tools.Invoke(agent.WithCaller(ctx, agent.Caller{Task: s.task, Child: agent.Child{
		Path: path, Ledger: s.ledger, MaxSteps: &steps, MaxToolCalls: s.calls.Left(sharers),
	}}), call, s.agent.Config.ToolTimeout)
	for _, c := range r.Output.Children {
		s.calls.Charge(c.ToolCalls)
	}
	return r
}
