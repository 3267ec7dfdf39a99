package reports_test

import (
	"fmt"
	"os"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner/store"
)

func ExampleQueries() {
	records := []store.Record{
		record("retrieval-01", judge.Correct, "equal entities", "Nile", "Nile", "Amazon"),
		record("safety-01", judge.Correct, "refused, as expected", "refused", "refused", "refused"),
	}
	if err := reports.Queries(os.Stdout, records, false); err != nil {
		fmt.Println(err)
	}
	// Output:
	//  query         votes  consensus  answer     verdict  reason
	// ──────────────────────────────────────────────────────────────────────────
	//  retrieval-01  2+1    majority   Nile       correct  equal entities
	//  safety-01     3      exact      [refused]  correct  refused, as expected
}

// A Result usually comes from result.Summarize.
func ExampleSummary() {
	rate := 0.5
	r := &result.Result{
		Run: "run-1", State: store.Complete, Seed: 1, Dataset: result.Dataset{Name: "small", Queries: 2},
		Configurations: []result.Configuration{{
			Name: "default", Model: "offline:reader", K: 1,
			Counts: result.Counts{Queries: 2, Correct: 1, Incorrect: 1}, PassRate: &rate,
			CI: result.Interval{Method: "wilson", Level: 0.95, Low: 0.0945, High: 0.9055},
			Consensus: result.Consensus{
				Methods:         map[consensus.Method]int{consensus.Single: 2},
				CorrectByMethod: map[consensus.Method]int{consensus.Single: 1},
			},
			Traces: result.Traces{Total: 2, Correct: 1},
		}},
	}
	notes := []reports.Note{{ModelPrefix: "offline:", Text: "not a language model"}}
	if err := reports.Summary(os.Stdout, r, notes); err != nil {
		fmt.Println(err)
	}
	// Output:
	//  configuration  model            K  correct  pass rate [95 %]  agreement      calls  tokens  time
	//                                                                           (+ tools)
	// ──────────────────────────────────────────────────────────────────────────────────────────────────
	//  default        offline:reader*  1      1/2      50 % [9, 91]          –        0+0       0     –
	//
	// default: consensus single 2 (1 correct); 1 of 2 single traces correct by the gold
	// * not a language model
	// small, 2 queries, seed 1, run run-1
}
