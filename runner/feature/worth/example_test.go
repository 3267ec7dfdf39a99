package worth_test

import (
	"fmt"

	"github.com/seed-5817661a/concur/runner/feature/worth"
)

func Example() {
	mean, low, high := 0.5, -0.25, 1.25
	for _, c := range worth.Kind.Columns {
		if c.Show != nil {
			fmt.Println(c.Show(worth.Figures{Mean: &mean, Low: &low, High: &high}))
		}
	}
	// Output:
	// +0.50 [−0.25, +1.25]
	// –
}
