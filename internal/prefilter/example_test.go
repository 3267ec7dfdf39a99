package prefilter_test

import (
	"fmt"

	"github.com/seed-5817661a/concur/internal/prefilter"
)

func ExampleCompile() {
	times := prefilter.Compile(`\b(?:multiplied by|times)\b`)
	fmt.Println(times.ReplaceAllString("12 times 3", "*"))
	// Output: 12 * 3
}
