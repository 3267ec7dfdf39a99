package runner_test

import (
	"context"
	"testing"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/trace"
)

// TestRejectedAnswersAreJudged by the gold, whatever the trace ended with: they are the
// ungrounded row of the table of right and grounded.
func TestRejectedAnswersAreJudged(t *testing.T) {
	rejected := []string{"Answer: yes", "Answer: no", "", "Answer: yes"}
	no := false
	p := newPlan(1, len(rejected), 1, agentFunc(func(_ context.Context, task agent.Task) trace.Trace {
		tr := trace.Trace{ID: task.ID, Outcome: trace.Abstained, StopReason: trace.Final, Message: "Answer: [ABSTAIN]", Extract: "line", Steps: 1}
		if text := rejected[task.ID.Trace]; text != "" {
			tr.Rejected, tr.Grounded = text, &no
		}
		if task.ID.Trace == 3 {
			tr.StopReason, tr.Message = trace.Ungrounded, tr.Rejected
		}
		return tr
	}))
	r := execute(t, t.Context(), p, runner.Control{})
	if r.err != nil || len(r.records) != 1 {
		t.Fatalf("%d records, %v", len(r.records), r.err)
	}
	for i, want := range []judge.Ruling{judge.Correct, judge.Incorrect, "", judge.Correct} {
		a := r.records[0].Answers[i]
		if a.Verdict != judge.Incorrect || (a.Rejected != nil) != (want != "") || a.Rejected != nil && *a.Rejected != want {
			t.Errorf("answer %d is %+v, rejected %v; want %q", i, a, a.Rejected, want)
		}
	}
}
