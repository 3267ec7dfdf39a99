package ranking_test

import (
	"fmt"

	"github.com/seed-5817661a/concur/runner/agent/ranking"
)

func Example() {
	r := ranking.Request{
		Task: "ranking", Label: "memories",
		Instructions: `Name the numbers of the memories that help, the most useful first: {"ranks": [2, 1]}`,
		Texts:        []string{"The user likes tea.", "The user's barber is Ned."},
	}
	// A feature calls ranking.Ask(ctx, s, r).
	fmt.Println(len(r.Texts), r.Label)
	// Output: 2 memories
}
