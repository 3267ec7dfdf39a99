package config

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Validate reports everything that is wrong, joined. Whether a model, a tool or a
// corpus exists is for those who open them.
func (c Configuration) Validate() error {
	var problems []error
	bad := func(format string, args ...any) { problems = append(problems, fmt.Errorf(format, args...)) }

	if provider, name, ok := strings.Cut(c.Model, ":"); !ok || provider == "" || name == "" {
		bad("model %q: write provider:model, such as %s", c.Model, DefaultModel)
	}
	if c.K < 1 {
		bad("k is %d: at least one trace per query is needed", c.K)
	}
	if c.Limits.Concurrency < 1 {
		bad("limits.concurrency is %d: it must be at least 1", c.Limits.Concurrency)
	}
	if c.Pass != "gold" {
		bad("pass %q is not known: gold", c.Pass)
	}
	for _, s := range []struct{ what, got, known string }{
		{"agent.strategy", c.Agent.Strategy, "react"},
		{"agent.protocol", c.Agent.Protocol, "native"},
	} {
		if s.got != s.known {
			bad("%s %q is not known: %s", s.what, s.got, s.known)
		}
	}
	if len(c.Consensus.Stages) == 0 || !unique(c.Consensus.Stages) || !subset(c.Consensus.Stages, []string{StageExact, StageMajority}) {
		bad("consensus.stages %v: name each of exact, majority once", c.Consensus.Stages)
	} else if c.Consensus.Stages[0] != StageExact {
		bad("consensus.stages %v: exact comes first", c.Consensus.Stages)
	}
	if !slices.Equal(c.Search.Cascade, []string{"corpus"}) {
		bad("search.cascade %v is not known: [corpus]", c.Search.Cascade)
	}
	problems = append(problems, c.Agent.validate()...)
	return errors.Join(problems...)
}

func (a Agent) validate() []error {
	var problems []error
	for _, limit := range []struct {
		name string
		n    int
	}{
		{"max_steps", a.MaxSteps}, {"max_tool_calls", a.MaxToolCalls}, {"max_repeats", a.MaxRepeats}, {"max_output", a.MaxOutput},
	} {
		if limit.n < 1 {
			problems = append(problems, fmt.Errorf("agent.%s is %d: it must be at least 1", limit.name, limit.n))
		}
	}
	if a.ToolTimeout <= 0 {
		problems = append(problems, fmt.Errorf("agent.tool_timeout is %s: it must be above 0", a.ToolTimeout))
	}
	if a.Temperature < 0 || a.Temperature > 2 || math.IsNaN(a.Temperature) {
		problems = append(problems, fmt.Errorf("agent.temperature is %v: it must be between 0 and 2", a.Temperature))
	}
	if !unique(a.Tools) {
		problems = append(problems, fmt.Errorf("agent.tools %v: a tool is named twice", a.Tools))
	}
	if !unique(a.Guards) || !subset(a.Guards, Guards()) {
		problems = append(problems, fmt.Errorf("agent.guards %v: name each of %s at most once", a.Guards, strings.Join(Guards(), ", ")))
	}
	return problems
}

func unique(list []string) bool {
	return len(slices.Compact(slices.Sorted(slices.Values(list)))) == len(list)
}

func subset(list, of []string) bool {
	return !slices.ContainsFunc(list, func(s string) bool { return !slices.Contains(of, s) })
}
