package resultset_test

import (
	"fmt"

	"github.com/seed-5817661a/concur/datasets/resultset"
)

func Example() {
	gold, _ := resultset.Parse(`[["Ada", 29.5], ["Bob", null]]`)
	have, _ := resultset.Parse("| who | spent |\n|---|---:|\n| Bob | |\n| Ada | 29.50 |")
	fmt.Println(resultset.Difference(have, gold, false) == "")
	fmt.Println(resultset.Difference(have, gold, true))
	// Output:
	// true
	// row 1 is ["Bob",null], and the gold's is ["Ada",29.5]
}
