package runner_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// sampled is a model that draws its words with the seed of the request.
func sampled(_ context.Context, req model.Request) (model.Response, error) {
	random := rand.New(rand.NewPCG(uint64(req.Seed), uint64(len(req.Messages))))
	word := []string{"yes", "no", "maybe", "hm", "hm", "hm"}[random.IntN(6)]
	return model.Response{
		Message: model.Message{Role: model.Assistant, Content: word}, Finish: model.FinishStop,
		Usage: model.Usage{InputTokens: len(req.Messages), OutputTokens: 1},
	}, nil
}

// talker is an agent that asks until the model does not say "hm".
func talker(ctx context.Context, task agent.Task) trace.Trace {
	messages := []model.Message{{Role: model.User, Content: task.Query.Text}}
	var usage model.Usage
	for step := 0; ; step++ {
		reply, err := task.Model.Complete(ctx, model.Request{
			Identity: model.Identity{Agent: task.ID.Agent, Query: task.ID.Query, Trace: task.ID.Trace, Step: step, Purpose: model.Agent},
			Messages: messages, Seed: task.Seed,
		})
		if err != nil && ctx.Err() == nil {
			return trace.Trace{ID: task.ID, Outcome: trace.Infra, StopReason: trace.ModelError, Extract: "none", ModelCalls: step + 1}
		}
		if err != nil {
			return cancelled(task)
		}
		usage = usage.Add(reply.Usage)
		if reply.Message.Content != "hm" {
			t := answered(task, reply.Message.Content)
			t.Steps, t.ModelCalls, t.Usage = step+1, step+1, usage
			return t
		}
		task.Emit(step, trace.Thought{Content: "hm"})
		messages = append(messages, reply.Message, model.Message{Role: model.User, Content: "Well?"})
	}
}

// timeless removes the parts that may differ between equal runs.
func timeless(r ran) ran {
	for i := range r.records {
		r.records[i].Timing = store.Timing{}
	}
	for _, events := range r.events {
		for i := range events {
			events[i].Time, events[i].Session = time.Time{}, 0
			if c, last := events[i].Body.(trace.Conclusion); last {
				c.Timing = trace.Timing{}
				events[i].Body = c
			}
		}
	}
	for _, exchanges := range r.exchanges {
		for i := range exchanges {
			exchanges[i].Time, exchanges[i].Latency, exchanges[i].Session = time.Time{}, 0, 0
			exchanges[i].RequestSettings = nil // in the exchange of whichever trace came first
		}
	}
	r.dir = ""
	return r
}

func talk(t *testing.T, queries, k, concurrency int, seed int64) ran {
	t.Helper()
	p := newPlan(queries, k, concurrency, agentFunc(talker))
	p.Arms[0].Model, p.Seed = modelFunc(sampled), seed
	r := execute(t, t.Context(), p, runner.Control{})
	if r.err != nil || len(r.records) != queries {
		t.Fatalf("%d records, %v", len(r.records), r.err)
	}
	return timeless(r)
}

func TestEqualSeedsGiveEqualRuns(t *testing.T) {
	one := talk(t, 20, 3, 1, 5)
	for range 3 {
		if diff := cmp.Diff(one, talk(t, 20, 3, 16, 5), cmp.AllowUnexported(ran{})); diff != "" {
			t.Fatalf("one at a time and 16 at a time differ (-1 +16):\n%s", diff)
		}
	}
	if cmp.Equal(one.records, talk(t, 20, 3, 16, 6).records) {
		t.Error("another seed gave the same answers")
	}
}

// TestKReadsOffTheFirstTraces checks that trace 0 is the same for K=3 and K=1.
func TestKReadsOffTheFirstTraces(t *testing.T) {
	one, three := talk(t, 10, 1, 4, 5), talk(t, 10, 3, 4, 5)
	for i, r := range one.records {
		if diff := cmp.Diff(r.Answers[0], three.records[i].Answers[0]); diff != "" {
			t.Errorf("%s: first answer (-K=1 +K=3):\n%s", r.Query, diff)
		}
		id := trace.ID{Agent: "a1", Query: r.Query, Trace: 0}
		if diff := cmp.Diff(one.events[id], three.events[id]); diff != "" {
			t.Errorf("%s: events (-K=1 +K=3):\n%s", r.Query, diff)
		}
		if diff := cmp.Diff(one.exchanges[id], three.exchanges[id]); diff != "" {
			t.Errorf("%s: exchanges (-K=1 +K=3):\n%s", r.Query, diff)
		}
	}
	differ := false
	for _, r := range three.records {
		differ = differ || *r.Answers[0].Answer != *r.Answers[1].Answer
	}
	if !differ {
		t.Error("all traces of every query agree: they seem to share a seed")
	}
}

func TestTraceSeed(t *testing.T) {
	for _, c := range []struct { // computed with another implementation of SHA-256
		run   int64
		query string
		trace int
		want  int64
	}{
		{1, "calc-03", 0, 1184650524}, {1, "calc-03", 1, 1616747824}, {42, "q", 7, 1593391899},
	} {
		if got := runner.TraceSeed(c.run, c.query, c.trace); got != c.want {
			t.Errorf("TraceSeed(%d, %s, %d) = %d, want %d", c.run, c.query, c.trace, got, c.want)
		}
	}
	seen := map[int64]string{}
	for run := range int64(10) {
		for _, query := range []string{"q", "q1", "q11", "1"} {
			for index := range 12 {
				name := fmt.Sprint(run, " ", query, " ", index)
				seed := runner.TraceSeed(run, query, index)
				if other, taken := seen[seed]; taken {
					t.Errorf("%s and %s have one seed", name, other)
				}
				seen[seed] = name
			}
		}
	}
	rapid.Check(t, func(r *rapid.T) {
		seed := runner.TraceSeed(rapid.Int64().Draw(r, "run"), rapid.String().Draw(r, "query"), rapid.IntRange(0, 1000).Draw(r, "trace"))
		if seed < 0 || seed >= 1<<31 {
			r.Fatalf("%d has not 31 bits", seed)
		}
	})
}
