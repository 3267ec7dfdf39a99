package runner_test

import (
	"context"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-5817661a/concur/internal/slot"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/trace"
)

// TestARunComputesOnItsCores checks that traces that compute for a second each share as many slots as there
// are cores, although all of them are running.
func TestARunComputesOnItsCores(t *testing.T) {
	cores := runtime.GOMAXPROCS(0)
	synctest.Test(t, func(t *testing.T) {
		a := agentFunc(func(ctx context.Context, task agent.Task) trace.Trace {
			leave, err := slot.Enter(ctx)
			if err != nil {
				t.Error(err)
				return cancelled(task)
			}
			defer leave()
			return lasting(time.Second)(ctx, task)
		})
		start := time.Now()
		if r := execute(t, t.Context(), newPlan(3, cores, 3*cores, a), runner.Control{}); r.err != nil {
			t.Error(r.err)
		}
		if took := time.Since(start); took != 3*time.Second {
			t.Errorf("%d traces on %d cores took %v, want 3 s", 3*cores, cores, took)
		}
	})
}
