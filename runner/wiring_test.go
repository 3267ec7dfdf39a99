package runner_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// failing ends every trace with a stop reason, unless works returns true.
func failing(reason trace.StopReason, works func(agent.Task) bool) agentFunc {
	return func(_ context.Context, task agent.Task) trace.Trace {
		if works(task) {
			return answered(task, "yes")
		}
		outcome, _ := reason.Outcome()
		return trace.Trace{ID: task.ID, Outcome: outcome, StopReason: reason, Extract: "none", Cause: "KeyError: 'x'\nline 2"}
	}
}

// A run ends if its external agent fails in each of the first traces. The error has the whole cause.
func TestAnAgentThatNeverWorkedEndsTheRun(t *testing.T) {
	never := func(agent.Task) bool { return false }
	for _, c := range []struct {
		name     string
		queries  int
		reason   trace.StopReason
		works    func(agent.Task) bool
		external bool
		ends     bool
	}{
		{"crashes", 100, trace.AgentError, never, true, true},
		{"replies that cannot be read", 100, trace.FormatError, never, true, true},
		{"wrong answers are answers", 100, trace.EmptyAnswer, never, true, false},
		{"one trace works", 100, trace.AgentError, func(task agent.Task) bool { return position(task, 3) == 4 }, true, false},
		{"few traces", 6, trace.AgentError, never, true, false},
		{"an agent of concur's own", 100, trace.FormatError, never, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			var began atomic.Int64
			atOnce := 4
			if c.name == "one trace works" { // of four concurrent traces, the one that works may end last, after ten failures
				atOnce = 1
			}
			p := newPlan(c.queries, 3, atOnce, counting(&began, failing(c.reason, c.works)))
			if c.external {
				p.Arms[0].Configuration.Agent.External.Exec = []string{"agent"}
			}
			r := execute(t, t.Context(), p, runner.Control{})
			wiring, ended := errors.AsType[*runner.WiringError](r.err)
			if ended != c.ends || runner.GivenUp(r.err) != c.ends {
				t.Fatalf("ended with %v, want an end: %v", r.err, c.ends)
			}
			if !ended {
				if r.err != nil || len(r.records) != c.queries {
					t.Errorf("%v, %d records", r.err, len(r.records))
				}
				return
			}
			if wiring.Traces != 10 || !strings.Contains(r.err.Error(), "KeyError: 'x'\nline 2") {
				t.Errorf("%v", r.err)
			}
			// While the tenth failure is counted, other traces may end and more may begin, but far fewer than all.
			if n := began.Load(); n > 100 {
				t.Errorf("%d traces began", n)
			}
		})
	}
}

// The remaining queries of a resumed run may be those on which a working agent fails.
func TestAResumedRunIsNotGivenUp(t *testing.T) {
	p := newPlan(40, 1, 1, failing(trace.AgentError, func(task agent.Task) bool { return task.ID.Query == "q0" }))
	p.Arms[0].Configuration.Agent.External.Exec = []string{"agent"}
	out, err := store.Create(t.TempDir(), store.Manifest{Run: "r1", Start: time.Now(), Configurations: configurations(p)})
	if err != nil {
		t.Fatal(err)
	}
	drain := make(chan struct{})
	stop := sync.OnceFunc(func() { close(drain) })
	first := runner.Control{Drain: drain, Outputs: []runner.Output{onRecord(func(store.Record) { stop() })}}
	if err := p.Run(t.Context(), out, first); !errors.Is(err, runner.ErrDrained) {
		t.Fatalf("the first session ended with %v", err)
	}
	if err := out.Finish(store.Interrupted, time.Now()); err != nil {
		t.Fatal(err)
	}
	run, err := store.Open(out.Dir())
	if err != nil {
		t.Fatal(err)
	}
	out, prior, err := run.Resume(time.Now(), store.Scope{})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Run(t.Context(), out, runner.Control{Prior: prior}); err != nil {
		t.Errorf("the second session ended with %v", err)
	}
	if err := out.Finish(store.Complete, time.Now()); err != nil {
		t.Fatal(err)
	}
}
