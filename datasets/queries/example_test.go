package queries_test

import (
	"fmt"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/queries"
)

// The queries of a part are read one at a time; their ids are in memory.
func Example() {
	set, err := queries.Open("gold29", datasets.Part{Queries: []string{"calc-01", "calc-02"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer set.Close()
	fmt.Println(set.Len(), "of", set.Total)
	for q, err := range set.Queries() {
		fmt.Println(q.ID, q.Gold.Type, err)
	}
	// Output:
	// 2 of 29
	// calc-01 integer <nil>
	// calc-02 integer <nil>
}
