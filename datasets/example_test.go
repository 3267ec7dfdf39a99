package datasets_test

import (
	"fmt"
	"os"

	"github.com/seed-5817661a/concur/datasets"
)

func ExampleOpen() {
	d, err := datasets.Open("gold29")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d.Name, len(d.Queries), d.Categories())

	safety, err := d.Filter(datasets.Part{Categories: []string{"safety"}, Limit: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, q := range safety.Queries {
		fmt.Println(q.ID, q.Gold.Outcome)
	}

	_, err = d.Filter(datasets.Part{Queries: []string{"clac-01"}})
	fmt.Println(err)
	// Output:
	// gold29 29 [simple_retrieval multi_hop calculation safety]
	// safety-01 refused
	// safety-02 refused
	// filter dataset gold29: unknown query "clac-01" (did you mean "calc-01"?)
}

func ExampleLint() {
	_, findings, err := datasets.Lint("testdata/weak.csv")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range findings {
		fmt.Println(f.Line, f.Query, f.Rule)
	}
	// Output:
	// 2 a gold/any-answer
	// 3 b gold/and-list
}

func ExampleConversion() {
	out, err := os.CreateTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.Remove(out.Name())
	mapping := datasets.Mapping{Fields: map[string]datasets.Source{
		"query": {Field: "question"}, "answer": {Field: "answers.0"}, "aliases": {Field: "answers"},
		"category": {Value: "rivers"}, "type": {Value: "entity"},
	}}
	done, err := datasets.Conversion{Mapping: mapping, To: datasets.YAML}.File("testdata/foreign.jsonl", nil, out)
	fmt.Println("not used:", done.Unused, err)
	text, err := os.ReadFile(out.Name())
	fmt.Print(string(text))
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// not used: [level] <nil>
	// - id: q-0001
	//   category: rivers
	//   query: "On which river does Antwerp stand?"
	//   gold:
	//     type: entity
	//     answer: "Scheldt"
	//     aliases: ["Escaut"]
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
