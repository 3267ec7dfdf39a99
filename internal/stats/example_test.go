package stats_test

import (
	"fmt"

	"github.com/seed-5817661a/concur/internal/stats"
)

func ExampleWilson() {
	low, high := stats.Wilson(27, 29, 0.95)
	fmt.Printf("27/29: %.4f to %.4f\n", low, high)
	low, high = stats.Wilson(0, 0, 0.95)
	fmt.Printf("0/0: %.0f to %.0f\n", low, high)
	// Output:
	// 27/29: 0.7804 to 0.9809
	// 0/0: 0 to 1
}

func ExampleNormalQuantile() {
	fmt.Printf("%.6f\n", stats.NormalQuantile(0.975))
	// Output: 1.959964
}
