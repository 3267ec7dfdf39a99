package suspects_test

import (
	"fmt"

	"github.com/seed-5817661a/concur/ablations/suspects"
	"github.com/seed-5817661a/concur/datasets"
)

// Without runs nothing is known, and no gold is suspect.
func ExampleFind() {
	gold29, err := datasets.Open("gold29")
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := suspects.Find(gold29, nil)
	fmt.Println(r.Dataset, r.Traces, len(r.Suspects), err)
	// Output: gold29 0 0 <nil>
}
