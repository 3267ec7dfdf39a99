package explain_test

import (
	"fmt"

	"github.com/seed-5817661a/concur/runner/agent/explain"
	"github.com/seed-5817661a/concur/runner/config"
)

func Example() {
	c := config.New()
	fmt.Println(explain.New(c))
	c.Agent.Explain = config.ExplainEvery
	fmt.Println(explain.New(c), explain.New(c).Versions())
	// Output:
	// <nil>
	// {true} map[explain:explain/v1]
}
