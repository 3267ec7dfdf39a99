package starter_test

import (
	"fmt"
	"strings"

	"github.com/seed-5817661a/concur/cmd/concur/starter"
)

func ExampleTemplate() {
	workflow, err := starter.Template(starter.Workflow)
	fmt.Println(strings.Contains(string(workflow), "concur gate"), err)
	// Output: true <nil>
}
