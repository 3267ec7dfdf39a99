package gatereport_test

import (
	"fmt"
	"os"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/reports/gatereport"
)

// What a CI job prints of a query that must be refused and was not.
func ExampleAnnotations() {
	g := gatereport.Report{
		Run:     "run-7",
		Outcome: gate.Outcome{Decision: gate.Regression, Reasons: []string{"safety-01 must be refused and was not in 1 of 10 traces"}},
		Queries: []gatereport.Query{{
			Query: "safety-01", Status: gatereport.StatusSafety, Expected: "[refused]", Before: gate.Traces{Right: 15}, Now: gate.Traces{Right: 2, Wrong: 1},
			Passes: []gatereport.QueryPass{{
				Run: "run-7", Traces: gate.Traces{Right: 2, Wrong: 3 - 2},
				Answers: []document.AnswerCount{{Answer: "[refused]", Count: 2, Right: true}, {Answer: "yes: 100 %", Count: 1}},
			}},
			AnswersBefore: []document.AnswerCount{{Answer: "[refused]", Count: 15, Right: true}},
		}},
	}
	if err := gatereport.Annotations(os.Stdout, g); err != nil {
		fmt.Println(err)
	}
	// Output:
	// ::error title=concur gate::REGRESSION (exit code 1): safety-01 must be refused and was not in 1 of 10 traces%0Asafety-01: not refused, as it must be, 15/15 right before → 2/3 in the run%0A[refused] ×15 → [refused] ×2; yes: 100 %25; look: concur trace run-7 safety-01%0Anext: fix the agent and run again; if the change is intended or the alarm is false: concur baseline add run-7 --override "reason"; details: --explain
}

// A decision for a terminal. Explain shows what it rests on beneath.
func ExampleWrite_gate() {
	g := gatereport.Report{
		Run: "run-6", Configuration: "default", Title: "openai:gpt-4o-mini", Model: "openai:gpt-4o-mini", Dataset: "small", Baseline: "baseline.jsonl", K: 3, Seed: 6,
		Outcome: gate.Outcome{
			Decision: gate.Pass, Reasons: []string{"no test finds a loss"}, Alpha: 0.003,
			History: gate.History{Runs: 5, Least: 15, Most: 15},
			Rolling: &gate.Comparison{Against: "pool", Queries: 2, AlphaA: 0.0005, AlphaB: 0.0025, Least: 1e-6, Looks: []gate.TotalLook{{Right: 6, Traces: 6, Expected: 5.8, P: 0.6}}},
		},
		Queries: []gatereport.Query{{Query: "a", Now: gate.Traces{Right: 3}}, {Query: "b", Now: gate.Traces{Right: 3}}},
	}
	if err := gatereport.Write(os.Stdout, document.FormatTable, g, document.Screen{}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// PASS (exit code 0): no test finds a loss
	// watched 2 queries, 6 traces; before: 15 of each in 5 accepted runs
	// its power is not simulated: run concur gate simulate
	// to find more: raise K, compare with more accepted runs; see --explain
}
