package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestNoDeadlineBoundsLocalWork: an agent whose tools wait for nothing outside of this
// process answers the same however short the deadline of its calls, and so whatever the load
// of the machine.
func TestNoDeadlineBoundsLocalWork(t *testing.T) {
	args := []string{"--quiet", "--query", "retrieval-01", "--query", "hop-01", "--query", "calc-01"}
	_, patient := concur(t, args...)
	_, impatient := concur(t, append(args, "--tool-timeout", "1ns")...)
	want, got := records(t, patient), records(t, impatient)
	for i := range got {
		if got[i].Agent == want[i].Agent {
			t.Error("the deadline is part of the agent")
		}
		got[i].Agent = want[i].Agent
		if len(got[i].Answers) != 3 || got[i].Usage.ToolCalls == 0 {
			t.Errorf("%s: %d answers and %d tool calls show nothing", got[i].Query, len(got[i].Answers), got[i].Usage.ToolCalls)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("with 30 s and with 1 ns for a tool call (-30s +1ns):\n%s", diff)
	}
}
