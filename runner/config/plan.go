package config

import (
	"cmp"
	"slices"
)

// Plan has the settings of the strategy plan. What has its default value is not written, so that
// older hashes remain valid.
type Plan struct {
	Analysis   Switch `yaml:"analysis,omitempty"`   // on or off: the task is analysed before the first round
	Reflection Switch `yaml:"reflection,omitempty"` // on, off or on_failure: results are reflected on after a round
	// Synthesis writes the final answer in a turn of its own: on or off. If off, the argument
	// answer of complete_task is the final message.
	Synthesis Switch `yaml:"synthesis,omitempty"`
	// Workers bounds the calls of a turn that run at once, also under react; 0 is DefaultWorkers.
	Workers int `yaml:"tool_workers,omitempty"`
}

// Switch turns a part of the agent on or off; "" is on.
type Switch string

// Values of a Switch. OnFailure is for Plan.Reflection.
const (
	On        Switch = "on"
	Off       Switch = "off"
	OnFailure Switch = "on_failure" // after a round in which a call failed
)

// IsZero reports whether it is on, which is omitted in YAML.
func (s Switch) IsZero() bool { return s == "" || s == On }

// DefaultWorkers is the number of calls of a turn that run at once.
const DefaultWorkers = 5

// StrategyPlan is analysis, rounds of calls side by side with reflection, and synthesis.
const StrategyPlan = "plan"

// CompleteTool is the tool by which the model ends the rounds of the strategy plan.
const CompleteTool = "complete_task"

// ToolWorkers returns the number of calls of a turn that run at once.
func (p Plan) ToolWorkers() int { return cmp.Or(p.Workers, DefaultWorkers) }

// parts returns the parts that are on, each with the switch that turns it off.
func (p *Plan) parts() map[string]*Switch {
	return map[string]*Switch{"analysis": &p.Analysis, "reflection": &p.Reflection, "synthesis": &p.Synthesis}
}

// MoreCalls returns an upper bound of the model calls of a trace beside its turns, whose maximum is turns:
// side requests, and the turn of the synthesis if a limit would allow none.
func (a Agent) MoreCalls(turns int) (n int) {
	if a.Strategy != StrategyPlan {
		return 0
	}
	if a.Plan.Analysis.IsZero() {
		n++
	}
	if a.Plan.Reflection != Off {
		n += turns
	}
	if a.Plan.Synthesis.IsZero() && a.OnLimit == OnLimitStop {
		n++
	}
	return n
}

// effectivePlan clears settings without effect under the strategy.
func (a *Agent) effectivePlan() {
	for _, s := range a.Plan.parts() {
		if a.Strategy != StrategyPlan || s.IsZero() {
			*s = ""
		}
	}
	if a.Plan.Workers == DefaultWorkers {
		a.Plan.Workers = 0
	}
	if a.Strategy == StrategyPlan {
		a.Explain, a.ConfidenceCheck = ExplainOff, 0
	}
}

func (a Agent) validatePlan(p *problems) {
	for name, s := range sorted(a.Plan.parts()) {
		known := []Switch{On, Off}
		if name == "reflection" {
			known = append(known, OnFailure)
		}
		oneOf(p, "agent."+name, cmp.Or(*s, On), known...)
		p.refuse(slices.Contains(known, *s) && !s.IsZero() && a.Strategy != StrategyPlan,
			"agent.%s has no effect under agent.strategy %s: it is a part of %s", name, a.Strategy, StrategyPlan)
	}
	p.refuse(a.Plan.Workers < 0 || a.Plan.Workers > maxCount,
		"agent.tool_workers is %d: give 1 to %d, or leave it out for %d", a.Plan.Workers, maxCount, DefaultWorkers)
	p.refuse(a.Strategy == StrategyPlan && slices.Contains(a.Tools, CompleteTool),
		"agent.tools: %s is the tool by which the strategy %s ends its rounds: leave it out", CompleteTool,
		StrategyPlan)
}

// Condense selects when a question is rewritten.
type Condense = Mode

// Values of Condense.
const (
	CondenseOff  Condense = "off"
	CondenseOn   Condense = "on"
	CondenseAuto Condense = "auto" // of a conversation of more than three messages, the question among them
)

// Condenses reports whether a question after this number of earlier messages is rewritten.
func (a Agent) Condenses(history int) bool {
	return history > 0 && (a.Condense == CondenseOn || a.Condense == CondenseAuto && history+1 > 3)
}
