package worth_test

import (
	"fmt"

	"github.com/seed-5817661a/concur/ablations/usefulness"
	"github.com/seed-5817661a/concur/reports/worth"
)

func ExampleGain() {
	mean := 0.5
	fmt.Println(worth.Gain(usefulness.Figures{Mean: &mean, CI: &usefulness.Range{Low: -0.1, High: 1.1}}))
	// Output: +0.50 [−0.10, +1.10]
}
