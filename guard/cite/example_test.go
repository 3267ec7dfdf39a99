package cite_test

import (
	"fmt"

	"github.com/seed-5817661a/concur/guard/cite"
	"github.com/seed-5817661a/concur/trace"
)

func ExampleAudit() {
	docs := []trace.Document{{ID: "corpus_1", Title: "Eiffel Tower", Snippet: "The tower was built from 1887 to 1889 and is 330 metres tall.", Score: 0.8}}
	r := cite.Audit(cite.Input{
		Message:   "The tower was finished in 1889 [corpus_1]. It is 324 m tall [corpus_1].\nAnswer: 324 m\nReferences:\n[corpus_1] Eiffel Tower",
		Documents: docs,
		Query:     "How tall is the Eiffel Tower?",
	})
	fmt.Println(r.Grounded, r.Valid, "of", r.Citations)
	for _, p := range r.Problems {
		fmt.Println(p.Check, p.Level, p.Detail)
	}
	// Output:
	// false 2 of 2
	// C4 error the number "324 m" is neither in [corpus_1] nor calculated from numbers there
	// C4 error the number "324 m" is neither in any document that the message cites nor calculated from numbers there
}

func ExampleCited() {
	fmt.Println(cite.Cited("Paris [corpus_2] is larger than Lyon [corpus_3, corpus_2]; see note [1]."))
	// Output: [corpus_2 corpus_3]
}
