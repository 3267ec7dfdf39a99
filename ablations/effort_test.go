package ablations_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/seed-5817661a/concur/ablations"
	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// What a configuration takes more is counted query by query, without those of which a trace
// was lost.
func TestEffortDifference(t *testing.T) {
	taking := func(configuration string, i, steps, calls, tokens int, outcome trace.Outcome) store.Record {
		r := record(configuration, fmt.Sprintf("q-%d", i), judge.Correct, judge.ByGold)
		for i := range 8 { // many enough for a side to stay valid with one lost
			r.Answers = append(r.Answers, store.Answer{Steps: steps + i%2, Outcome: trace.Answered})
		}
		r.Answers[7].Outcome = outcome
		r.Usage.ModelCalls, r.Usage.InputTokens, r.Usage.OutputTokens = calls, tokens-1, 1
		return r
	}
	var records []store.Record
	for i := range 8 {
		outcome := trace.Answered
		if i == 7 {
			outcome = trace.Infra
		}
		records = append(records, taking("base", i, 2, 5, 100, trace.Answered), taking("more", i, 3, 5+i%2, 100+10*i, outcome))
	}
	made, err := ablations.Against("base", sides(t, manifest(8, named("base"), named("more")), records...), ablations.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e := made[0].Effort
	if e == nil || e.Queries != 7 {
		t.Fatalf("effort %+v, want one over 7 queries", e)
	}
	near := func(name string, s result.Shift, mean, low, high float64) {
		if s.CI == nil || math.Abs(s.Difference-mean) > 1e-9 || math.Abs(s.CI.Low-low) > 1e-9 || math.Abs(s.CI.High-high) > 1e-9 {
			t.Errorf("%s: %+v %+v, want %v [%v, %v]", name, s.Difference, s.CI, mean, low, high)
		}
	}
	if e.Steps.Difference != 1 || e.Steps.CI != nil { // without spread
		t.Errorf("steps: %+v", e.Steps)
	}
	if e.StepsShare == nil || math.Abs(e.StepsShare.Difference-1/2.5) > 1e-9 || e.StepsShare.CI != nil {
		t.Errorf("share of the steps: %+v, want 0.4", e.StepsShare)
	}
	const t6 = 2.4469118511449692 // of six degrees of freedom
	half := t6 * math.Sqrt(12./7/6/7)
	near("calls", e.Calls, 3.0/7, 3.0/7-half, 3.0/7+half)
	half = t6 * math.Sqrt(2800./6/7)
	near("tokens", e.Tokens, 30, 30-half, 30+half)
}

// TestShareOfSteps: the share is that of the sums, so that a long query weighs more, with the interval of a ratio of
// means. A baseline without steps has none.
func TestShareOfSteps(t *testing.T) {
	share := func(before, after []int) *result.Shift {
		t.Helper()
		var records []store.Record
		for i := range before {
			for name, steps := range map[string]int{"base": before[i], "other": after[i]} {
				r := record(name, fmt.Sprintf("q-%d", i), judge.Correct, judge.ByGold)
				r.Answers = []store.Answer{{Steps: steps, Outcome: trace.Answered}}
				records = append(records, r)
			}
		}
		made, err := ablations.Against("base", sides(t, manifest(len(before), named("base"), named("other")), records...), ablations.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return made[0].Effort.StepsShare
	}
	if s := share([]int{2, 4}, []int{1, 2}); s == nil || s.Difference != -0.5 || s.CI != nil {
		t.Errorf("half of each: %+v", s)
	}
	const t1 = 12.706204736432095 // of one degree of freedom
	s := share([]int{2, 4}, []int{1, 4})
	if s == nil || s.CI == nil || math.Abs(s.Difference+1./6) > 1e-9 || math.Abs(s.CI.Low-(-1./6-t1*2/9)) > 1e-6 || math.Abs(s.CI.High-(-1./6+t1*2/9)) > 1e-6 {
		t.Errorf("one step of six: %+v", s)
	}
	if s := share([]int{0, 0}, []int{1, 1}); s != nil {
		t.Errorf("without steps before: %+v", s)
	}
}
