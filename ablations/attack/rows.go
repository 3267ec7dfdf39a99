package attack

import (
	"slices"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/config"
)

// AsConfigured is the name of the first row.
const AsConfigured = "as configured"

// guards are those against injections.
var guards = []string{config.GuardInjection, config.GuardSanitise, config.GuardSpotlight}

// Configurations returns the configurations that a set is tried on: c as configured; with each guard against
// injections turned off, or on if c has it off; and with none of them. Another program's agent has no such guards, and
// one row. Models that vote or judge are left out, because effects are measured without them.
func Configurations(c config.Configuration, alone bool) []config.Configuration {
	c.Name, c.Pass = AsConfigured, judge.PassGold
	c.Consensus.Stages = []consensus.Stage{consensus.StageExact, consensus.StageMajority}
	c.Judge.Correctness, c.Judge.Quality, c.Judge.Rubric, c.Judge.Calibration = "", "", nil, ""
	out := []config.Configuration{c}
	if alone || c.Agent.External.Used() {
		return out
	}
	with := func(name string, keep func(guard string) bool, more ...string) {
		row := c
		row.Name = name
		row.Agent.Guards = append(slices.DeleteFunc(slices.Clone(c.Agent.Guards), func(g string) bool { return !keep(g) }),
			more...)
		out = append(out, row)
	}
	on := 0
	for _, guard := range guards {
		if c.Agent.HasGuard(guard) {
			on++
			with("without "+guard, func(g string) bool { return g != guard })
		} else {
			with("with "+guard, func(string) bool { return true }, guard)
		}
	}
	if on > 1 { // else a row above has none of them
		with("without any of them", func(g string) bool { return !slices.Contains(guards, g) })
	}
	return out
}
