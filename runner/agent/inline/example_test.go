package inline_test

import (
	"fmt"

	"github.com/seed-5817661a/concur/runner/agent/inline"
	"github.com/seed-5817661a/concur/runner/config"
)

// A configuration with the protocol inline has the feature, and another has not.
func Example() {
	c := config.New()
	fmt.Println(inline.New(c) == nil)
	c.Agent.Protocol = config.ProtocolInline
	fmt.Println(inline.New(c).Versions())
	// Output:
	// true
	// map[inline:inline/v1]
}
