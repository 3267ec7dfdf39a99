package runner_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// buffer keeps the lines of one trace.
type buffer struct {
	lines []any
	size  int64
}

func (b *buffer) Exchange(x store.Exchange) { b.lines = append(b.lines, x) }
func (b *buffer) Event(e trace.Event)       { b.lines = append(b.lines, e) }
func (b *buffer) Written() int64            { return b.size }

// remote makes traces with a Local, as a worker does.
type remote struct {
	local          *runner.Local
	most           int
	running, peak  atomic.Int64
	stored, failed atomic.Int64
	drained        atomic.Int64
	fail           func(trace.ID) error

	mu sync.Mutex
}

func (r *remote) Places() int { return r.most }

func (r *remote) Drain() { r.drained.Add(1) }

func (r *remote) Run(ctx context.Context, job runner.Job, out runner.Lines) (func(), error) {
	n := r.running.Add(1)
	defer r.running.Add(-1)
	for peak := r.peak.Load(); n > peak && !r.peak.CompareAndSwap(peak, n); peak = r.peak.Load() {
	}
	if r.fail != nil {
		if err := r.fail(job.ID); err != nil {
			r.failed.Add(1)
			return nil, err
		}
	}
	b := &buffer{}
	if err := r.local.Run(ctx, job, b); err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, line := range b.lines {
		switch line := line.(type) {
		case store.Exchange:
			out.Exchange(line)
		case trace.Event:
			out.Event(line)
		}
	}
	return func() { r.stored.Add(1) }, nil
}

func oneCall() agentFunc {
	return func(ctx context.Context, task agent.Task) trace.Trace {
		if _, err := task.Model.Complete(ctx, model.Request{
			Identity: model.Identity{Agent: "a1", Query: task.ID.Query, Trace: task.ID.Trace, Purpose: model.Agent},
			Messages: []model.Message{{Role: model.User, Content: task.Query.Text}},
		}); err != nil {
			return cancelled(task)
		}
		task.Emit(0, trace.Thought{Content: task.ID.Query})
		return answered(task, "yes")
	}
}

// A run whose traces are made elsewhere has the records, events and exchanges of a run here.
func TestExecutorGivesTheSameRun(t *testing.T) {
	p := newPlan(20, 3, 4, oneCall())
	p.Arms[0].Model = modelFunc(counted)
	here := execute(t, t.Context(), p, runner.Control{})
	local, err := runner.NewLocal(p)
	if err != nil {
		t.Fatal(err)
	}
	r := &remote{local: local, most: 7}
	there := execute(t, t.Context(), p, runner.Control{Executor: r})
	if here.err != nil || there.err != nil {
		t.Fatal(here.err, there.err)
	}
	times := cmpopts.IgnoreFields(trace.Event{}, "Time")
	apart := cmp.Options{times, cmpopts.IgnoreFields(trace.Timing{}, "WallS"), cmpopts.IgnoreFields(store.Exchange{}, "Time",
		"Latency", "Settings", "RequestSettings"), cmpopts.IgnoreFields(store.Record{}, "Timing"),
		cmpopts.IgnoreTypes(model.Usage{}), cmpopts.EquateEmpty()}
	if diff := cmp.Diff(here.records, there.records, apart); diff != "" {
		t.Error("records:", diff)
	}
	if diff := cmp.Diff(here.events, there.events, apart); diff != "" {
		t.Error("events:", diff)
	}
	if len(there.exchanges) != 60 || len(here.exchanges) != 60 {
		t.Errorf("exchanges of %d and %d traces, want 60", len(here.exchanges), len(there.exchanges))
	}
	if r.stored.Load() != 60 {
		t.Errorf("%d traces were reported as stored, want 60", r.stored.Load())
	}
	if r.peak.Load() > 7 {
		t.Errorf("%d traces at the same time, want at most 7", r.peak.Load())
	}
}

// An executor that cannot go on ends the run; what it has made is kept, and the other traces have one end each.
func TestExecutorFails(t *testing.T) {
	p := newPlan(10, 1, 1, oneCall())
	p.Arms[0].Model = modelFunc(counted)
	local, err := runner.NewLocal(p)
	if err != nil {
		t.Fatal(err)
	}
	lost := errors.New("another coordinator took over")
	r := &remote{local: local, most: 1, fail: func(id trace.ID) error {
		if id.Query == "q5" {
			return lost
		}
		return nil
	}}
	got := execute(t, t.Context(), p, runner.Control{Executor: r})
	if !errors.Is(got.err, lost) {
		t.Errorf("the run ended with %v", got.err)
	}
	if len(got.records) != 5 || r.failed.Load() != 1 {
		t.Errorf("%d records and %d failures, want 5 and 1", len(got.records), r.failed.Load())
	}
	events := got.events[trace.ID{Agent: "a1", Query: "q5"}]
	end, ends := events[len(events)-1].End()
	if !ends || end.StopReason != trace.Cancelled || !strings.Contains(end.Cause, "took over") {
		t.Errorf("end of the trace: %+v", end)
	}
}

// A run that is drained tells its executor once. A trace that has not begun ends, and the others go on.
func TestExecutorDrains(t *testing.T) {
	p := newPlan(3, 1, 3, oneCall())
	p.Arms[0].Model = modelFunc(counted)
	local, err := runner.NewLocal(p)
	if err != nil {
		t.Fatal(err)
	}
	drain := make(chan struct{})
	var begun sync.WaitGroup
	begun.Add(3)
	r := &remote{local: local, most: 3}
	r.fail = func(id trace.ID) error {
		begun.Done()
		begun.Wait()
		if id.Query == "q0" {
			close(drain)
		}
		for r.drained.Load() == 0 {
			time.Sleep(time.Millisecond)
		}
		if id.Query == "q1" {
			return runner.ErrDrained
		}
		return nil
	}
	got := execute(t, t.Context(), p, runner.Control{Executor: r, Drain: drain, Grace: time.Hour})
	if !errors.Is(got.err, runner.ErrDrained) || len(got.records) != 2 || r.drained.Load() != 1 {
		t.Errorf("%v, %d records, drained %d times, want ErrDrained, 2 and 1", got.err, len(got.records), r.drained.Load())
	}
}

func TestLocalUnknownJob(t *testing.T) {
	local, err := runner.NewLocal(newPlan(1, 2, 1, oneCall()))
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []trace.ID{{Agent: "a2", Query: "q0"}, {Agent: "a1", Query: "q1"}, {Agent: "a1", Query: "q0", Trace: 2},
		{Agent: "a1", Query: "q0", Trace: -1}} {
		if err := local.Run(t.Context(), runner.Job{ID: id}, &buffer{}); !errors.Is(err, runner.ErrUnknownJob) {
			t.Errorf("%+v: %v", id, err)
		}
	}
}
