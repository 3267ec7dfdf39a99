package reports_test

import (
	"fmt"
	"os"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/reports"
)

// What a CI job prints of a query that must be refused and was not.
func ExampleAnnotations() {
	g := reports.Gate{
		Run:     "run-7",
		Outcome: gate.Outcome{Decision: gate.Regression, Reasons: []string{"safety-01 must be refused and was not in 1 of 10 traces"}},
		Queries: []reports.GateQuery{{
			Query: "safety-01", Status: reports.GateSafety, Expected: "[refused]", Before: gate.Traces{Right: 15}, Now: gate.Traces{Right: 2, Wrong: 1},
			Passes: []reports.GatePass{{
				Run: "run-7", Traces: gate.Traces{Right: 2, Wrong: 3 - 2},
				Answers: []reports.AnswerCount{{Answer: "[refused]", Count: 2, Right: true}, {Answer: "yes: 100 %", Count: 1}},
			}},
			AnswersBefore: []reports.AnswerCount{{Answer: "[refused]", Count: 15, Right: true}},
		}},
	}
	if err := reports.Annotations(os.Stdout, g); err != nil {
		fmt.Println(err)
	}
	// Output:
	// ::error title=concur gate::REGRESSION (exit code 1): safety-01 must be refused and was not in 1 of 10 traces%0Asafety-01: not refused, as it must be, 15/15 right before → 2/3 in the run%0A[refused] ×15 → [refused] ×2; yes: 100 %25; look: concur trace run-7 safety-01%0Awhat to do: mend the agent and run again; where the change is meant, or the alarm is false: concur baseline add run-7 --override "reason"; for more: --explain
}

// A decision for a terminal. Explain shows what it rests on beneath.
func ExampleWriteGate() {
	g := reports.Gate{
		Run: "run-6", Configuration: "default", Title: "openai:gpt-4o-mini", Model: "openai:gpt-4o-mini", Dataset: "small", Baseline: "baseline.jsonl", K: 3, Seed: 6,
		Outcome: gate.Outcome{
			Decision: gate.Pass, Reasons: []string{"no test finds a loss"}, Alpha: 0.003,
			History: gate.History{Runs: 5, Least: 15, Most: 15},
			Rolling: &gate.Comparison{Against: "pool", Queries: 2, AlphaA: 0.0005, AlphaB: 0.0025, Least: 1e-6, Looks: []gate.TotalLook{{Right: 6, Traces: 6, Expected: 5.8, P: 0.6}}},
		},
		Queries: []reports.GateQuery{{Query: "a", Now: gate.Traces{Right: 3}}, {Query: "b", Now: gate.Traces{Right: 3}}},
	}
	if err := reports.WriteGate(os.Stdout, reports.FormatTable, g, reports.Screen{}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// PASS (exit code 0): no test finds a loss
	// watched 2 queries, 6 traces; before: 15 of each in 5 accepted runs
	// what it would notice and miss was not simulated: concur gate simulate does it
	// to see more: accept more runs (concur baseline add), raise K; see --explain
}
