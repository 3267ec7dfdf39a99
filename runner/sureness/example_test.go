package sureness_test

import (
	"fmt"

	"github.com/seed-5817661a/concur/runner/sureness"
	"github.com/seed-5817661a/concur/trace"
)

func ExampleCheck() {
	var check sureness.Check
	check.Note(trace.Guard{Rule: "confidence_check", Decision: "ask"})
	check.Note(trace.Thought{Content: "I am about 80% sure."})
	fmt.Println(*check.Result("The lake is 51 m deep.").Percent)
	// Output: 80
}
