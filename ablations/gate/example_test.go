package gate_test

import (
	"context"
	"fmt"

	"github.com/seed-5817661a/concur/ablations/gate"
)

// A query fails in a run. Its fresh traces tell whether that was bad luck.
func ExampleDecide() {
	e := gate.Evidence{PoolRuns: 5, K: 3, Items: []gate.Item{
		{Query: "calc-03", Current: gate.Traces{Right: 1, Wrong: 2}, History: gate.Traces{Right: 15}},
		{Query: "hop-07", Current: gate.Traces{Right: 3}, History: gate.Traces{Right: 13, Wrong: 2}},
		{Query: "hop-08", Current: gate.Traces{Right: 3}, History: gate.Traces{Right: 12, Wrong: 3}},
	}}
	need := gate.Needs(e, gate.Options{})
	fmt.Println("needs", need.Confirm)

	e.Items[0].Fresh = &gate.Traces{Right: 1, Wrong: 5} // as the caller found
	out := gate.Decide(e, gate.Options{})
	fmt.Println(out.Decision, out.Decision.ExitCode())
	fmt.Println(out.Reasons[0])
	// Output:
	// needs [{calc-03 6}]
	// REGRESSION 1
	// calc-03 is broken: 1 of 6 fresh traces are right, against 15 of 15 in the pool (p=0.00029 over 1 suspect); look at its traces with concur trace
}

// How good is the gate on queries like these?
func ExampleSimulateChange() {
	items := make([]gate.Rate, 29)
	for i := range items {
		items[i].P = 0.97
	}
	found, err := gate.SimulateChange(context.Background(), items, gate.SimConfig{Runs: 500, Seed: 1}, gate.Change{Broken: 1, To: 0.05})
	fmt.Println(found.Regression.Value > 0.9, err)
	// Output: true <nil>
}
