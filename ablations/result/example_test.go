package result_test

import (
	"fmt"

	"github.com/seed-5817661a/concur/ablations/result"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// A run's manifest and records usually come from store.Open; here they are made by hand.
func ExampleSummarize() {
	records := []store.Record{
		record("default", "q-1", "lookup", judge.Correct, trace.Answered, trace.Answered),
		record("default", "q-2", "lookup", judge.Unscored, trace.Answered, trace.Infra),
	}
	r, err := result.Summarize(manifest(2, 2, "default"), all(records, nil))
	if err != nil {
		fmt.Println(err)
		return
	}
	c := r.Configurations[0]
	fmt.Printf("%d of %d correct, %.0f %% to %.0f %%\n", c.Counts.Correct, c.Counts.Queries, c.Bounds[0]*100, c.Bounds[1]*100)
	fmt.Printf("95 %% interval %.2f to %.2f\n", c.CI.Low, c.CI.High)
	for _, w := range r.Warnings {
		fmt.Println(w)
	}
	// Output:
	// 1 of 2 correct, 50 % to 100 %
	// 95 % interval 0.09 to 0.91
	// default: 1 of 4 traces failed as infra; above 2 % the run is not valid for comparison
	// default: 1 trace failed like trace 1 of q-2 (timeout)
	// default: pass@2 and pass^2 leave out 1 of 2 queries for having fewer than 2 traces that count
	// default: 1 of 2 queries is unscored; the pass rate counts it as wrong, and would be 100 % if it were right
	// default: K=2 is even, so votes can tie; an odd K avoids that
}
