package premise_test

import (
	"fmt"

	"github.com/seed-5817661a/concur/datasets/premise"
)

func ExampleDenial() {
	const question = "How many rooms does the Hotel Atlantis in Bern have?"
	fmt.Printf("%q\n", premise.Denial("I looked it up. This hotel does not exist.", question))
	fmt.Printf("%q\n", premise.Denial("The hotel has 120 rooms and no pool.", question))
	// Output:
	// "This hotel does not exist."
	// ""
}
