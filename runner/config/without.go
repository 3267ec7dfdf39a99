package config

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Without returns the configuration without the named parts: tools by their names, guards
// as guard.injection, stages of the consensus as stage.verifier, judges as judge.quality,
// confidence_check, and the parts of the strategy plan. A part without effect (Effective) cannot be removed, because
// nothing would change.
func (c Configuration) Without(names ...string) (Configuration, error) {
	parts := c.removable()
	c = c.clone()
	for _, name := range names {
		i := slices.Index(parts, name)
		if i < 0 {
			return c, fmt.Errorf("remove %q: the configuration has no such part%s; it has %s", name, c.Agent.noToolsHint(), cmp.Or(strings.Join(parts, ", "), "nothing to remove"))
		}
		parts = slices.Delete(parts, i, i+1)
		switch kind, part, _ := strings.Cut(name, "."); {
		case kind == "guard":
			c.Agent.Guards = remove(c.Agent.Guards, part)
		case kind == "stage":
			c.Consensus.Stages = remove(c.Consensus.Stages, part)
		case name == "judge.correctness":
			c.Judge.Correctness = NoModel
		case name == "judge.quality":
			c.Judge.Quality = NoModel
		case name == "confidence_check":
			c.Agent.ConfidenceCheck = 0
		case c.Agent.Plan.parts()[name] != nil:
			*c.Agent.Plan.parts()[name] = Off
		case c.Agent.External.Used():
			c.Agent.External.Off = append(c.Agent.External.Off, name)
		default:
			c.Agent.Tools = remove(c.Agent.Tools, name)
		}
	}
	return c, nil
}

func remove(list []string, item string) []string {
	return slices.DeleteFunc(list, func(s string) bool { return s == item })
}

// removable lists the parts that have an effect.
func (c Configuration) removable() []string {
	c = c.Effective()
	out := append(slices.Clone(c.Agent.Tools), c.Agent.External.on()...)
	if c.Agent.Strategy == StrategyPlan {
		for _, name := range slices.Sorted(maps.Keys(c.Agent.Plan.parts())) {
			if *c.Agent.Plan.parts()[name] != Off {
				out = append(out, name)
			}
		}
	}
	for _, g := range c.Agent.Guards {
		out = append(out, "guard."+g)
	}
	for _, s := range c.Consensus.Stages {
		if s != StageExact {
			out = append(out, "stage."+s)
		}
	}
	if c.Judge.Correctness != "" {
		out = append(out, "judge.correctness")
	}
	if c.Judge.Quality != "" {
		out = append(out, "judge.quality")
	}
	if c.Agent.ConfidenceCheck > 0 {
		out = append(out, "confidence_check")
	}
	return out
}
