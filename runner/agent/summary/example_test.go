package summary_test

import (
	"fmt"

	"github.com/seed-5817661a/concur/runner/agent/summary"
	"github.com/seed-5817661a/concur/runner/config"
)

func Example() {
	c := config.New()
	fmt.Println(summary.New(c))
	c.Memory.Summaries, c.Memory.K = "on", 4
	fmt.Println(summary.New(c), summary.New(c).Versions())
	// Output:
	// <nil>
	// {4 8000 false} map[summary:summary/v2]
}
