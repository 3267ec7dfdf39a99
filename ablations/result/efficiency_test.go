package result_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/runner/store"
)

// took gives the traces of a record steps and executed, asked and repeated tool calls.
func took(r store.Record, traces ...[4]int) store.Record {
	r.QueryHash = "00"
	for i, n := range traces {
		a := &r.Answers[i]
		a.Steps, a.ToolCalls, a.Actions, a.Repeated = n[0], n[1], n[2], n[3]
	}
	return r
}

func TestEfficiency(t *testing.T) {
	r := summarize(t, manifest(3, 2, "long", "short"),
		took(voted("long", "q-1", "lookup", "+a +a"), [4]int{4, 3, 3, 0}, [4]int{6, 2, 4, 2}),
		took(voted("long", "q-2", "safety", "+a -b"), [4]int{3, 0, 0, 0}, [4]int{1, 0, 1, 0}),
		took(voted("long", "q-3", "safety", "-a !"), [4]int{2, 1, 1, 1}, [4]int{2, 0, 0, 0}),
		took(voted("short", "q-1", "lookup", "+a -b"), [4]int{2, 4, 4, 0}, [4]int{1, 0, 0, 0}),
		took(voted("short", "q-2", "safety", "-a -b"), [4]int{1, 0, 0, 0}, [4]int{1, 0, 0, 0}),
		took(voted("short", "q-3", "safety", "0 0"), [4]int{1, 0, 0, 0}, [4]int{1, 0, 0, 0}),
	)
	// q-1 took 5 steps and 2.5 calls in the mean, where short has it in 2 steps and long in 2
	// calls; q-2 took 3 steps, and nobody fewer: the trace with one step is wrong.
	lookup := result.Effort{
		SolvedQueries: 1, CorrectTraces: 2, Steps: f(5), FewestSteps: f(2), ToolCalls: f(2.5), FewestToolCalls: f(2),
		StepWaste: f(.6), ToolCallWaste: f(.2), Actions: 7, Repeated: 2, RepeatedShare: f(2. / 7),
	}
	safety := result.Effort{
		SolvedQueries: 1, CorrectTraces: 1, Steps: f(3), FewestSteps: f(3), ToolCalls: f(0), FewestToolCalls: f(0),
		StepWaste: f(0), Actions: 2, Repeated: 1, RepeatedShare: f(.5),
	}
	want := result.Efficiency{
		Effort: result.Effort{
			SolvedQueries: 2, CorrectTraces: 3, Steps: f(4), FewestSteps: f(2.5), ToolCalls: f(1.25), FewestToolCalls: f(1),
			StepWaste: f(.375), ToolCallWaste: f(.2), Actions: 9, Repeated: 3, RepeatedShare: f(1. / 3),
		},
		ByCategory:    map[string]result.Effort{"lookup": lookup, "safety": safety},
		StepsPerTrace: f(3.2), ToolCallsPerTrace: f(1.2), // of five traces; one was lost
	}
	if diff := cmp.Diff(want, r.Configurations[0].Efficiency, cmpopts.EquateApprox(0, 1e-12)); diff != "" {
		t.Errorf("long (-want +got):\n%s", diff)
	}

	short := r.Configurations[1].Efficiency
	is(t, "short, steps", short.Steps, 2)
	is(t, "short, step waste", short.StepWaste, 0)
	is(t, "short, tool call waste", short.ToolCallWaste, .5)
	if diff := cmp.Diff(result.Effort{Actions: 0, Repeated: 0}, short.ByCategory["safety"]); diff != "" {
		t.Errorf("nothing solved and nothing asked (-want +got):\n%s", diff)
	}
}

// A single configuration is compared with its own traces.
func TestEfficiencyOfOneConfiguration(t *testing.T) {
	r := summarize(t, manifest(1, 3, "default"), took(voted("default", "q", "lookup", "+a +a -b"), [4]int{4, 3}, [4]int{2, 3}, [4]int{1, 0}))
	e := r.Configurations[0].Efficiency
	is(t, "steps", e.Steps, 3)
	is(t, "fewest", e.FewestSteps, 2)
	is(t, "waste", e.StepWaste, 1./3)
	is(t, "waste of calls", e.ToolCallWaste, 0)
}

func TestEfficiencyOfNothing(t *testing.T) {
	for name, queries := range map[string][]string{"no queries": nil, "all wrong": {"-a -b"}, "all lost": {"! !"}} {
		e := votedAll(t, 2, queries...).Efficiency
		undefined(t, name, e.Steps, e.FewestSteps, e.ToolCalls, e.FewestToolCalls, e.StepWaste, e.ToolCallWaste, e.RepeatedShare)
		if (e.StepsPerTrace == nil) != (name != "all wrong") || e.SolvedQueries != 0 || len(e.ByCategory) != len(queries) {
			t.Errorf("%s: %+v", name, e)
		}
	}
}

func f(v float64) *float64 { return &v }
