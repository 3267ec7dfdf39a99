package delegate_test

import (
	"fmt"

	"github.com/seed-5817661a/concur/runner/agent/delegate"
)

func ExampleTool_Spec() {
	spec := delegate.Tool{Name: "researcher", Prompt: "Look things up."}.Spec()
	fmt.Println(spec.Name, spec.Agent)
	fmt.Println(spec.Description)
	// Output:
	// researcher true
	// Hands a task to another agent, which has no tools, and gives back its answer. It knows nothing but task and context. Its instructions begin: Look things up.
}
