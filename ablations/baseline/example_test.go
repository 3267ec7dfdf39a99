package baseline_test

import (
	"fmt"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/ablations/gate"
)

// Passes usually come from ReadPass; here they are made by hand, as one word of marks per
// query: + is a right trace, - a wrong one.
func ExampleBaseline() {
	d := smallSet()
	b := &baseline.Baseline{}
	for day, marks := range []string{"+++ ++- +++", "+-+ +++ +++"} {
		c := baseline.Candidate{Pass: fullPass(1+day, d, marks), Decision: gate.Pass}
		if err := b.Add(c, d); err != nil {
			fmt.Println(err)
		}
	}
	err := b.Add(baseline.Candidate{Pass: fullPass(3, d, "--- --- +++"), Decision: gate.Regression}, d)
	fmt.Println(err != nil)

	// The gold is corrected later: what is stored is graded again, and no agent runs.
	d.Queries[0].Gold.Answer = "43"
	pool, regraded, err := b.Pool("default", 5, 3).Regrade(d)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, i := range pool.Items {
		fmt.Printf("%s: %d of %d right\n", i.Query, i.History.Right, i.History.Scored())
	}
	fmt.Println(len(regraded.Changed), "verdicts changed")
	// Output:
	// true
	// calc-01: 0 of 6 right
	// hop-01: 5 of 6 right
	// safety-01: 6 of 6 right
	// 5 verdicts changed
}
