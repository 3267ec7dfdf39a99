package attack

import (
	"slices"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/config"
)

// AsConfigured is the name of the first row.
const AsConfigured = "as configured"

// guards lists the guards against injections.
var guards = []string{config.GuardInjection, config.GuardSanitise, config.GuardSpotlight}

// Configurations returns the configurations with which a set is run: c itself; for each guard against
// injections, c with this guard switched to the opposite; and c without all of these guards. An external agent
// has no such guards, so it has one row. Verifiers and judges that are models are left out, because effects are
// measured without them.
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
	if on > 1 { // with one guard, the row above already has none
		with("without any of them", func(g string) bool { return !slices.Contains(guards, g) })
	}
	return out
}
