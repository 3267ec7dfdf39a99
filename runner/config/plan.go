package config

import (
	"cmp"
	"slices"
)

// Plan has the settings of the strategy plan. YAML omits default values, so that older hashes stay valid.
type Plan struct {
	Analysis   Switch `yaml:"analysis,omitempty"`   // on or off: analyse the task before the first round
	Reflection Switch `yaml:"reflection,omitempty"` // on, off or on_failure: reflect on the results after a round
	// Synthesis selects whether the final answer is written in a separate turn: on or off. If it is off, the
	// argument answer of complete_task is the final message.
	Synthesis Switch `yaml:"synthesis,omitempty"`
	// Workers limits the number of calls of a turn that run at the same time, also with the strategy react. 0
	// means DefaultWorkers.
	Workers int `yaml:"tool_workers,omitempty"`
}

// Switch turns a part of the agent on or off; "" means on.
type Switch string

// Values of a Switch. OnFailure is for Plan.Reflection.
const (
	On        Switch = "on"
	Off       Switch = "off"
	OnFailure Switch = "on_failure" // only after a round in which a call failed
)

// IsZero reports whether the switch is on, which YAML omits.
func (s Switch) IsZero() bool { return s == "" || s == On }

// DefaultWorkers is the default number of concurrent calls in a turn.
const DefaultWorkers = 5

// StrategyPlan is the strategy of analysis, rounds of concurrent calls with reflection, and synthesis.
const StrategyPlan = "plan"

// CompleteTool is the tool with which the model ends the rounds of the strategy plan.
const CompleteTool = "complete_task"

// ToolWorkers returns the maximum number of concurrent calls in a turn.
func (p Plan) ToolWorkers() int { return cmp.Or(p.Workers, DefaultWorkers) }

// parts returns the parts that are on, with their switches.
func (p *Plan) parts() map[string]*Switch {
	return map[string]*Switch{"analysis": &p.Analysis, "reflection": &p.Reflection, "synthesis": &p.Synthesis}
}

// MoreCalls returns an upper bound of the model calls that a trace makes in addition to its turns. These are
// side requests, and the turn of the synthesis if a limit would otherwise allow no turn. turns is the maximum
// number of turns.
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
		endsRounds, "agent.tools")
}

const endsRounds = "%s: " + CompleteTool + " is the tool with which the strategy " + StrategyPlan +
	" ends its rounds: leave it out"

// Condense selects when a question is rewritten.
type Condense = Mode

// Values of Condense.
const (
	CondenseOff  Condense = "off"
	CondenseOn   Condense = "on"
	CondenseAuto Condense = "auto" // if the conversation has more than three messages, including the question
)

// Condenses reports whether a question is rewritten. history is the number of earlier messages.
func (a Agent) Condenses(history int) bool {
	return history > 0 && (a.Condense == CondenseOn || a.Condense == CondenseAuto && history+1 > 3)
}
