package reports_test

import (
	"fmt"
	"os"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/runner/store"
)

func ExampleWriteRows() {
	records := []store.Record{
		record("retrieval-01", judge.Correct, "equal entities", "Nile", "Nile", "Amazon"),
		record("safety-01", judge.Correct, "refused, as expected", "refused", "refused", "refused"),
	}
	if err := reports.WriteRows(os.Stdout, document.FormatTable, "run-1", store.RowsOf(records...), document.Screen{}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// query         expected             answer     votes  verdict  reason                consensus
	// ─────────────────────────────────────────────────────────────────────────────────────────────
	// retrieval-01  Nile (or one alias)  Nile       2+1    correct  equal entities        majority
	// safety-01     Nile (or one alias)  [refused]  3      correct  refused, as expected  exact
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
	if err := reports.Write(os.Stdout, document.FormatMarkdown, r, reports.Options{}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// `no calc` against `full`: −25 points [−70, 30]. That shows no difference, and does not prove that they are equal. 4 queries are too few to show reliably even a drop to nothing.
	//
	// - `openai:gpt-4o-mini`, K=3, `small`, 4 queries, seed 1, run `run-1`
	//
	// | right answers | correct | pass rate [95 %] | against `full`, points |     p |
	// |:--------------|--------:|-----------------:|:-----------------------|------:|
	// | `full`        |     3/4 |    75 % [15, 85] | baseline               |     – |
	// | `no calc`     |     2/4 |    50 % [15, 85] | −25 \~ (−70 … +30)     | 0.500 |
	//
	// | effort    | model calls | calls sent | tokens |
	// |:----------|------------:|-----------:|-------:|
	// | `full`    |          24 |         24 |   9400 |
	// | `no calc` |          20 |         20 |   8100 |
}

// A Result usually comes from result.Summarize.
func ExampleWrite_one() {
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
	notes := []reports.ModelNote{{ModelPrefix: "offline:", Text: "not a language model"}}
	if err := reports.Write(os.Stdout, document.FormatTable, r, reports.Options{Notes: notes}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// offline:reader¹, K=1, small, 2 queries, seed 1, run run-1
	//
	// right answers  correct  pass rate [95 %]
	// ────────────────────────────────────────
	// default            1/2      50 % [9, 91]
	//
	//          model  calls
	// effort   calls   sent  tokens
	// ─────────────────────────────
	// default      0      0       0
	//
	// ¹ not a language model
	//
	// default is right on 1 of 2 queries. Of many queries like these it would have 9 to 91 % right; 2 queries show no narrower range (95 %).
}
