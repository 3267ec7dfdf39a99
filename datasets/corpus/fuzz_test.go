package corpus_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/seed-5817661a/concur/datasets/corpus"
)

func FuzzCorpus(f *testing.F) {
	for _, seed := range []string{
		"", "\n", "# a\nb\n## c\n", "<h1>a</h1><p hidden>b", "title,text\na,b\na,c\na,d\na-2,e\n", `{"title":"a","text":"b"}`, `{"id":"x","title":"a","text":"b"}` + "\n" + `{"id":"x","title":"a","text":"b"}`, `{"id":1e3,"title":"a","text":"b","more":[]}`, "null", "[",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, name := range []string{"f.jsonl", "f.md", "f.txt", "f.html", "f.csv"} {
			folder := fstest.MapFS{name: {Data: data}}
			c, err := corpus.Read(folder, "f", "f")
			if (c == nil) == (err == nil) {
				t.Fatalf("corpus %v with error %v", c, err)
			}
			if err != nil {
				continue
			}
			seen := map[string]bool{}
			for _, doc := range c.Documents {
				if seen[doc.ID] || strings.TrimSpace(doc.ID) == "" || strings.TrimSpace(doc.Title) == "" || strings.TrimSpace(doc.Text) == "" {
					t.Errorf("accepted %+v", doc)
				}
				seen[doc.ID] = true
			}
		}
	})
}
