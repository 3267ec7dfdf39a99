package reports_test

import (
	"fmt"
	"os"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner/model"
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

// A comparison of two configurations, as a comment on a pull request may hold it.
func ExampleWrite() {
	rate := func(correct int) *float64 { r := float64(correct) / 4; return &r }
	row := func(name string, correct, calls, tokens int) result.Configuration {
		return result.Configuration{
			Name: name, Model: "openai:gpt-4o-mini", K: 3, PassRate: rate(correct),
			Counts: result.Counts{Queries: 4, Correct: correct, Incorrect: 4 - correct},
			CI:     &result.Interval{Low: 0.15, High: 0.85},
			Usage:  store.Usage{ModelCalls: calls, Usage: model.Usage{InputTokens: tokens}},
			Timing: result.Timing{CallsSent: calls},
		}
	}
	lost, p := -0.25, 0.5
	r := &result.Result{
		Run: "run-1", State: store.Complete, Seed: 1, Dataset: result.Dataset{Name: "small", Queries: 4},
		Configurations: []result.Configuration{row("full", 3, 24, 9400), row("no calc", 2, 20, 8100)},
		Comparisons: []result.Comparison{{
			Baseline: "full", Configuration: "no calc", Queries: 4, Difference: &lost,
			CI: &result.Interval{Method: "tango", Low: -0.7, High: 0.3}, P: &p, Method: "mcnemar-midp", Call: result.Undetermined,
		}},
	}
	if err := reports.Write(os.Stdout, reports.FormatMarkdown, r, reports.Options{}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// **Correctness: model `openai:gpt-4o-mini`, K=3, baseline `full`**
	//
	// | configuration | correct | pass rate [95 %] |     Δ points [95 %] |     p | call                 |
	// | :------------ | ------: | ---------------: | ------------------: | ----: | :------------------- |
	// | `full`        |     3/4 |    75 % [15, 85] |                   – |     – | baseline             |
	// | `no calc`     |     2/4 |    50 % [15, 85] | -25.0 [-70.0, 30.0] | 0.500 | undetermined (MDE –) |
	//
	// **Effort**
	//
	// | configuration | calls sent | tokens |
	// | :------------ | ---------: | -----: |
	// | `full`        |         24 |   9400 |
	// | `no calc`     |         20 |   8100 |
	//
	// - Δ is the pass rate less the baseline's, in percentage points, with Tango's interval (not adjusted); p is McNemar's mid-p
	// - with 4 queries, not even a drop to 0 % would be found in four of five runs (MDE –); not finding one is no proof of absence
	// - `small`, 4 queries, seed 1, run `run-1`
}

// A Result usually comes from result.Summarize.
func ExampleSummary() {
	rate := 0.5
	r := &result.Result{
		Run: "run-1", State: store.Complete, Seed: 1, Dataset: result.Dataset{Name: "small", Queries: 2},
		Configurations: []result.Configuration{{
			Name: "default", Model: "offline:reader", K: 1,
			Counts: result.Counts{Queries: 2, Correct: 1, Incorrect: 1}, PassRate: &rate,
			CI: &result.Interval{Method: "wilson", Level: 0.95, Low: 0.0945, High: 0.9055},
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
