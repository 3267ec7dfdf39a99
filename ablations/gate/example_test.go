package gate_test

import (
	"fmt"

	"github.com/seed-5817661a/concur/ablations/gate"
)

// A slice of counts is all that a decision needs: of each query how many traces of the run are
// right, and how many of the accepted runs.
func ExampleDecide() {
	right := func(right, all int) gate.Traces { return gate.Traces{Right: right, Wrong: all - right} }
	e := gate.Evidence{PoolRuns: 5, K: 3, Items: []gate.Item{
		{Query: "opening-hours", Current: right(3, 3), History: right(15, 15), Runs: 5},
		{Query: "refunds", Current: right(0, 3), History: right(15, 15), Runs: 5},
		{Query: "new-query", Current: right(0, 3)},
	}}
	out := gate.Decide(e, gate.Options{})
	for len(out.Need) > 0 {
		for _, ask := range out.Need {
			fmt.Printf("%s: %s needs %d fresh traces\n", out.Decision, ask.Query, ask.Traces)
			e.Items[1].Fresh = make([]gate.TraceResult, ask.Traces) // run them: all are wrong
		}
		out = gate.Decide(e, gate.Options{})
	}
	fmt.Println(out.Decision, out.Decision.ExitCode(), out.NotGated[0].Query)
	fmt.Println(out.Reasons[0])
	// Output:
	// INCONCLUSIVE: refunds needs 3 fresh traces
	// INCONCLUSIVE: refunds needs 6 fresh traces
	// REGRESSION 1 new-query
	// refunds is broken: 15 of 15 right before → 0 of 3 in the run, 0 of 6 fresh
}
