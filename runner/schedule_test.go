package runner_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/trace"
)

// TestConcurrency checks that the limit is reached and never exceeded. It uses the clock of synctest, so that
// the duration of the run is exact.
func TestConcurrency(t *testing.T) {
	const queries, k = 5, 4
	for _, limit := range []int{1, 3, 8, 100} {
		t.Run(fmt.Sprint(limit), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var inFlight, most atomic.Int64
				a := agentFunc(func(ctx context.Context, task agent.Task) trace.Trace {
					n := inFlight.Add(1)
					for seen := most.Load(); n > seen && !most.CompareAndSwap(seen, n); seen = most.Load() {
					}
					defer inFlight.Add(-1)
					return lasting(time.Second)(ctx, task)
				})
				start := time.Now()
				r := execute(t, t.Context(), newPlan(queries, k, limit, a), runner.Control{})
				if r.err != nil || len(r.records) != queries {
					t.Errorf("%d records, %v", len(r.records), r.err)
				}
				if want := int64(min(limit, queries*k)); most.Load() != want {
					t.Errorf("%d traces at once, want %d", most.Load(), want)
				}
				rounds := (queries*k + limit - 1) / limit
				if took := time.Since(start); took != time.Duration(rounds)*time.Second {
					t.Errorf("the run took %v, want %d s", took, rounds)
				}
			})
		})
	}
}

// TestQueryMajorOrder checks that, when the trace at position p begins, at most limit-1 earlier traces are
// still running, whatever their durations.
func TestQueryMajorOrder(t *testing.T) {
	const queries, k = 10, 3
	for _, limit := range []int{1, 2, 7} {
		synctest.Test(t, func(t *testing.T) {
			var finished atomic.Int64
			started := make(chan int, queries*k)
			a := agentFunc(func(ctx context.Context, task agent.Task) trace.Trace {
				p := position(task, k)
				if done := int(finished.Load()); done < p+1-limit {
					t.Errorf("limit %d: trace %d began when %d had ended", limit, p, done)
				}
				started <- p
				random := rand.New(rand.NewPCG(uint64(task.Seed), 0))
				defer finished.Add(1)
				return lasting(time.Duration(random.IntN(1000))*time.Millisecond)(ctx, task)
			})
			if r := execute(t, t.Context(), newPlan(queries, k, limit, a), runner.Control{}); r.err != nil {
				t.Error(r.err)
			}
			close(started)
			var order []int
			for p := range started {
				order = append(order, p)
			}
			if limit == 1 && !slices.IsSorted(order) {
				t.Errorf("one at a time, they began in the order %v", order)
			}
			if slices.Sort(order); len(slices.Compact(order)) != queries*k {
				t.Errorf("%d different traces began, want %d", len(order), queries*k)
			}
		})
	}
}

func TestTiming(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := agentFunc(func(ctx context.Context, task agent.Task) trace.Trace {
			return lasting(time.Duration(task.ID.Trace+1)*time.Second)(ctx, task)
		})
		r := execute(t, t.Context(), newPlan(3, 2, 1, a), runner.Control{})
		if r.err != nil || len(r.records) != 3 {
			t.Fatalf("%d records, %v", len(r.records), r.err)
		}
		for _, rec := range r.records { // waiting for a free place does not count as the query's time
			if rec.Timing.WallS != 3 || !slices.Equal(rec.Timing.TracesS, []float64{1, 2}) {
				t.Errorf("%s: wall %v s, traces %v s; want 3, [1 2]", rec.Query, rec.Timing.WallS, rec.Timing.TracesS)
			}
		}
	})
}
