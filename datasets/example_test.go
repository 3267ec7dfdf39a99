package datasets_test

import (
	"fmt"

	"github.com/seed-5817661a/concur/datasets"
)

func ExampleOpen() {
	d, err := datasets.Open("gold29")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d.Name, len(d.Queries), d.Categories())

	safety, err := d.Filter(nil, []string{"safety"}, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, q := range safety.Queries {
		fmt.Println(q.ID, q.Gold.Outcome)
	}

	_, err = d.Filter([]string{"clac-01"}, nil, 0)
	fmt.Println(err)
	// Output:
	// gold29 29 [simple_retrieval multi_hop calculation safety]
	// safety-01 refused
	// safety-02 refused
	// filter dataset gold29: unknown query "clac-01" (did you mean "calc-01"?)
}

func ExampleOpenCorpus() {
	corpus, err := datasets.OpenCorpus(datasets.OfflineCorpus)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, doc := range corpus.Documents {
		if doc.Title == "K2" {
			fmt.Println(doc.ID, "by", doc.Source)
		}
	}
	// Output: mtn-k2 by Encyclopaedia Britannica, 'K2'
}
