package runner_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// closedAfter returns a drain that is closed after d.
func closedAfter(d time.Duration) <-chan struct{} {
	c := make(chan struct{})
	time.AfterFunc(d, func() { close(c) })
	return c
}

// counting counts the traces that begin.
func counting(n *atomic.Int64, a agentFunc) agentFunc {
	return func(ctx context.Context, task agent.Task) trace.Trace {
		n.Add(1)
		return a(ctx, task)
	}
}

func TestStopping(t *testing.T) {
	broken := errors.New("the lights went out")
	for _, c := range []struct {
		name         string
		drain, grace time.Duration // drain 0: never
		cancel       time.Duration // 0: never
		want         error
		took         time.Duration
		began        int64
		records      []string
	}{
		// Ten seconds per trace, two traces at a time, two traces for each of five queries.
		{"not at all", 0, 0, 0, nil, 50 * time.Second, 10, []string{"q0", "q1", "q2", "q3", "q4"}},
		{"drained", 15 * time.Second, time.Minute, 0, runner.ErrDrained, 20 * time.Second, 4, []string{"q0", "q1"}},
		{"grace over", 15 * time.Second, 3 * time.Second, 0, runner.ErrDrained, 18 * time.Second, 4, []string{"q0"}},
		{"no grace", 15 * time.Second, 0, 0, runner.ErrDrained, 15 * time.Second, 4, []string{"q0"}},
		{"drained during the last", 45 * time.Second, time.Minute, 0, nil, 50 * time.Second, 10, []string{"q0", "q1", "q2", "q3", "q4"}},
		{"drained at the end", time.Hour, 0, 0, nil, 50 * time.Second, 10, []string{"q0", "q1", "q2", "q3", "q4"}},
		{"cancelled", 0, 0, 25 * time.Second, broken, 25 * time.Second, 6, []string{"q0", "q1"}},
		{"cancelled while it drains", 15 * time.Second, time.Minute, 17 * time.Second, broken, 17 * time.Second, 4, []string{"q0"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancelCause(t.Context())
				defer cancel(nil)
				control := runner.Control{Grace: c.grace}
				if c.drain > 0 {
					control.Drain = closedAfter(c.drain)
				}
				if c.cancel > 0 {
					time.AfterFunc(c.cancel, func() { cancel(broken) })
				}
				var began atomic.Int64
				start := time.Now()
				p := newPlan(5, 2, 2, counting(&began, lasting(10*time.Second)))
				r := execute(t, ctx, p, control)
				if !errors.Is(r.err, c.want) || r.finishErr != nil {
					t.Errorf("error %v (%v at the end), want %v", r.err, r.finishErr, c.want)
				}
				if took := time.Since(start); took != c.took {
					t.Errorf("stopped after %v, want %v", took, c.took)
				}
				if began.Load() != c.began || int64(len(r.events)) != c.began {
					t.Errorf("%d traces began and %d have events, want %d", began.Load(), len(r.events), c.began)
				}
				if got := r.queries(); !slices.Equal(got, c.records) {
					t.Errorf("records of %v, want %v", got, c.records)
				}
			})
		})
	}
}

func TestDrainedBeforeTheStart(t *testing.T) {
	drain := make(chan struct{})
	close(drain)
	var began atomic.Int64
	r := execute(t, t.Context(), newPlan(3, 2, 2, counting(&began, lasting(0))), runner.Control{Drain: drain, Grace: time.Hour})
	if !errors.Is(r.err, runner.ErrDrained) || began.Load() != 0 || len(r.records) != 0 {
		t.Errorf("%v, %d traces began, %d records", r.err, began.Load(), len(r.records))
	}
}

// TestOneCancelledTraceLeavesItsQueryUndecided checks a query whose other trace had ended.
func TestOneCancelledTraceLeavesItsQueryUndecided(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := agentFunc(func(ctx context.Context, task agent.Task) trace.Trace {
			if task.ID.Query == "q1" && task.ID.Trace == 1 {
				return lasting(time.Hour)(ctx, task)
			}
			return lasting(time.Second)(ctx, task)
		})
		var told []trace.StopReason
		r := execute(t, t.Context(), newPlan(2, 2, 4, a), runner.Control{
			Drain: closedAfter(time.Minute), Grace: time.Second,
			Outputs: []runner.Output{onTrace(func(tr trace.Trace) { told = append(told, tr.StopReason) })},
		})
		if !errors.Is(r.err, runner.ErrDrained) || !slices.Equal(r.queries(), []string{"q0"}) {
			t.Errorf("%v, records of %v; want q0 alone", r.err, r.queries())
		}
		if want := []trace.StopReason{trace.Final, trace.Final, trace.Final, trace.Cancelled}; !slices.Equal(told, want) {
			t.Errorf("told of %v, want %v", told, want)
		}
	})
}

// TestStoreFailureStopsTheRun checks that no new trace begins, running traces are cancelled, and Run returns
// the store's error. Run must not wait for a grace that is not over.
func TestStoreFailureStopsTheRun(t *testing.T) {
	for _, drained := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			var began atomic.Int64
			a := agentFunc(func(ctx context.Context, task agent.Task) trace.Trace {
				if began.Add(1) == 3 {
					time.Sleep(2 * time.Second)
					task.Emit(0, unencodable())
				}
				return lasting(time.Hour)(ctx, task)
			})
			control := runner.Control{Grace: 24 * time.Hour}
			if drained {
				control.Drain = closedAfter(time.Second)
			}
			start := time.Now()
			r := execute(t, t.Context(), newPlan(20, 2, 4, a), control)
			if r.err == nil || errors.Is(r.err, runner.ErrDrained) || r.finishErr == nil || r.err.Error() != r.finishErr.Error() {
				t.Errorf("drained %t: Run says %v, the store %v", drained, r.err, r.finishErr)
			}
			if took := time.Since(start); took != 2*time.Second || began.Load() != 4 || len(r.records) != 0 {
				t.Errorf("drained %t: stopped after %v, %d traces began, %d records; want 2s, 4, 0", drained, took, began.Load(), len(r.records))
			}
			run, err := store.Open(r.dir)
			if err != nil || run.Manifest.State != store.Failed {
				t.Errorf("drained %t: %+v, %v; want state failed", drained, run, err)
			}
		})
	}
}
