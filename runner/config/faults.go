package config

import (
	"slices"
	"strings"
)

// Faults are artificial failures of a tool. They show how an agent continues after a failure (docs/agent.md).
// If Tool is empty, no call fails, and YAML omits the setting.
type Faults struct {
	Tool string `yaml:"tool"` // the tool's name as models see it, or * for every tool
	// Kinds are the FaultKinds of which one is drawn for a fault, all with equal chance. An empty list means
	// all kinds.
	Kinds []string `yaml:"kinds,omitempty"`
	Rate  float64  `yaml:"rate"` // probability that a call fails, above 0, at most 1
	Seed  int64    `yaml:"seed,omitempty"`
}

// Kinds of faults.
const (
	FaultTimeout = "timeout" // the tool does not answer in time; the run does not wait
	FaultError   = "error"   // the tool's server reports an error
	FaultEmpty   = "empty"   // the tool returns nothing
)

// AllTools is the Tool of Faults that means every tool.
const AllTools = "*"

// FaultKinds lists the kinds of faults.
func FaultKinds() []string { return []string{FaultTimeout, FaultError, FaultEmpty} }

// IsZero reports whether no fault is set.
func (f Faults) IsZero() bool { return f.Tool == "" && len(f.Kinds) == 0 && f.Rate == 0 && f.Seed == 0 }

// effective clears faults without effect.
func (f Faults) effective(a Agent) Faults {
	if f.Tool == "" || len(a.Tools) == 0 {
		return Faults{}
	}
	if len(f.Kinds) == 0 {
		f.Kinds = FaultKinds()
	}
	return f
}

func (f Faults) validate(p *problems, c Configuration) {
	if f.IsZero() {
		return
	}
	a := c.Agent
	p.refuse(f.Tool == "", "faults.tool is empty: name the tool that fails, or %q for every one", AllTools)
	p.refuse(!(f.Rate > 0 && f.Rate <= 1), "faults.rate is %v: give a probability above 0, at most 1", f.Rate)
	for _, kind := range f.Kinds {
		p.refuse(!slices.Contains(FaultKinds(), kind), "faults.kinds: there is no kind %q: choose from %s", kind,
			strings.Join(FaultKinds(), ", "))
	}
	p.refuse(!unique(f.Kinds), "faults.kinds %v: name each kind once", f.Kinds)
	p.refuse(a.External.Used(), "faults: concur cannot make the tools of an external agent fail: remove faults")
	tools := c.reachableTools()
	// An MCP server says at the start of a run which tools NAME__* are.
	open := slices.ContainsFunc(tools, func(name string) bool { return strings.HasSuffix(name, "*") })
	p.refuse(a.Loops() && f.Tool != "" && f.Tool != AllTools && !open && !slices.Contains(tools, f.Tool),
		"faults.tool: the agent has no tool %q: choose from %s", f.Tool, strings.Join(tools, ", "))
}

// reachableTools lists the tools of the agent, and those of the sub-agents that it can call, sorted.
func (c Configuration) reachableTools() []string {
	tools := slices.Clone(c.Agent.Tools)
	for _, sub := range c.reachable() {
		tools = append(tools, sub.Tools...)
	}
	slices.Sort(tools)
	return slices.Compact(tools)
}
