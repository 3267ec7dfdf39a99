package runner_test

import (
	"context"
	"testing"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/trace"
)

// TestRejectedAnswersAreJudged checks that the gold judges rejected answers, whatever the end of the trace.
// They are the row "ungrounded" in the table of right and grounded answers.
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

// TestVotesAndGoldShareOptions checks that answers that are equal in the vote are also equal for the gold.
func TestVotesAndGoldShareOptions(t *testing.T) {
	said := []string{"[2.0, 1]", "1 and 2", "1, 2"}
	for ordered, want := range map[bool]struct {
		method consensus.Method
		key    string
		single []judge.Ruling
	}{
		false: {consensus.Exact, "list:{int:1|int:2}", []judge.Ruling{judge.Correct, judge.Correct, judge.Correct}},
		true:  {consensus.Majority, "list:[int:1|int:2]", []judge.Ruling{judge.Incorrect, judge.Correct, judge.Correct}},
	} {
		p := newPlan(1, len(said), 1, agentFunc(func(_ context.Context, task agent.Task) trace.Trace { return answered(task, said[task.ID.Trace]) }))
		change(&p, 0, func(q *datasets.Query) {
			q.Gold = datasets.Gold{Type: answer.List, Answer: "[1, 2]", Options: answer.Options{Ordered: ordered}, Outcome: trace.Answered}
		})
		r := execute(t, t.Context(), p, runner.Control{})
		if r.err != nil || len(r.records) != 1 {
			t.Fatalf("%d records, %v", len(r.records), r.err)
		}
		rec := r.records[0]
		if d := rec.Consensus; d.Method != want.method || d.Key == nil || *d.Key != want.key || rec.Verdict.Verdict != judge.Correct {
			t.Errorf("ordered %v: %s for %v, %s; want %s for %s", ordered, d.Method, d.Votes, rec.Verdict.Verdict, want.method, want.key)
		}
		for i, a := range rec.Answers {
			if a.Verdict != want.single[i] {
				t.Errorf("ordered %v: %q is %s, want %s", ordered, said[i], a.Verdict, want.single[i])
			}
		}
	}
}
