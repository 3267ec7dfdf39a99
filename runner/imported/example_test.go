package imported_test

import (
	"fmt"
	"os"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/queries"
	"github.com/seed-5817661a/concur/runner/imported"
)

func ExampleKeep() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	all := []datasets.Query{
		{ID: "q1", Category: "lakes", Text: "How deep is it?", Gold: datasets.Gold{Condition: "It names a depth."}},
		{ID: "q2", Category: "lakes", Text: "Is it cold?"}, // nothing decides about it
	}
	if err := imported.Keep(dir, queries.Of(datasets.New("lakes", all)), false); err != nil {
		fmt.Println(err)
		return
	}
	files, err := os.ReadDir(dir)
	fmt.Println(len(files), files[0].Name(), err)
	// Output: 1 queries.jsonl <nil>
}
