package tests_test

import (
	"context"
	"fmt"

	"github.com/seed-5817661a/concur/internal/sandbox"
	"github.com/seed-5817661a/concur/internal/sandbox/quickjs"
	"github.com/seed-5817661a/concur/tool/code/tests"
)

// A program in JavaScript fails its second test.
func Example() {
	engine := quickjs.New()
	defer engine.Close()
	verdict, err := tests.Runner{Engine: engine}.Run(context.Background(), "const double = n => n + n", tests.Suite{
		Language: sandbox.JavaScript,
		Text:     `{"call": "double", "args": [2], "want": 4}` + "\n" + `{"call": "double", "args": ["a"], "want": "a"}`,
	})
	if err != nil {
		panic(err)
	}
	fmt.Println(verdict.Pass, verdict.Passed, verdict.Reason)
	// Output: false 1 test 2, double("a"): "aa", want "a"
}
