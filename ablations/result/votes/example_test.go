package votes_test

import (
	"fmt"

	"github.com/seed-5817661a/concur/ablations/result/votes"
	"github.com/seed-5817661a/concur/internal/stats"
)

func ExamplePatterns() {
	var patterns votes.Patterns
	for range 2 { // two queries on which two of three traces are right
		patterns.Add(votes.Pattern{
			Item:  stats.Item{Classes: []stats.Class{{Votes: 1}, {Votes: 2, Right: 2}}},
			Ruled: 3, Right: 2,
		})
	}
	for _, p := range patterns.All() {
		fmt.Println(p.Queries, "queries:", p.Item.Classes)
	}
	// Output: 2 queries: [{2 2} {1 0}]
}
