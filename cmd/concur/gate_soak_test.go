//go:build soak && unix

package main

import (
	"fmt"
	"testing"

	"github.com/seed-5817661a/concur/ablations/gate"
)

// unchangedRuns is the number of runs of the same agent that the gate is asked about, and
// fewestPasses what a gate that is left switched on says PASS to at least.
const (
	unchangedRuns = 100
	fewestPasses  = 96
)

// TestGatePassesAnUnchangedAgent asks the gate about runs of the agent that made the
// baseline, at other seeds.
func TestGatePassesAnUnchangedAgent(t *testing.T) {
	t.Chdir(t.TempDir())
	acceptRuns(t, "gold29", gate.DefaultPoolRuns)
	said := map[gate.Decision]int{}
	for seed := 101; seed < 101+unchangedRuns; seed++ {
		must(t, exitOK, "run", "--quiet", "--seed", fmt.Sprint(seed))
		code, stdout, stderr := invoke("gate", "latest", "--quiet", "--simulations", "0")
		for _, d := range []gate.Decision{gate.Pass, gate.Regression, gate.Drift, gate.Inconclusive, gate.Invalid} {
			if code == d.ExitCode() && len(stdout) >= len(d) && stdout[:len(d)] == string(d) {
				said[d]++
			}
		}
		if code != exitOK {
			t.Logf("seed %d: %s", seed, stderr)
		}
	}
	t.Logf("%d runs of the unchanged agent: %v", unchangedRuns, said)
	if said[gate.Pass] < fewestPasses {
		t.Errorf("%d of %d runs pass, want at least %d", said[gate.Pass], unchangedRuns, fewestPasses)
	}
}
