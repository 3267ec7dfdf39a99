package config

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/seed-5817661a/concur/internal/lazy"
)

// SubAgent is an agent that another agent can call as a tool. The caller names it in agent.tools or in the
// tools of a sub-agent. Settings that it does not have are taken from its caller.
type SubAgent struct {
	Model    string   `yaml:"model,omitempty"`     // provider:model; "" or same means the caller's model
	Strategy string   `yaml:"strategy,omitempty"`  // "" means the caller's
	Tools    []string `yaml:"tools,omitempty"`     // names of tools and of other sub-agents
	MaxSteps int      `yaml:"max_steps,omitempty"` // 0 means the caller's
	// MaxToolCalls limits the tool calls of one call of the sub-agent. In any case, the calls that its caller
	// has left are a limit, too. 0 means only this limit.
	MaxToolCalls int    `yaml:"max_tool_calls,omitempty"`
	Prompt       string `yaml:"prompt,omitempty"` // instructions before concur's own
	// Timeout limits the time of one call; 0 means DefaultAgentTimeout. A call also ends when its caller ends.
	Timeout time.Duration `yaml:"timeout,omitempty"`
}

// Deadline returns the time limit of one call.
func (a SubAgent) Deadline() time.Duration { return cmp.Or(a.Timeout, DefaultAgentTimeout) }

// MaxDepth is the maximum depth of calls of sub-agents. With 3, an agent can call researcher, researcher can
// call checker, and checker can call reader.
const MaxDepth = 3

// ExplainTool is the name of the tool of agent.explain.
const ExplainTool = "explain"

// Child returns the configuration of a sub-agent: the agent's configuration with the sub-agent's settings. A
// sub-agent does not explain its calls, is not asked for its confidence, is offered all of its tools, and uses
// concur's prompts. A sub-agent of an agent with the protocol inline has native tool calls.
func (c Configuration) Child(name string) Configuration {
	sub := c.Agents[name]
	c = c.clone()
	c.Model = c.ModelAt(name)
	c.Agent.Tools = append([]string{}, sub.Tools...)
	c.Agent.Strategy = cmp.Or(sub.Strategy, c.Agent.Strategy)
	c.Agent.MaxSteps = cmp.Or(sub.MaxSteps, c.Agent.MaxSteps)
	c.Agent.MaxToolCalls = cmp.Or(sub.MaxToolCalls, c.Agent.MaxToolCalls)
	c.Agent.ConfidenceCheck, c.Agent.Explain, c.Agent.Prompts, c.Agent.Playbook = 0, ExplainOff, Prompts{}, Playbook{}
	c.Agent.Offer = Offer{}
	if c.Agent.Protocol == ProtocolInline {
		c.Agent.Protocol = ProtocolNative
	}
	return c
}

// EmbeddingsPath is the beginning of the path of an external agent's requests to a model for embeddings. The
// name of the model follows it.
const EmbeddingsPath = "embeddings "

// ModelAt returns the model of the agent at a path, such as researcher#1/checker#2. This is the model of the
// last sub-agent in the path that has a model of its own. If none has one, it is the model of the agent.
func (c Configuration) ModelAt(path string) string {
	if spec, is := strings.CutPrefix(path, EmbeddingsPath); is {
		return spec
	}
	found := c.Model
	for step := range strings.SplitSeq(path, "/") {
		name, _, _ := strings.Cut(step, "#")
		if m := c.Agents[name].Model; m != SameModel && m != "" {
			found = m
		}
	}
	return found
}

// reachable returns the sub-agents that the agent can call, directly or through other sub-agents. It is nil if
// the agent can call none.
func (c Configuration) reachable() map[string]SubAgent {
	var out map[string]SubAgent
	open := slices.Clone(c.Agent.Tools)
	for len(open) > 0 {
		name := open[0]
		open = open[1:]
		sub, known := c.Agents[name]
		if _, again := out[name]; !known || again {
			continue
		}
		sub.Model = c.ModelAt(name)
		sub = sub.effective(c.Agent)
		if out == nil {
			out = map[string]SubAgent{}
		}
		out[name] = sub
		open = append(open, sub.Tools...)
	}
	return out
}

// effective clears settings without effect.
func (a SubAgent) effective(of Agent) SubAgent {
	if !of.HasGuard(GuardCalls) {
		a.MaxToolCalls = 0
	}
	if a.Strategy == StrategyCoT || a.Strategy == StrategyDirect {
		a.MaxSteps, a.MaxToolCalls = 0, 0
	}
	return a
}

// SubAgents returns the names of the sub-agents that the agent can call, sorted.
func (c Configuration) SubAgents() []string { return slices.Sorted(maps.Keys(c.reachable())) }

// agentName matches names of tools. It excludes the characters that join names in a path.
var agentName = lazy.Compile(`^[A-Za-z_][A-Za-z0-9_-]{0,63}$`)

func (c Configuration) validateAgents(p *problems) {
	if c.Agent.External.Used() && len(c.Agents) > 0 {
		p.refuse(true, "agents has no effect on an external agent: leave it out")
		return
	}
	for name, sub := range sorted(c.Agents) {
		key := "agents." + name
		_, ofServer := ServerOf(name)
		p.refuse(ofServer || !agentName.MatchString(name),
			"%s: a name has 1 to 64 letters, digits, _ or -, begins with "+
				"a letter or _, and has no __, which the tools of MCP servers have", key)
		p.refuse(name == ExplainTool, "%s: %s is the tool of agent.explain: choose another name", key, ExplainTool)
		p.refuse(name == SearchTools && c.Agent.Offer.K > 0, usedByOffer, key)
		p.refuse(sub.Model != "" && sub.Model != SameModel && !namesModel(sub.Model),
			"%s.model %q: write provider:model, or leave it out for the agent's", key, sub.Model)
		if sub.Strategy != "" {
			oneOf(p, key+".strategy", sub.Strategy, Strategies()...)
		}
		own := Agent{Strategy: cmp.Or(sub.Strategy, c.Agent.Strategy)}
		p.refuse(sub.Strategy != "" && !own.Loops() && len(sub.Tools) > 0,
			"%s.tools has no effect under %s.strategy %s: leave it out, or use react or plan", key, key, sub.Strategy)
		p.refuse(own.Strategy == StrategyPlan && slices.Contains(sub.Tools, CompleteTool), endsRounds, key+".tools")
		p.refuse(sub.MaxToolCalls < 0 || sub.MaxToolCalls > maxCount,
			"%s.max_tool_calls is %d: give 1 to %d, or leave it out for the agent's", key, sub.MaxToolCalls, maxCount)
		p.refuse(!unique(sub.Tools), "%s.tools %v: a tool is named twice", key, sub.Tools)
		p.refuse(sub.MaxSteps < 0 || sub.MaxSteps > maxCount,
			"%s.max_steps is %d: give 1 to %d, or leave it out for the agent's", key, sub.MaxSteps, maxCount)
		p.refuse(sub.Timeout < 0, "%s.timeout is %s: it must be above 0", key, sub.Timeout)
		if way := c.wrongWay([]string{name}); way != nil {
			shown, at := strings.Join(way, " → "), slices.Index(way, way[len(way)-1])
			p.refuse(at == 0, "%s.tools: %s: an agent cannot call itself, nor through another: leave out a call", key,
				shown)
			p.refuse(at == len(way)-1, // a longer chain is reported for the agent that calls itself
				"%s.tools: %s: agents can call each other %d deep: leave out a call", key, shown, MaxDepth)
		}
	}
}

// wrongWay extends a chain of calls until the chain contains an agent twice or is too deep, and returns this
// chain. It returns nil if no such chain exists.
func (c Configuration) wrongWay(way []string) []string {
	last := way[len(way)-1]
	if len(way) > MaxDepth || slices.Contains(way[:len(way)-1], last) {
		return way
	}
	for _, name := range c.Agents[last].Tools {
		if _, agent := c.Agents[name]; agent {
			if wrong := c.wrongWay(append(slices.Clip(way), name)); wrong != nil {
				return wrong
			}
		}
	}
	return nil
}
