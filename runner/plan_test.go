package runner_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/trace"
)

func TestRunRefuses(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*runner.Plan)
		want   []string
	}{
		{"k", func(p *runner.Plan) { p.Arms[0].Configuration.K = 0 }, []string{"configuration default", "k is 0"}},
		{"concurrency", func(p *runner.Plan) { p.Arms[0].Configuration.Limits.Concurrency = -1 }, []string{"limits.concurrency is -1"}},
		{"stages", func(p *runner.Plan) { p.Arms[0].Configuration.Consensus.Stages = nil }, []string{"consensus.stages"}},
		{"condition without judge", func(p *runner.Plan) {
			change(p, 0, func(q *datasets.Query) { q.Gold.Condition = "is polite" })
			change(p, 2, func(q *datasets.Query) { q.Gold.Condition = "is short" })
		}, []string{"q0", "q2", "condition", "judge", "--query"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var began atomic.Int64
			p := newPlan(3, 1, 1, counting(&began, lasting(0)))
			c.change(&p)
			r := execute(t, t.Context(), p, runner.Control{})
			for _, want := range c.want {
				if r.err == nil || !strings.Contains(r.err.Error(), want) {
					t.Errorf("error %v, want one with %q", r.err, want)
				}
			}
			if check := p.Check(); check == nil || r.err == nil || check.Error() != r.err.Error() {
				t.Errorf("Check says %v, Run %v", check, r.err)
			}
			if began.Load() != 0 || len(r.events) != 0 || len(r.records) != 0 {
				t.Errorf("%d traces began", began.Load())
			}
		})
	}
	if err := newPlan(3, 1, 1, nil).Check(); err != nil {
		t.Errorf("a good plan: %v", err)
	}
	p := newPlan(3, 1, 1, nil)
	change(&p, 1, func(q *datasets.Query) { q.Gold.Condition = "is polite" })
	if err := p.Check(); err == nil || strings.Contains(err.Error(), "q0") {
		t.Errorf("error %v names a query without condition", err)
	}
}

// TestAPanicEndsItsTraceAlone checks that a panic of the agent or of the model ends only its trace.
func TestAPanicEndsItsTraceAlone(t *testing.T) {
	for name, a := range map[string]agentFunc{
		"agent": func(context.Context, agent.Task) trace.Trace { panic("index 7") },
		"model": func(ctx context.Context, task agent.Task) trace.Trace {
			_, err := task.Model.Complete(ctx, model.Request{})
			t.Error("the model's panic was swallowed: ", err)
			return trace.Trace{}
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlan(3, 3, 4, agentFunc(func(ctx context.Context, task agent.Task) trace.Trace {
				if task.ID.Query == "q1" && task.ID.Trace == 2 {
					return a(ctx, task)
				}
				return answered(task, "yes")
			}))
			p.Arms[0].Model = modelFunc(func(context.Context, model.Request) (model.Response, error) { panic("index 7") })
			causes := map[trace.ID]string{}
			r := execute(t, t.Context(), p, listening(onTrace(func(tr trace.Trace) {
				if tr.Cause != "" {
					causes[tr.ID] = tr.Cause
				}
			})))
			if r.err != nil || len(r.records) != 3 {
				t.Fatalf("%d records, %v", len(r.records), r.err)
			}
			for _, rec := range r.records {
				for _, got := range rec.Answers {
					want := trace.Final
					if rec.Query == "q1" && got.Trace == 2 {
						want = trace.Panic
					}
					if o, alone := want.Outcome(); got.StopReason != want || alone && got.Outcome != o {
						t.Errorf("%s/%d ended %s, %s; want %s", rec.Query, got.Trace, got.Outcome, got.StopReason, want)
					}
				}
				if rec.Verdict.Verdict != judge.Correct { // two of three are enough
					t.Errorf("%s: %+v", rec.Query, rec.Verdict)
				}
			}
			id := trace.ID{Agent: "a1", Query: "q1", Trace: 2}
			if cause := causes[id]; len(causes) != 1 || !strings.Contains(cause, "index 7") || !strings.Contains(cause, "plan_test.go") {
				t.Errorf("causes %v: want one, with what was raised and where", causes)
			}
			events := r.events[id]
			if len(events) != 1 {
				t.Fatalf("events %+v", events)
			}
			if end, ok := events[0].Body.(trace.Conclusion); !ok || end.StopReason != trace.Panic || end.Cause == nil {
				t.Errorf("the last event is %+v", events[0])
			}
		})
	}
}

// TestTracesKeepTheirPlace checks that an agent that does not set the identity, or sets a wrong one, cannot
// take another trace's place.
func TestTracesKeepTheirPlace(t *testing.T) {
	p := newPlan(2, 3, 1, agentFunc(func(_ context.Context, task agent.Task) trace.Trace {
		tr := answered(task, []string{"a", "b", "c"}[task.ID.Trace])
		tr.ID = trace.ID{Query: "other", Trace: 99 * task.ID.Trace}
		return tr
	}))
	var told []trace.ID
	r := execute(t, t.Context(), p, listening(onTrace(func(tr trace.Trace) { told = append(told, tr.ID) })))
	if r.err != nil || len(r.records) != 2 || len(told) != 6 {
		t.Fatalf("%d records, %d traces, %v", len(r.records), len(told), r.err)
	}
	for _, rec := range r.records {
		for i, a := range rec.Answers {
			if a.Trace != i || *a.Answer != []string{"a", "b", "c"}[i] {
				t.Errorf("%s: place %d holds trace %d with %q", rec.Query, i, a.Trace, *a.Answer)
			}
		}
	}
	if want := (trace.ID{Agent: "a1", Query: "q1", Trace: 2}); told[5] != want {
		t.Errorf("told of %+v, want %+v", told[5], want)
	}
}

// TestRecord checks one query's record as a whole.
func TestRecord(t *testing.T) {
	p := newPlan(1, 3, 3, agentFunc(func(_ context.Context, task agent.Task) trace.Trace {
		tr := answered(task, []string{"yes", "no", "Yes."}[task.ID.Trace])
		tr.Steps, tr.ToolCalls, tr.ModelCalls = 2, 3, 2
		tr.Usage = model.Usage{InputTokens: 10, OutputTokens: 1, CachedTokens: 4}
		return tr
	}))
	r := execute(t, t.Context(), p, runner.Control{})
	if r.err != nil || len(r.records) != 1 {
		t.Fatalf("%d records, %v", len(r.records), r.err)
	}
	rec := r.records[0]
	if rec.Configuration != "default" || rec.Query != "q0" || rec.Category != "c" || rec.Question != "Question 0?" || rec.Agent != "a1" {
		t.Errorf("names %+v", rec)
	}
	if rec.Consensus.Method != "majority" || *rec.Consensus.Answer != "yes" || rec.Verdict.Verdict != judge.Correct {
		t.Errorf("consensus %+v, verdict %+v", rec.Consensus, rec.Verdict)
	}
	u := rec.Usage
	if u.ModelCalls != 6 || u.ToolCalls != 9 || u.Usage != (model.Usage{InputTokens: 30, OutputTokens: 3, CachedTokens: 12}) || u.USD != nil {
		t.Errorf("usage %+v", u)
	}
	for i, want := range []judge.Ruling{judge.Correct, judge.Incorrect, judge.Correct} {
		if a := rec.Answers[i]; a.Verdict != want || a.Steps != 2 || a.Key == nil || a.Grounded != nil {
			t.Errorf("answer %d is %+v, want %s", i, a, want)
		}
	}
	raw, err := os.ReadFile(filepath.Join(r.dir, "results.jsonl"))
	if err != nil || strings.Count(string(raw), "\n") != 2 {
		t.Errorf("results.jsonl: %q, %v", raw, err)
	}
}
