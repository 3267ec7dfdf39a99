package promptfoo_test

import (
	"fmt"

	"github.com/seed-5817661a/concur/datasets/promptfoo"
)

func ExampleRead() {
	read, err := promptfoo.Read("testdata/files/tests.csv", promptfoo.Options{
		Fields: map[string]string{"query": "vars.output"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(read.Count, len(read.Losses))
	// Output: 6 0
}
