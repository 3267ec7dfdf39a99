package ablations_test

import (
	"fmt"

	"github.com/seed-5817661a/concur/ablations"
	"github.com/seed-5817661a/concur/runner/config"
)

func ExampleSpec_Rows() {
	spec, err := ablations.Read("strategies")
	if err != nil {
		fmt.Println(err)
		return
	}
	base, err := spec.Base(config.New())
	if err != nil {
		fmt.Println(err)
		return
	}
	rows, err := spec.Rows(base, nil)
	for _, r := range rows {
		fmt.Printf("%s: %s, k %d (%s)\n", r.Name, r.Agent.Strategy, r.K, r.Note)
	}
	fmt.Println(spec.Baseline(), err)
	// Output:
	// react: react, k 3 (turns with tools)
	// k=1: react, k 1 (no vote)
	// cot: cot, k 3 (reasoning without tools)
	// direct: direct, k 3 (only the answer)
	// react <nil>
}
