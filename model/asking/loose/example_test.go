package loose_test

import (
	"fmt"

	"github.com/seed-5817661a/concur/model/asking/loose"
)

func ExampleObjects() {
	objects, err := loose.Objects("They mean the same: {'Equivalent': True,}<end_of_turn>")
	fmt.Println(string(objects[0].Fields["equivalent"]), err)
	// Output: true <nil>
}
