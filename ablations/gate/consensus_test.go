package gate

import (
	"strings"
	"testing"
)

// A vote that got worse is a warning, though every trace is as it was.
func TestConsensusAgainstThePool(t *testing.T) {
	t.Parallel()
	pool := func(correct ...int) func(*Evidence) {
		return func(e *Evidence) {
			e.Consensus.Queries, e.Consensus.Correct = 5, 5
			for _, n := range correct {
				e.Consensus.Pool = append(e.Consensus.Pool, ConsensusCount{Correct: n, Queries: 5})
			}
		}
	}
	now := func(correct, unscored int) func(*Evidence) {
		return func(e *Evidence) { e.Consensus.Correct, e.Consensus.Unscored = correct, unscored }
	}
	for _, c := range []struct {
		name     string
		evidence Evidence
		want     string // part of a warning; "" for none
		runs     int
	}{
		{"as before", evidence(pool(5, 5, 4)), "", 3},
		{"within the spread", evidence(pool(5, 5, 4), now(3, 0)), "", 3},
		{"below it", evidence(pool(5, 5, 4), now(2, 0)), "correct in 2 of 5 queries, and was in 4 to 5 in the 3 runs of the pool", 3},
		{"below it, unless right", evidence(pool(5, 5, 4), now(2, 1)), "", 3},
		{"always the same", evidence(pool(5, 5), now(4, 0)), "correct in 4 of 5", 2},
		{"one run", evidence(pool(5), now(1, 0)), "", 1},
		{"runs over other queries", evidence(pool(5, 5), now(1, 0), func(e *Evidence) { e.Consensus.Queries = 6 }), "", 0},
		{"outvoted", evidence(func(e *Evidence) { e.Consensus.Outvoted = []string{"b"} }), "most traces are right and the consensus is not in 1 query: b", 0},
	} {
		out := Decide(c.evidence, Options{})
		if len(out.Warnings) > 0 != (c.want != "") || !strings.Contains(strings.Join(out.Warnings, " "), c.want) || out.Decision != Pass {
			t.Errorf("%s: %s, warnings %q", c.name, out.Decision, out.Warnings)
		}
		if (out.Consensus != nil) != (c.runs > 0 || c.name == "outvoted") || out.Consensus != nil && out.Consensus.Runs != c.runs {
			t.Errorf("%s: %+v", c.name, out.Consensus)
		}
	}
}
