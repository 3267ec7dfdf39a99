// Package usage sums up the usage of the agents that ran as tools, and of the agent's side requests.
package usage

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/runner/feature"
	"github.com/seed-5817661a/concur/runner/store"
)

// SubAgent is the usage of an agent that other agents called, over all traces.
type SubAgent struct {
	Calls int `json:"calls"` // number of runs
	store.AgentCost
}

func (s SubAgent) merge(o SubAgent) SubAgent {
	switch {
	case o.Calls == 0:
		return s
	case s.Calls == 0:
		return o
	}
	return SubAgent{s.Calls + o.Calls, s.Plus(o.AgentCost, false)}
}

func (s SubAgent) plus(c store.AgentCost) SubAgent {
	return SubAgent{s.Calls + 1, s.Plus(c, s.Calls == 0)}
}

// Agents collects the usage of agents that were called as tools.
type Agents struct {
	All    SubAgent            `json:"all"`
	ByName map[string]SubAgent `json:"by_name"`
}

// SubAgents describes the usage of agents that were called as tools.
var SubAgents = feature.Kind{
	Name: "sub_agents", Figures: Agents{}, Sum: func() feature.Sum { return &Agents{ByName: map[string]SubAgent{}} },
	Columns: []feature.Column{
		called("calls of\nsub-agents", func(s SubAgent) string { return text.Thousands(s.Calls) }),
		called("their tool\ncalls", func(s SubAgent) string { return text.Thousands(s.ToolCalls) }),
		called("their model\ncalls", func(s SubAgent) string { return text.Thousands(s.ModelCalls) }),
		called("their\ntokens", func(s SubAgent) string { return text.Thousands(s.InputTokens + s.OutputTokens) }),
		called("their\ncost", func(s SubAgent) string { return text.Dollars(s.USD) }),
		feature.Value("sub_agent_calls", func(a Agents) any { return a.All.Calls }),
		feature.Value("sub_agent_tool_calls", func(a Agents) any { return a.All.ToolCalls }),
		feature.Value("sub_agent_model_calls", func(a Agents) any { return a.All.ModelCalls }),
		feature.Value("sub_agent_input_tokens", func(a Agents) any { return a.All.InputTokens }),
		feature.Value("sub_agent_output_tokens", func(a Agents) any { return a.All.OutputTokens }),
		feature.Value("sub_agent_usd", func(a Agents) any { return a.All.USD }),
	},
}

// called returns a column on all calls of sub-agents.
func called(header string, show func(SubAgent) string) feature.Column {
	return feature.Show(header, func(a Agents) string { return show(a.All) })
}

// Add adds the sub-agents of a record.
func (a *Agents) Add(r store.Record) error {
	for _, answer := range r.Answers {
		for _, part := range answer.Agents {
			if part.Task != "" || part.Path == "" {
				continue
			}
			name, _, _ := strings.Cut(part.Path[strings.LastIndexByte(part.Path, '/')+1:], "#")
			a.All, a.ByName[name] = a.All.plus(part.AgentCost), a.ByName[name].plus(part.AgentCost)
		}
	}
	return nil
}

// Merge adds other sub-agents.
func (a *Agents) Merge(other feature.Sum) {
	o := other.(*Agents)
	a.All = a.All.merge(o.All)
	for name, s := range o.ByName {
		a.ByName[name] = a.ByName[name].merge(s)
	}
}

// Figures returns the sums; nil if no agent was called.
func (a *Agents) Figures() any {
	if a.All.Calls == 0 {
		return nil
	}
	return *a
}

// Tasks collects the cost of side requests, by name.
type Tasks map[string]store.AgentCost

// SideRequests describes the cost of the agent's side requests.
var SideRequests = feature.Kind{
	Name: "tasks", Figures: Tasks{}, Sum: func() feature.Sum { return Tasks{} },
	Columns: []feature.Column{
		feature.Show("side requests:\ntokens", func(t Tasks) string {
			var parts []string
			for _, name := range slices.Sorted(maps.Keys(t)) {
				parts = append(parts, fmt.Sprintf("%s %s", name, text.Thousands(t[name].InputTokens+t[name].OutputTokens)))
			}
			return strings.Join(parts, ", ")
		}),
	},
}

// Add adds the side requests of a record.
func (t Tasks) Add(r store.Record) error {
	for _, answer := range r.Answers {
		for _, part := range answer.Agents {
			if part.Task != "" {
				was, again := t[part.Task]
				t[part.Task] = was.Plus(part.AgentCost, !again)
			}
		}
	}
	return nil
}

// Merge adds other side requests.
func (t Tasks) Merge(other feature.Sum) {
	for task, cost := range other.(Tasks) {
		was, again := t[task]
		t[task] = was.Plus(cost, !again)
	}
}

// Figures returns the sums; nil if there was no side request.
func (t Tasks) Figures() any {
	if len(t) == 0 {
		return nil
	}
	return t
}
