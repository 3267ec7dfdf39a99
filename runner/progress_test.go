package runner_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/seed-5817661a/concur/internal/stats"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/agent"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// TestProgress runs four queries with two traces each, one trace at a time, a second each. The last query
// fails, and the answer to the third is wrong.
func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		agent := agentFunc(func(ctx context.Context, task agent.Task) trace.Trace {
			end := lasting(time.Second)(ctx, task)
			switch task.ID.Query {
			case "q2":
				end.Answer = "no"
			case "q3":
				end.Outcome, end.StopReason, end.Cause = trace.Infra, trace.ModelError, "the model is away\nstack"
			}
			return end
		})
		p := with(newPlan(4, 2, 1, agent), "single", func(a *runner.Arm) { a.Configuration.K = 1 })
		seen := map[string][]runner.Progress{}
		most := map[string]int{}
		execute(t, t.Context(), p, listening(onProgress(func(p runner.Progress) {
			seen[p.Configuration] = append(seen[p.Configuration], p)
			most[p.Configuration] = max(most[p.Configuration], p.InFlight)
		})))
		rate := func(correct, n int) *runner.RateSoFar {
			low, high := stats.Wilson(correct, n, 0.95)
			return &runner.RateSoFar{Value: float64(correct) / float64(n), Low: low, High: high}
		}
		for _, name := range []string{"default", "single"} {
			all := seen[name]
			if diff := cmp.Diff(runner.Progress{Configuration: name, Queries: 4}, all[0], unexported); diff != "" {
				t.Errorf("%s begins otherwise (-want +got):\n%s", name, diff)
			}
			half := all[len(all)-1]
			for _, p := range all {
				if p.Decided() == 2 && !p.Ends.IsZero() {
					half = p
					break
				}
			}
			if want := start.Add(8 * time.Second); !half.Ends.Equal(want) || half.PassRate == nil || *half.PassRate != *rate(2, 2) {
				t.Errorf("%s, half done: %+v, want an end at %v", name, half, want)
			}
			want := runner.Progress{
				Configuration: name, Queries: 4, Tally: store.Tally{Correct: 2, Incorrect: 1, Unscored: 1},
				PassRate: rate(2, 4), LastError: "the model is away",
			}
			if diff := cmp.Diff(want, all[len(all)-1], unexported); diff != "" {
				t.Errorf("%s ends otherwise (-want +got):\n%s", name, diff)
			}
		}
		if most["default"] != 1 || most["single"] != 0 {
			t.Errorf("in flight at most: %v, want 1 of the configuration that runs the traces", most)
		}
	})
}

var unexported = cmpopts.IgnoreUnexported(runner.Progress{})

// TestProgressGoesOn checks that the decisions of earlier sessions count.
func TestProgressGoesOn(t *testing.T) {
	runs := t.TempDir()
	p := newPlan(3, 1, 1, lasting(0))
	out, err := store.Create(runs, store.Manifest{Run: "r1", Start: time.Now(), Configurations: configurations(p)})
	if err != nil {
		t.Fatal(err)
	}
	drain := make(chan struct{})
	if err := p.Run(t.Context(), out, runner.Control{Drain: drain, Outputs: []runner.Output{onRecord(func(store.Record) { close(drain) })}}); err == nil {
		t.Fatal("the first session decided all")
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
	var seen []int
	err = p.Run(t.Context(), out, runner.Control{Prior: prior, Outputs: []runner.Output{
		onProgress(func(p runner.Progress) { seen = append(seen, p.Correct) }),
	}})
	if err != nil || seen[0] != 1 || seen[len(seen)-1] != 3 {
		t.Errorf("%v, correct: %v, want 1 to 3", err, seen)
	}
	if err := out.Finish(store.Complete, time.Now()); err != nil {
		t.Fatal(err)
	}
}
