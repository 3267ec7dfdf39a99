package transcript_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/internal/golden"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/reports/transcript"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
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
			if err := transcript.WriteLive(&b, trace.Event{Body: e}, debug); err != nil {
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
		Consensus: consensus.Decision{Method: consensus.Plurality, Answer: &short, Votes: []consensus.Class{{Key: "int:12", Traces: []int{0}}}},
		Usage:     store.Usage{ModelCalls: 3, ToolCalls: 1, Usage: model.Usage{InputTokens: 10, OutputTokens: 2}},
		Timing:    store.Timing{WallS: 1.5},
	}
	var b bytes.Buffer
	if err := transcript.WriteAnswer(&b, r, map[int][]trace.Event{len(r.Answers) - 1: {{Body: trace.Conclusion{Message: "It is \x1b[2Jtwelve.\n\nAnswer: 12"}}}}); err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "testdata/answer.txt", b.String())
}

// TestRejectedAnswersAreNotShown takes traces whose answer the citation audit rejected.
func TestRejectedAnswersAreNotShown(t *testing.T) {
	wrong, cause := "It is 999 m [corpus_1].\n\nAnswer: 999", `C4 the number "999 m" is in no document`
	audit := trace.Event{Body: trace.Audit{Grounded: false}}
	thought := trace.Event{Body: trace.Thought{Content: "It must be 999 m."}}
	for _, c := range []struct {
		name    string
		outcome trace.Outcome
		events  []trace.Event
		want    string
	}{
		{"rejected", trace.Abstained, []trace.Event{audit, {Body: trace.Conclusion{Outcome: trace.Abstained, StopReason: trace.Ungrounded, Message: wrong, Rejected: &wrong}}}, trace.NoSupport},
		{"given up", trace.Abstained, []trace.Event{audit, {Body: trace.Conclusion{Outcome: trace.Abstained, StopReason: trace.Final, Message: "I do not know.", Rejected: &wrong}}}, "I do not know."},
		{"failed", trace.Infra, []trace.Event{thought, audit, {Body: trace.Conclusion{Outcome: trace.Infra, StopReason: trace.ModelError}}}, trace.NoSupport},
		{"corrected", trace.Answered, []trace.Event{audit, {Body: trace.Audit{Grounded: true}}, {Body: trace.Conclusion{Outcome: trace.Answered, StopReason: trace.Final, Message: "It is 330 m."}}}, "It is 330 m."},
	} {
		end := c.events[len(c.events)-1].Body.(trace.Conclusion)
		r := store.Record{Answers: []store.Answer{{Outcome: c.outcome, StopReason: end.StopReason, Cause: &cause}}}
		var answer, live, debug, whole bytes.Buffer
		if err := transcript.WriteAnswer(&answer, r, map[int][]trace.Event{0: c.events}); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(answer.String(), "It is 999") || !strings.HasPrefix(answer.String(), c.want+"\n") {
			t.Errorf("%s: the answer is\n%s", c.name, answer.String())
		}
		last := c.events[len(c.events)-1]
		if err := errors.Join(transcript.WriteLive(&live, last, false), transcript.WriteLive(&debug, last, true), transcript.Write(&whole, trace.ID{}, c.events, false)); err != nil {
			t.Fatal(err)
		}
		if live.Len() > 0 {
			t.Errorf("%s: without debug, the end of the trace shows %s", c.name, live.String())
		}
		shown := end.Rejected != nil
		if strings.Contains(debug.String(), "  rejected     It is 999 m") != shown || strings.Contains(whole.String(), "  rejected     It is 999 m") != shown {
			t.Errorf("%s: the rejected answer is shown on request: %v\n%s%s", c.name, shown, debug.String(), whole.String())
		}
		if strings.Contains(whole.String(), "final        It is 999 m") {
			t.Errorf("%s: the transcript shows the rejected answer as the final one", c.name)
		}
	}
}
