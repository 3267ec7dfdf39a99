package runner_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/runner/store/runlist"
	"github.com/seed-5817661a/concur/trace"
)

// with adds an arm that differs from the first one by change.
func with(p runner.Plan, name string, change func(*runner.Arm)) runner.Plan {
	a := p.Arms[0]
	a.Configuration.Name = name
	change(&a)
	p.Arms = append(slices.Clone(p.Arms), a)
	return p
}

// noting is an agent that records the order of its traces.
type noting struct {
	mu  sync.Mutex
	ran []trace.ID
	agentFunc
}

func (c *noting) Run(ctx context.Context, task agent.Task) trace.Trace {
	c.mu.Lock()
	c.ran = append(c.ran, task.ID)
	c.mu.Unlock()
	return c.agentFunc(ctx, task)
}

// A row with fewer traces costs nothing more, and has the same result as in a separate run.
func TestArmsOfOneAgentShareTraces(t *testing.T) {
	for _, order := range []string{"the larger first", "the smaller first"} {
		c := &noting{agentFunc: talker}
		p := newPlan(4, 3, 2, c)
		p.Arms[0].Model = modelFunc(sampled)
		p = with(p, "single", func(a *runner.Arm) { a.Configuration.K = 1 })
		if order == "the smaller first" {
			slices.Reverse(p.Arms)
		}
		both := timeless(execute(t, t.Context(), p, runner.Control{}))
		if len(c.ran) != 4*3 {
			t.Errorf("%s: %d traces were run, want 12", order, len(c.ran))
		}
		for _, name := range []string{"default", "single"} {
			alone := p
			alone.Arms = []runner.Arm{p.Arms[slices.IndexFunc(p.Arms, func(a runner.Arm) bool { return a.Configuration.Name == name })]}
			want := timeless(execute(t, t.Context(), alone, runner.Control{})).records
			got := slices.DeleteFunc(slices.Clone(both.records), func(r store.Record) bool { return r.Configuration != name })
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: %s is not what it is alone (-alone +shared):\n%s", order, name, diff)
			}
		}
	}
}

// Calls that were really sent are counted once, for the row that sent them.
func TestSharedTracesAreSentOnce(t *testing.T) {
	p := with(talkative(), "again", func(*runner.Arm) {})
	sent := map[string]int{}
	calls := map[string]int{}
	for _, r := range execute(t, t.Context(), p, runner.Control{}).records {
		sent[r.Configuration] += r.Timing.CallsSent
		calls[r.Configuration] += r.Usage.ModelCalls
	}
	if sent["default"] != calls["default"] || sent["single"] != 0 || sent["again"] != 0 {
		t.Errorf("sent %v of the calls %v", sent, calls)
	}
	if calls["single"] == 0 || calls["again"] != calls["default"] {
		t.Errorf("calls %v: every row rests on its traces' calls", calls)
	}
}

// Configurations alternate within each query, so that none is always first. The seed decides the order.
func TestArmsTakeTurns(t *testing.T) {
	order := func(seed int64) []trace.ID {
		c := &noting{agentFunc: func(_ context.Context, task agent.Task) trace.Trace { return answered(task, "yes") }}
		p := with(newPlan(40, 1, 1, c), "other", func(a *runner.Arm) { a.AgentHash = "a2" })
		p.Seed = seed
		execute(t, t.Context(), p, runner.Control{})
		return c.ran
	}
	first := 0
	ran := order(1)
	for q := range 40 {
		block := ran[2*q : 2*q+2]
		if block[0].Query != fmt.Sprint("q", q) || block[0].Query != block[1].Query || block[0].Agent == block[1].Agent {
			t.Fatalf("query %d: %v, want one trace of either agent", q, block)
		}
		if block[0].Agent == "a1" {
			first++
		}
	}
	if first < 10 || first > 30 {
		t.Errorf("one agent came first in %d of 40 queries", first)
	}
	if !slices.Equal(ran, order(1)) {
		t.Error("the same seed gives another order")
	}
	if slices.Equal(ran, order(2)) {
		t.Error("another seed gives the same order")
	}
}

// Fresh traces have the indices after those of the run.
func TestFreshTraces(t *testing.T) {
	p := newPlan(2, 2, 1, agentFunc(talker))
	p.Arms[0].Model = modelFunc(sampled)
	fresh := p
	fresh.Arms = slices.Clone(p.Arms)
	fresh.Arms[0].First = 2
	long := newPlan(2, 4, 1, agentFunc(talker))
	long.Arms[0].Model = modelFunc(sampled)
	want := execute(t, t.Context(), long, runner.Control{}).records
	got := execute(t, t.Context(), fresh, runner.Control{}).records
	for i := range want {
		if diff := cmp.Diff(want[i].Answers[2:], got[i].Answers); diff != "" {
			t.Errorf("%s (-traces 2 and 3 of four +fresh):\n%s", want[i].Query, diff)
		}
		if r := got[i].Consensus.Representative; r != nil && (*r < 2 || *r > 3) {
			t.Errorf("%s: trace %d stands for the consensus", want[i].Query, *r)
		}
	}
}

// Fresh traces of an agent are not shared with its first traces: an arm with another first index runs its
// own.
func TestFreshTracesAreNotShared(t *testing.T) {
	c := &noting{agentFunc: talker}
	p := newPlan(2, 2, 1, c)
	p.Arms[0].Model = modelFunc(sampled)
	p = with(p, "fresh", func(a *runner.Arm) { a.First = 2 })
	if got := p.Missing(nil)("q0"); !slices.Equal(got, []int{2, 2}) {
		t.Errorf("%v traces are missing, want 2 of either", got)
	}
	indices := map[string][]int{}
	for _, r := range execute(t, t.Context(), p, runner.Control{}).records {
		for _, a := range r.Answers {
			indices[r.Configuration] = append(indices[r.Configuration], a.Trace)
		}
	}
	if want := map[string][]int{"default": {0, 1, 0, 1}, "fresh": {2, 3, 2, 3}}; !cmp.Equal(want, indices) || len(c.ran) != 8 {
		t.Errorf("traces %v in %d runs, want %v", indices, len(c.ran), want)
	}
}

// A quality judge gets the events of a trace, whichever of the arms that share the trace has the judge.
func TestSharedTracesAreReadByAnyJudge(t *testing.T) {
	for _, judged := range []string{"default", "single"} {
		asked := 0
		m := modelFunc(func(_ context.Context, req model.Request) (model.Response, error) {
			asked++
			if text := fmt.Sprint(req.Messages); !strings.Contains(text, "31337") {
				t.Errorf("%s: the judge is not shown what the agent did:\n%s", judged, text)
			}
			return model.Response{Message: model.Message{Role: model.Assistant, Content: good}}, nil
		})
		p := newPlan(1, 3, 1, agentFunc(func(_ context.Context, task agent.Task) trace.Trace {
			task.Emit(0, trace.Action{Name: "calc", Input: []byte(`{"expression":"31337"}`)})
			return answered(task, "yes")
		}))
		p = with(p, "single", func(a *runner.Arm) { a.Configuration.K = 1 })
		for i := range p.Arms {
			if a := &p.Arms[i]; a.Configuration.Name == judged {
				a.Configuration.Judge = config.Judge{Quality: config.SameModel, Threshold: 4}
				a.Quality = &judge.Quality{Settings: judge.Settings{Model: m, Name: "test:judge", Threshold: 4}}
			}
		}
		if r := execute(t, t.Context(), p, runner.Control{}); r.err != nil || asked != 1 {
			t.Errorf("%s: asked %d times, %v", judged, asked, r.err)
		}
	}
}

// Fresh traces of a stopped run are found by their indices.
func TestResumeOfFreshTraces(t *testing.T) {
	p := talkative()
	p.Arms = p.Arms[:1]
	p.Arms[0].First = 5
	runs := t.TempDir()
	out, err := store.Create(runs, store.Manifest{Run: "r", Start: time.Now(), Configurations: configurations(p)})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Run(t.Context(), out, runner.Control{}); err != nil {
		t.Fatal(err)
	}
	if err := out.Finish(store.Interrupted, time.Now()); err != nil {
		t.Fatal(err)
	}
	run, err := runlist.Find(runs, runlist.Latest)
	if err != nil {
		t.Fatal(err)
	}
	if prior, err := run.Prior(store.Scope{}); err != nil || prior.Queries() != 2 {
		t.Errorf("%d queries of 2 are decided, %v", prior.Queries(), err)
	}
}

// Missing traces are counted for the arm that will run them.
func TestMissing(t *testing.T) {
	p := with(with(newPlan(1, 2, 1, nil), "five", func(a *runner.Arm) { a.Configuration.K = 5 }), "other", func(a *runner.Arm) { a.AgentHash = "a2" })
	if got := p.Missing(nil)("q0"); !slices.Equal(got, []int{0, 5, 2}) {
		t.Errorf("%v", got)
	}
}

// Calls that repeat an earlier one are recognised, however their arguments are written.
func TestRepeatedCallsAreCounted(t *testing.T) {
	a := agentFunc(func(_ context.Context, task agent.Task) trace.Trace {
		for _, call := range []struct{ name, input string }{
			{"calc", `{"expression":"1+1","digits":2}`}, {"calc", `{ "digits": 2, "expression": "1+1" }`},
			{"search", `{"expression":"1+1","digits":2}`}, {"calc", `{"expression":"1+1","digits":2.0}`}, {"calc", `"no object"`}, {"calc", `"no object"`},
		} {
			task.Emit(0, trace.Action{Name: call.name, Input: []byte(call.input)})
		}
		return answered(task, "yes")
	})
	r := execute(t, t.Context(), newPlan(1, 1, 1, a), runner.Control{}).records[0].Answers[0]
	if r.Actions != 6 || r.Repeated != 2 {
		t.Errorf("%d calls, %d repeated; want 6 and 2", r.Actions, r.Repeated)
	}
}
