package kinds_test

import (
	"fmt"

	"github.com/seed-5817661a/concur/runner/assemble/kinds"
	"github.com/seed-5817661a/concur/runner/config"
)

// The questions of sql60 are about three databases.
func Example() {
	conf := kinds.DefaultsFor("sql60")
	fmt.Println(kinds.Names(conf))

	_, err := kinds.Read("notes", config.DeclaredTool{Settings: map[string]any{"folder": "docs", "colour": "red"}}, nil)
	fmt.Println(err)
	// Output:
	// [bakery bakery_schema library library_schema railway railway_schema]
	// tools.notes.colour: unknown field "colour" (known: folder, about, top_n, similarity_threshold, keywords_similarity_weight, embeddings, empty_response)
}
