package judge_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/trace"
)

// TestSteps: steps are thoughts, calls and observations of the trace's own agent, of no more than the limit.
func TestSteps(t *testing.T) {
	events := []trace.Event{
		{Step: 0, Body: trace.Thought{Content: "I look it up."}},
		{Step: 0, Body: trace.Action{Name: "calc", Input: []byte(`{"expression":"2+3"}`), CallID: "c1"}},
		{Step: 0, Path: "helper#1", Body: trace.Thought{Content: "of a helper"}},
		{Step: 0, Body: trace.Guard{Rule: "output_cap", Decision: "cut"}},
		{Step: 0, Body: trace.Observation{CallID: "c1", Output: []byte(`{"value":"5"}`)}},
		{Step: 1, Body: trace.Audit{}},
		{Step: 1, Body: trace.Conclusion{Message: "Answer: 5", Outcome: trace.Answered, StopReason: trace.Final}},
	}
	want := "step 0 thought: I look it up.\nstep 0 action: calc {\"expression\":\"2+3\"}\nstep 0 observation: {\"value\":\"5\"}"
	if got := judge.Steps(events, 1000); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	var many []trace.Event
	for i := range 100 {
		many = append(many, trace.Event{Step: i, Body: trace.Thought{Content: strings.Repeat("é", 40)}})
	}
	got := judge.Steps(many, 1000)
	if n := len(got); n > 1000+40 || n < 800 || !strings.Contains(got, "entries left out here]") ||
		!strings.HasPrefix(got, "step 0 ") || !strings.Contains(got, fmt.Sprintf("step %d ", 99)) {
		t.Errorf("%d bytes:\n%s", n, got)
	}
	if got := judge.Steps(nil, 1000); got != "" {
		t.Errorf("no events: %q", got)
	}
}
