package runner_test

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/datasets/queries"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type agentFunc func(ctx context.Context, task agent.Task) trace.Trace

func (f agentFunc) Run(ctx context.Context, task agent.Task) trace.Trace { return f(ctx, task) }

type modelFunc func(ctx context.Context, req model.Request) (model.Response, error)

func (f modelFunc) Complete(ctx context.Context, req model.Request) (model.Response, error) {
	return f(ctx, req)
}

// newPlan returns a plan with n queries, q0 to q(n-1), all of which ask for "yes".
func newPlan(n, k, concurrency int, a agent.Agent) runner.Plan {
	conf := config.New()
	conf.Consensus.Stages = []consensus.Stage{consensus.StageExact, consensus.StageMajority}
	conf.K, conf.Limits.Concurrency = k, concurrency
	data := &datasets.Dataset{Name: "small"}
	for i := range n {
		data.Queries = append(data.Queries, datasets.Query{
			ID: fmt.Sprint("q", i), Category: "c", Text: fmt.Sprintf("Question %d?", i),
			Gold: datasets.Gold{Type: answer.Text, Answer: "yes", Outcome: trace.Answered},
		})
	}
	return runner.Plan{Dataset: queries.Of(data), Seed: 1, Arms: []runner.Arm{{Configuration: conf, AgentHash: "a1", Agent: a}}}
}

// change changes a query of a plan.
func change(p *runner.Plan, query int, by func(*datasets.Query)) {
	d, err := p.Dataset.Load()
	if err != nil {
		panic(err)
	}
	by(&d.Queries[query])
	p.Dataset = queries.Of(d)
}

// position returns the position of a trace in a newPlan, in query-major order.
func position(t agent.Task, k int) int {
	var query int
	if _, err := fmt.Sscanf(t.ID.Query, "q%d", &query); err != nil {
		return -1
	}
	return query*k + t.ID.Trace
}

// answered ends a trace with an answer.
func answered(task agent.Task, short string) trace.Trace {
	t := trace.Trace{
		ID: task.ID, Outcome: trace.Answered, StopReason: trace.Final,
		Answer: short, Message: "Answer: " + short, Extract: "line", Steps: 1,
	}
	task.Emit(0, t.Conclusion())
	return t
}

// cancelled ends a trace in the way of an agent whose context has ended.
func cancelled(task agent.Task) trace.Trace {
	t := trace.Trace{ID: task.ID, Outcome: trace.Infra, StopReason: trace.Cancelled, Extract: "none"}
	task.Emit(0, t.Conclusion())
	return t
}

// lasting is an agent that says yes after some time, unless it is cancelled before.
func lasting(d time.Duration) agentFunc {
	return func(ctx context.Context, task agent.Task) trace.Trace {
		select {
		case <-time.After(d):
			return answered(task, "yes")
		case <-ctx.Done():
			return cancelled(task)
		}
	}
}

// unencodable is an event that the store cannot write.
func unencodable() trace.Body { return trace.Observation{Output: []byte("{")} }

// listeners are outputs of one function each.
type (
	onTrace    func(trace.Trace)
	onRecord   func(store.Record)
	onProgress func(runner.Progress)
)

func (onTrace) Exchange(store.Exchange) {}
func (f onTrace) Event(e trace.Event) {
	if t, ends := e.End(); ends {
		f(t)
	}
}
func (onTrace) Record(store.Record) {}

func (onRecord) Exchange(store.Exchange) {}
func (onRecord) Event(trace.Event)       {}
func (f onRecord) Record(r store.Record) { f(r) }

func (onProgress) Exchange(store.Exchange)      {}
func (onProgress) Event(trace.Event)            {}
func (onProgress) Record(store.Record)          {}
func (f onProgress) Progress(p runner.Progress) { f(p) }

// listening returns a control with these outputs.
func listening(to ...runner.Output) runner.Control { return runner.Control{Outputs: to} }

// ran is the content of a run's folder.
type ran struct {
	err, finishErr error
	records        []store.Record // sorted by query
	events         map[trace.ID][]trace.Event
	exchanges      map[trace.ID][]store.Exchange
	dir            string
}

// execute runs a plan in a new folder and reads it back.
func execute(t testing.TB, ctx context.Context, p runner.Plan, c runner.Control) ran {
	t.Helper()
	out, err := store.Create(t.TempDir(), store.Manifest{Run: "r1", Start: time.Now()})
	if err != nil {
		t.Fatal(err)
	}
	runErr := p.Run(ctx, out, c)
	finishErr := out.Finish(store.Interrupted, time.Now())
	run, err := store.Open(out.Dir())
	if err != nil {
		t.Fatal(err)
	}
	r := contents(t, run)
	r.err, r.finishErr = runErr, finishErr
	return r
}

// contents reads the whole content of a run's folder.
func contents(t testing.TB, run *store.Run) ran {
	t.Helper()
	r := ran{dir: run.Dir, events: map[trace.ID][]trace.Event{}, exchanges: map[trace.ID][]store.Exchange{}}
	r.records = read(t, run.Records())
	slices.SortFunc(r.records, func(a, b store.Record) int {
		return cmp.Or(strings.Compare(a.Query, b.Query), strings.Compare(a.Configuration, b.Configuration))
	})
	for _, e := range read(t, run.Events()) {
		r.events[e.ID] = append(r.events[e.ID], e)
	}
	for _, x := range read(t, run.Exchanges()) {
		id := trace.ID{Agent: x.Agent, Query: x.Query, Trace: x.Trace}
		r.exchanges[id] = append(r.exchanges[id], x)
	}
	return r
}

func read[T any](t testing.TB, seq iter.Seq2[T, error]) []T {
	t.Helper()
	var out []T
	for v, err := range seq {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}

// queries returns the names of the queries that have a record.
func (r ran) queries() []string {
	var out []string
	for _, rec := range r.records {
		out = append(out, rec.Query)
	}
	return out
}
