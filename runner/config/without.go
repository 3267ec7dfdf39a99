package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Without returns the configuration without the named parts: tools by their names, guards
// as guard.injection, stages of the consensus as stage.verifier, judges as judge.quality,
// confidence_check, and the parts of the strategy plan. A part without effect (Effective) cannot
// be removed, because nothing would change.
func (c Configuration) Without(names ...string) (Configuration, error) {
	parts := c.parts()
	c = c.clone()
	for _, name := range names {
		i := slices.IndexFunc(parts, func(p part) bool { return p.name == name })
		if i < 0 {
			var known []string
			for _, p := range parts {
				known = append(known, p.name)
			}
			return c, fmt.Errorf("remove %q: the configuration has no such part%s; it has %s",
				name, c.Agent.noToolsHint(), cmp.Or(strings.Join(known, ", "), "nothing to remove"))
		}
		parts[i].remove(&c)
		parts = slices.Delete(parts, i, i+1)
	}
	return c, nil
}

// part is what a configuration can do without.
type part struct {
	name   string
	remove func(*Configuration)
}

// parts lists those that have an effect.
func (c Configuration) parts() (out []part) {
	c = c.Effective()
	add := func(name string, remove func(*Configuration)) { out = append(out, part{name, remove}) }
	for _, tool := range c.Agent.Tools {
		add(tool, func(c *Configuration) { c.Agent.Tools = remove(c.Agent.Tools, tool) })
	}
	for _, own := range c.Agent.External.on() {
		add(own, func(c *Configuration) { c.Agent.External.Off = append(c.Agent.External.Off, own) })
	}
	if c.Agent.Strategy == StrategyPlan {
		for name, s := range sorted(c.Agent.Plan.parts()) {
			if *s != Off {
				add(name, func(c *Configuration) { *c.Agent.Plan.parts()[name] = Off })
			}
		}
	}
	for _, guard := range c.Agent.Guards {
		add("guard."+guard, func(c *Configuration) { c.Agent.Guards = remove(c.Agent.Guards, guard) })
	}
	for _, stage := range c.Consensus.Stages {
		if stage != StageExact {
			add("stage."+stage, func(c *Configuration) { c.Consensus.Stages = remove(c.Consensus.Stages, stage) })
		}
	}
	if c.Judge.Correctness != "" {
		add("judge.correctness", func(c *Configuration) { c.Judge.Correctness = NoModel })
	}
	if c.Judge.Quality != "" {
		add("judge.quality", func(c *Configuration) { c.Judge.Quality = NoModel })
	}
	if c.Agent.ConfidenceCheck > 0 {
		add("confidence_check", func(c *Configuration) { c.Agent.ConfidenceCheck = 0 })
	}
	return out
}

func remove(list []string, item string) []string {
	return slices.DeleteFunc(list, func(s string) bool { return s == item })
}
