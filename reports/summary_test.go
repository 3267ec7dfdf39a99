package reports_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/internal/golden"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/reports/document"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

func pointer[T any](v T) *T { return &v }

// full is a configuration of 29 queries at K=3.
func full(name, model string) result.Configuration {
	return result.Configuration{
		Name: name, Model: model, K: 3, Agent: "3f2a",
		Counts:   result.Counts{Queries: 29, Correct: 27, Incorrect: 2},
		PassRate: pointer(27.0 / 29), Bounds: &[2]float64{27.0 / 29, 27.0 / 29},
		CI: pointer(wilson(0.7804, 0.9809)),
		ByCategory: map[string]result.Counts{
			"simple_retrieval": {Queries: 4, Correct: 4}, "multi_hop": {Queries: 10, Correct: 9, Incorrect: 1},
			"calculation": {Queries: 9, Correct: 8, Incorrect: 1}, "safety": {Queries: 6, Correct: 6},
		},
		Consensus: result.Consensus{
			Quorum:          consensus.QuorumMajority,
			Methods:         map[consensus.Method]int{consensus.Exact: 23, consensus.Majority: 5, consensus.Tie: 1},
			CorrectByMethod: map[consensus.Method]int{consensus.Exact: 23, consensus.Majority: 4},
			MeanAgreement:   pointer(0.912),
		},
		Traces: result.Traces{Total: 87, Outcomes: map[trace.Outcome]int{trace.Answered: 87}, Correct: 79},
		Usage:  usage(287, 233, 271_000),
		Timing: result.Timing{TraceP50S: pointer(0.4), TraceP95S: pointer(1.2), WallS: pointer(75.24), CallsSent: 287},
	}
}

func usage(modelCalls, toolCalls, inputTokens int) store.Usage {
	return store.Usage{ModelCalls: modelCalls, ToolCalls: toolCalls, Usage: model.Usage{InputTokens: inputTokens, OutputTokens: 900}}
}

func run(queries int, categories []string, configurations ...result.Configuration) *result.Result {
	return &result.Result{
		Schema: result.Schema, Run: "20260102T030405-gold29-0a1b2c3d", State: store.Complete, Seed: 7,
		Dataset:        result.Dataset{Name: "gold29", Queries: queries, Hash: "sha256:00", Categories: categories},
		Configurations: configurations, Comparisons: []result.Comparison{}, Warnings: []string{},
	}
}

func categories() []string { return []string{"simple_retrieval", "multi_hop", "calculation", "safety"} }

func oneConfiguration() *result.Result {
	return run(29, categories(), full("default", "offline:reader"))
}

func notes() []reports.ModelNote {
	return []reports.ModelNote{
		{ModelPrefix: "offline:reader", Text: "offline:reader is a retrieve-and-compute policy, not a language model.", FormOnly: true},
		{ModelPrefix: "offline:load", Text: "offline:load answers without reading."},
		{ModelPrefix: "unused:", Text: "This note must not appear."},
	}
}

// severalConfigurations holds rows that differ in everything a row can differ in.
func severalConfigurations() *result.Result {
	k1 := full("k=1", "offline:reader?latency=100ms")
	k1.K, k1.Consensus.MeanAgreement = 1, nil
	k1.Consensus.Methods = map[consensus.Method]int{consensus.Single: 29}
	k1.Consensus.CorrectByMethod = map[consensus.Method]int{consensus.Single: 27}
	k1.Traces.Total, k1.Traces.Correct = 29, 27
	k1.Usage, k1.Timing.WallS = usage(96, 0, 8_000), pointer(0.8562)

	load := full("load", "offline:load")
	load.Counts = result.Counts{Queries: 29, Incorrect: 27, Unscored: 2}
	load.PassRate, load.Bounds, load.CI.Low, load.CI.High = pointer(0.0), &[2]float64{0, 2.0 / 29}, 0, 0.117
	load.ByCategory = map[string]result.Counts{"safety": {Queries: 6, Incorrect: 4, Unscored: 2}}
	load.Consensus.MeanAgreement = pointer(0.0)
	load.Consensus.Methods = map[consensus.Method]int{consensus.None: 29}
	load.Consensus.CorrectByMethod = map[consensus.Method]int{}
	load.Traces.Correct = 0
	load.Usage, load.Timing.WallS = usage(12_345, 6_789, 48_000_000), pointer(7_300.0)

	running := full("another model", "openai:gpt-4o-mini")
	running.Timing.WallS = nil
	r := run(29, categories(), full("default", "offline:reader"), k1, load, running)
	r.Warnings = []string{
		"load: 2 of 87 traces failed as infra; above 2 % the run is not valid for comparison",
		"load: 2 of 29 queries are unscored; the pass rate counts them as wrong, and would be 7 % if they were right",
	}
	return r
}

func TestSummary(t *testing.T) {
	large := full("default", "openai:gpt-4o-mini")
	large.Counts = result.Counts{Queries: 2900, Correct: 2700, Incorrect: 200}
	large.CI.Low, large.CI.High = 0.9212, 0.9397
	large.PassRate = pointer(2700.0 / 2900)

	empty := result.Configuration{Name: "default", Model: "offline:reader", K: 3}
	hostileNames := full("line\nbreak | \x1b[31m\u202e", "openai:\x1b]0;title\x07")
	for file, r := range map[string]*result.Result{
		"one":         oneConfiguration(),
		"several":     severalConfigurations(),
		"no_category": run(2900, nil, large),
		"no_query":    run(0, categories(), empty),
		"hostile":     run(29, []string{"multi_hop\n\x1b[31m"}, hostileNames),
	} {
		got := written(t, func(b *bytes.Buffer) error {
			return reports.Write(b, document.FormatTable, r, reports.Options{Notes: notes(), Screen: document.Screen{Width: 80}})
		})
		golden.Check(t, "testdata/summary_"+file+".txt", got)
		if strings.ContainsAny(got, steering+"\t") {
			t.Errorf("%s holds control characters: %q", file, got)
		}
	}
}

// What JSON writes is the result and nothing else: it reads back to the same.
func TestJSON(t *testing.T) {
	r := oneConfiguration()
	got := written(t, func(b *bytes.Buffer) error { return document.WriteJSON(b, r) })
	golden.Check(t, "testdata/summary.json", got)
	var back result.Result
	if err := json.Unmarshal([]byte(got), &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(r, &back); diff != "" {
		t.Errorf("the result changed on its way through JSON (-want +got):\n%s", diff)
	}
}
