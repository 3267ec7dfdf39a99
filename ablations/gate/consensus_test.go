package gate_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/judge"
)

// A vote that got worse is told, though every trace is as it was.
func TestConsensusAgainstThePool(t *testing.T) {
	t.Parallel()
	pool := func(correct ...int) func(*gate.Evidence) {
		return func(e *gate.Evidence) {
			for _, n := range correct {
				e.Consensus.Pool = append(e.Consensus.Pool, gate.ConsensusCount{Correct: n, Queries: 5})
			}
		}
	}
	now := func(correct, unscored int) func(*gate.Evidence) {
		return func(e *gate.Evidence) { e.Consensus.Correct, e.Consensus.Unscored = correct, unscored }
	}
	for _, c := range []struct {
		name     string
		evidence gate.Evidence
		want     string // part of a warning; "" for none
		runs     int
	}{
		{"as before", evidence(pool(5, 5, 4)), "", 3},
		{"within the spread", evidence(pool(5, 5, 4), now(3, 0)), "", 3},
		{"below it", evidence(pool(5, 5, 4), now(2, 0)), "correct in 2 of 5 queries, and was in 4 to 5 in the 3 runs of the pool", 3},
		{"below it, unless right", evidence(pool(5, 5, 4), now(2, 1)), "", 3},
		{"always the same", evidence(pool(5, 5), now(4, 0)), "correct in 4 of 5", 2},
		{"one run", evidence(pool(5), now(1, 0)), "", 1},
		{"runs over other queries", evidence(pool(5, 5), now(1, 0), func(e *gate.Evidence) { e.Consensus.Queries = 6 }), "", 0},
		{"outvoted", evidence(func(e *gate.Evidence) { e.Consensus.Outvoted = []string{"b"} }), "most traces are right and the consensus is not in 1 query: b", 0},
	} {
		out := gate.Decide(c.evidence, gate.Options{})
		if len(out.Warnings) > 0 != (c.want != "") || !strings.Contains(strings.Join(out.Warnings, " "), c.want) || out.Decision != gate.Pass {
			t.Errorf("%s: %s, warnings %q", c.name, out.Decision, out.Warnings)
		}
		if (out.Consensus != nil) != (c.runs > 0 || c.name == "outvoted") || out.Consensus != nil && out.Consensus.Runs != c.runs {
			t.Errorf("%s: %+v", c.name, out.Consensus)
		}
	}
	e := observed(t, func(p *gate.RunPass) {
		*p = fullPass(3, smallSet(), "+++ ++- +--")
		for i := range p.Records {
			p.Records[i].Verdict.Verdict = judge.Incorrect
		}
	})
	if !slices.Equal(e.Consensus.Outvoted, []string{"calc-01", "hop-01"}) || len(e.Consensus.Pool) != 2 || e.Consensus.Pool[0] != (gate.ConsensusCount{Correct: 3, Queries: 3}) {
		t.Errorf("%+v", e.Consensus)
	}
}

func TestTheLastResetIsTold(t *testing.T) {
	t.Parallel()
	d := smallSet()
	b := accepted(t, d, fullPass(1, d, "+++ +++ +++"), fullPass(3, d, "+++ +++ +++"))
	for _, r := range []gate.Reset{
		{Configuration: "default", Time: onDay(1), Author: "bob", Reason: "an older one"},
		{Configuration: "default", Time: onDay(2), Author: "ann", Reason: "new prompt", Keep: []string{runNameOf(1)}},
	} {
		if err := b.Reset(r); err != nil {
			t.Fatal(err)
		}
	}
	pool, _, err := parsed(t, encoded(t, b)).Pool("default", 0).Regrade(d)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"the pool of default was reset by ann on 2026-03-02 09:00, keeping " + runNameOf(1) + ": new prompt"}
	if got := pool.Evidence(1, 0).Overrides; !slices.Equal(got, want) {
		t.Errorf("said %q, want %q", got, want)
	}
}
