package runner_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/trace"
)

// A trace that writes more than limits.trace_mb, by its events or by its model calls, ends without a vote,
// and the folder stays small. A trace within the limit is unchanged.
func TestATraceThatWritesTooMuch(t *testing.T) {
	long := strings.Repeat("x", 100<<10)
	for name, write := range map[string]func(ctx context.Context, task agent.Task, n int) error{
		"events": func(ctx context.Context, task agent.Task, n int) error {
			task.Emit(n, trace.Thought{Content: long})
			return ctx.Err()
		},
		"model calls": func(ctx context.Context, task agent.Task, n int) error {
			_, err := task.Model.Complete(ctx, model.Request{
				Identity: model.Identity{Agent: "a1", Query: task.ID.Query, Purpose: model.Agent, Step: n},
				Messages: []model.Message{{Role: model.User, Content: fmt.Sprint(n, long)}},
			})
			return err
		},
	} {
		writes := 0
		p := newPlan(2, 1, 1, agentFunc(func(ctx context.Context, task agent.Task) trace.Trace {
			if task.ID.Query == "q1" {
				if err := write(ctx, task, 0); err != nil {
					t.Errorf("%s: a small trace: %v", name, err)
				}
				return answered(task, "yes")
			}
			for writes = 0; writes < 10_000; writes++ {
				if write(ctx, task, writes) != nil {
					return cancelled(task)
				}
			}
			return answered(task, "yes")
		}))
		p.Arms[0].Model = modelFunc(counted)
		p.Arms[0].Configuration.Limits.TraceMB = 1
		r := execute(t, t.Context(), p, runner.Control{})
		if len(r.records) != 2 {
			t.Fatalf("%s: %d records, %v", name, len(r.records), r.err)
		}
		full, small := r.records[0].Answers[0], r.records[1].Answers[0]
		end := r.events[trace.ID{Agent: "a1", Query: "q0"}]
		var cause string
		if c := end[len(end)-1].Body.(trace.Conclusion).Cause; c != nil {
			cause = *c
		}
		if full.Outcome != trace.Infra || full.StopReason != trace.AgentError || !strings.Contains(cause, "limits.trace_mb") {
			t.Errorf("%s: %s, %s, %q", name, full.Outcome, full.StopReason, cause)
		}
		if small.Outcome != trace.Answered {
			t.Errorf("%s: the other trace is %s", name, small.Outcome)
		}
		for _, file := range []string{"trace.jsonl", "chat.jsonl"} {
			if info, err := os.Stat(filepath.Join(r.dir, file)); err != nil || info.Size() > 64<<20 {
				t.Errorf("%s: %s: %v, %v", name, file, info, err)
			}
		}
		if writes >= 10_000 {
			t.Errorf("%s: nothing ended the trace", name)
		}
	}
}
