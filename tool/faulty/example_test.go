package faulty_test

import (
	"fmt"

	"github.com/seed-5817661a/concur/tool/calc"
	"github.com/seed-5817661a/concur/tool/faulty"
)

func ExampleTool() {
	t := faulty.Tool{Inner: calc.Tool, Kinds: []faulty.Kind{faulty.Timeout}, Rate: 0.5}
	fmt.Println(t.Spec().Name, t.Spec().Pure)
	// Output: calc false
}
