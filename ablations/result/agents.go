package result

import (
	"strings"

	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/trace"
)

// SubAgent is what the calls of one agent by another came to, over all traces.
type SubAgent struct {
	Calls int `json:"calls"` // how often it ran
	store.AgentCost
}

// SubAgents are the agents that were called as tools.
type SubAgents struct {
	All    SubAgent            `json:"all"`
	ByName map[string]SubAgent `json:"by_name"`
}

func (s SubAgent) plus(c store.AgentCost) SubAgent {
	return SubAgent{s.Calls + 1, s.Plus(c, s.Calls == 0)}
}

// Explain counts what agent.explain led to, over all traces.
type Explain struct {
	trace.Explanations
	// GivenShare is Given/Due, KeptShare Kept/Followed; nil if undefined.
	GivenShare *float64 `json:"given_share"`
	KeptShare  *float64 `json:"kept_share"`
	// TokenShare is the part of the agent's tokens that explanations took; nil without tokens.
	TokenShare *float64 `json:"token_share"`
}

// agentTally is the running sum of these.
type agentTally struct {
	tasks     map[string]store.AgentCost // of side requests
	subAgents *SubAgents                 // nil if none was called
	explain   *trace.Explanations        // nil if none was demanded
	playbook  Playbook
	tokens    int // of the agent, input and output
}

func (t *agentTally) add(r store.Record) {
	t.playbook.add(r)
	agent := r.Usage.Roles[store.AgentRole]
	t.tokens += agent.InputTokens + agent.OutputTokens
	for _, a := range r.Answers {
		if a.Explain != nil {
			if t.explain == nil {
				t.explain = &trace.Explanations{}
			}
			*t.explain = t.explain.Add(*a.Explain)
		}
		for _, part := range a.Agents {
			if part.Task != "" {
				if t.tasks == nil {
					t.tasks = map[string]store.AgentCost{}
				}
				was, again := t.tasks[part.Task]
				t.tasks[part.Task] = was.Plus(part.AgentCost, !again)
				continue
			}
			if part.Path == "" {
				continue
			}
			name, _, _ := strings.Cut(part.Path[strings.LastIndexByte(part.Path, '/')+1:], "#")
			if t.subAgents == nil {
				t.subAgents = &SubAgents{ByName: map[string]SubAgent{}}
			}
			t.subAgents.All = t.subAgents.All.plus(part.AgentCost)
			t.subAgents.ByName[name] = t.subAgents.ByName[name].plus(part.AgentCost)
		}
	}
}

func (t *agentTally) explained() *Explain {
	e := t.explain
	if e == nil {
		return nil
	}
	return &Explain{
		Explanations: *e, GivenShare: share(e.Given, e.Due), KeptShare: share(e.Kept, e.Followed),
		TokenShare: share(e.Tokens, t.tokens),
	}
}

// Playbook counts what traces had of a playbook.
type Playbook struct {
	Traces   int `json:"traces"`   // with a playbook, whether or not bullets fitted
	Shown    int `json:"shown"`    // bullets, over all traces
	Named    int `json:"named"`    // that the model named
	Followed int `json:"followed"` // whose sequence of tools occurs in the trace
	Tokens   int `json:"tokens"`   // estimate of what they took of one prompt of each trace
	// ShownPerTrace and TokensPerTrace are means, FollowedShare is Followed/Shown; nil if undefined.
	ShownPerTrace  *float64 `json:"shown_per_trace"`
	TokensPerTrace *float64 `json:"tokens_per_trace"`
	FollowedShare  *float64 `json:"followed_share"`
}

func (p *Playbook) add(r store.Record) {
	for _, a := range r.Answers {
		if u := a.Playbook; u != nil {
			p.Traces++
			p.Shown += len(u.Shown)
			p.Named += len(u.Named)
			p.Followed += len(u.Followed)
			p.Tokens += u.Tokens
		}
	}
}

// figures is nil if no trace had a playbook.
func (p Playbook) figures() *Playbook {
	if p.Traces == 0 {
		return nil
	}
	p.ShownPerTrace, p.TokensPerTrace = share(p.Shown, p.Traces), share(p.Tokens, p.Traces)
	p.FollowedShare = share(p.Followed, p.Shown)
	return &p
}
