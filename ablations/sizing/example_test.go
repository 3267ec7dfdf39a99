package sizing_test

import (
	"fmt"

	"github.com/seed-5817661a/concur/ablations/sizing"
)

// Queries are right in 90 % of traces, with a standard deviation of 10 points between queries. One row is compared with
// the baseline, and a drop of 10 points must be found.
func ExampleStated() {
	p, err := sizing.Stated(.9, .1, .1, 1)
	for _, o := range p.Options {
		if o.Advised {
			fmt.Printf("%d queries, K=%d, error %v", *o.Queries, o.K, err)
		}
	}
	// Output: 183 queries, K=1, error <nil>
}
