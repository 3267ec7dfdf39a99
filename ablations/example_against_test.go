package ablations_test

import (
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/ablations"
)

// Of 29 queries, one configuration loses four and wins one, and another loses nine.
func ExampleAgainst() {
	full := side("full", strings.Repeat("c", 28)+"i")
	noSearch := side("no web search", strings.Repeat("i", 9)+strings.Repeat("c", 19)+"i")
	noPlanner := side("no planner", "iiii"+strings.Repeat("c", 25))
	comparisons, err := ablations.Against("full", []ablations.Side{full, noPlanner, noSearch}, ablations.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range comparisons {
		fmt.Printf("%s: -%d +%d, %+.1f points [%+.1f, %+.1f], p %.3f, Holm %.3f: %s (MDE %.0f)\n", c.Configuration, *c.Losses, *c.Gains,
			100**c.Difference, 100*c.CI.Low, 100*c.CI.High, *c.P, *c.PHolm, c.Call, 100**c.MDE)
	}
	// Output:
	// no planner: -4 +1, -10.3 points [-28.1, +6.2], p 0.219, Holm 0.219: undetermined (MDE 27)
	// no web search: -9 +0, -31.0 points [-49.2, -15.7], p 0.002, Holm 0.004: worse (MDE 27)
}
