package reports_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/internal/golden"
	"github.com/seed-5817661a/concur/reports"
	"github.com/seed-5817661a/concur/runner/model"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/trace"
)

func TestLive(t *testing.T) {
	failed := "ERROR: tool_failed(calc): division by zero"
	events := []trace.Body{
		trace.Thought{Content: "Look it up.\nThen compute."},
		trace.Action{Name: "web_search", Input: []byte(`{"query":"x"}`), CallID: "call_1"},
		trace.Observation{CallID: "call_1", Output: []byte(`{"results":[]}`), Documents: []trace.Document{
			{ID: "corpus_1", Title: "A \x1b[31mtitle", Source: "s", Snippet: strings.Repeat("long ", 50)},
		}},
		trace.Observation{CallID: "call_2", Error: &failed},
		trace.Guard{Rule: "injection", Decision: "refuse", Detail: "score 0.8"},
		trace.Guard{Rule: "format", Decision: "repair", Detail: "no JSON"},
		trace.Conclusion{Message: "shown by others"},
	}
	for name, debug := range map[string]bool{"live": false, "live_debug": true} {
		var b bytes.Buffer
		for _, e := range events {
			if err := reports.Live(&b, trace.Event{Body: e}, debug); err != nil {
				t.Fatal(err)
			}
		}
		golden.Check(t, "testdata/"+name+".txt", b.String())
	}
}

func TestAnswer(t *testing.T) {
	cause, short := "connection refused", "12"
	r := store.Record{
		Query: "ask-1",
		Answers: []store.Answer{
			{Trace: 0, Answer: &short, Outcome: trace.Answered, StopReason: trace.Final},
			{Trace: 1, Outcome: trace.Infra, StopReason: trace.ModelError, Cause: &cause},
		},
		Consensus: consensus.Decision{Method: consensus.Plurality, Answer: &short, Votes: []consensus.Vote{{Key: "int:12", Traces: []int{0}}}},
		Usage:     store.Usage{ModelCalls: 3, ToolCalls: 1, Usage: model.Usage{InputTokens: 10, OutputTokens: 2}},
		Timing:    store.Timing{WallS: 1.5},
	}
	var b bytes.Buffer
	if err := reports.Answer(&b, r, map[int][]trace.Event{len(r.Answers) - 1: {{Body: trace.Conclusion{Message: "It is \x1b[2Jtwelve.\n\nAnswer: 12"}}}}); err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "testdata/answer.txt", b.String())
}
