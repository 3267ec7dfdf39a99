package datasets

import (
	"strings"
	"testing"
	"testing/fstest"
)

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"", "[]", "- {}", "- id: a\n  category: c\n  query: q\n  gold: {type: integer, answer: 010, tolerance: 1%}\n",
		"- {id: a, category: c, query: q, gold: {all_of: [x, [y, z]], none_of: [w]}}",
		"- {id: a, category: c, query: q, gold: {outcome: refused}}\n- {id: a, category: c, query: q, gold: {condition: x}}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := parse("f.yaml", "f", data)
		if (d == nil) == (err == nil) {
			t.Fatalf("dataset %v with error %v", d, err)
		}
		if err != nil {
			return
		}
		seen := map[string]bool{}
		for _, q := range d.Queries {
			if q.ID == "" || seen[q.ID] || q.Category == "" || q.Text == "" || q.Gold.Outcome == "" || q.Gold.Type == "" {
				t.Errorf("accepted %+v", q)
			}
			seen[q.ID] = true
		}
	})
}

func FuzzCorpus(f *testing.F) {
	for _, seed := range []string{
		"", "\n", `{"title":"a","text":"b"}`, `{"id":"x","title":"a","text":"b"}` + "\n" + `{"id":"x","title":"a","text":"b"}`, `{"id":1e3,"title":"a","text":"b","more":[]}`, "null", "[",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		folder := fstest.MapFS{"f.jsonl": {Data: data}}
		c, err := readFolder(folder, "f", "f")
		if (c == nil) == (err == nil) {
			t.Fatalf("corpus %v with error %v", c, err)
		}
		if err != nil {
			return
		}
		seen := map[string]bool{}
		for _, doc := range c.Documents {
			if seen[doc.ID] || strings.TrimSpace(doc.ID) == "" || strings.TrimSpace(doc.Title) == "" || strings.TrimSpace(doc.Text) == "" {
				t.Errorf("accepted %+v", doc)
			}
			seen[doc.ID] = true
		}
	})
}
