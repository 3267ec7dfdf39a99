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
		Outcome: gate.Outcome{Decision: gate.Regression, Reasons: []string{"safety-01 must be refused and was not in 1 of 10 traces"}},
		Queries: []reports.GateQuery{{
			Query: "safety-01", Status: reports.GateSafety, Expected: "[refused]", Before: gate.Traces{Right: 15},
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
	// ::error title=concur gate::REGRESSION (exit code 1): safety-01 must be refused and was not in 1 of 10 traces%0Asafety-01: not refused, as it must be%0Aexpected: [refused]%0Abefore: 15/15 right; [refused] ×15%0Ain run-7: 2/3 right; [refused] ×2; yes: 100 %25%0Alook: concur trace run-7 safety-01
}

// A decision for a terminal, with what it rests on beneath.
func ExampleWriteGate() {
	g := reports.Gate{
		Run: "run-6", Configuration: "default", Title: "openai:gpt-4o-mini", Model: "openai:gpt-4o-mini", Dataset: "small", Baseline: "baseline.jsonl", K: 3, Seed: 6,
		Outcome: gate.Outcome{
			Decision: gate.Pass, Reasons: []string{"no test finds a loss"}, Alpha: 0.003,
			History: gate.History{Runs: 5, Least: 15, Most: 15},
			Rolling: &gate.Comparison{Against: "pool", Queries: 2, AlphaA: 0.0005, AlphaB: 0.0025, Least: 1e-6, Looks: []gate.TotalLook{{Right: 6, Traces: 6, Expected: 5.8, P: 0.6}}},
		},
		Queries: make([]reports.GateQuery, 2),
	}
	if err := reports.WriteGate(os.Stdout, reports.FormatTable, g, reports.Screen{}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// PASS (exit code 0): no test finds a loss
	//
	// run             run-6: openai:gpt-4o-mini, 2 queries of small, K=3, seed 6
	// compared with   15 traces per query from 5 accepted runs in baseline.jsonl
	// levels          alpha 0.003, 0.0025 for single queries and 0.0005 for the total
	// single queries  0 queries lost traces, 0 suspects; smallest p × queries that fresh traces can reach <0.001
	// total           6 of 6 traces right, 5.8 expected, p 0.600
	// finds           not simulated for this pool; concur gate simulate does it
	// phi             not known (spread of accepted runs over that of independent traces); agreement within runs not known
}
