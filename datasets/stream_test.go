package datasets_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/datasets"
)

// A stream gives each query, and each fault with its place, in the order of the file.
func TestStream(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"a.jsonl": {`{"question": "A?", "answer": "1"}
{"question": "B?", "answer"
{"question": "C?", "answer": "3"}
{"id": "q-0001", "question": "D?", "answer": "4"}
{"id": "no id", "question": "E?", "answer": "5", "max_steps": 0}
{"title": "F?", "answer": "5"}
{"title": "G?", "answer": "5"}
{"id": "h", "question": "H?", "answer": "8"}
`, `A?
FILE:2:28: not JSON: it ends too early: close what is open, such as a bracket or a quotation mark
C?
FILE:4:8: id: duplicate id "q-0001", first on line 1
FILE:5:8: id: "no id" is not a valid id: use at most 100 of A-Z a-z 0-9 . _ -
FILE:5:63: max_steps: is 0; give at least 1, or leave it out
FILE:6:2: no field has the query; there are title, answer; name it query or question
FILE:7:1: cannot be read, because its fields have the names of an earlier record with this error
H?
`},
		"b.csv": {"question,answer\nA?,1\nB?,2,3\nC?,3\nD?,\nE?,\xff\nF?,6\n", `A?
FILE:3:1: the row has 3 cells and the header 2; quote cells with commas in them
C?
FILE:5:1: nothing to check: give an answer, keywords (all_of, none_of), a condition, premise false, or outcome refused or abstained
FILE:6:4: answer: this is not UTF-8; save the file as UTF-8, in Excel as "CSV UTF-8"
F?
`},
		"c.yaml": {`- {id: a, category: x, query: "A?", gold: {answer: "1"}}
- {id: b, category: x, query: "B?", gold: {answer: [1]}}
- {id: c, category: x, query: "C?", gold: {answer: "3"}}
`, `A?
FILE:2:52: [1].gold.answer: expected text (in quotes if it is empty or the word null), found a list
C?
`},
		"d.json": {`[{"question": "A?", "answer": "1"}, {"question": "B?", "answer": {}}, 7]`, `A?
FILE:1:66: [1].gold.answer: expected text (in quotes if it is empty or the word null), found a mapping
FILE:1:71: [2]: expected a mapping (name: value), found the number 7
`},
		"e.csv":  {"a,b\n1,2\n", "FILE:1:1: no column has the query; there are a, b; name it query or question\n"},
		"f.yaml": {"", "FILE: the file is empty\n"},
	} {
		path := writeFile(t, name, c.text)
		var got strings.Builder
		for q, err := range datasets.Stream(path) {
			if err != nil {
				line, _, _ := strings.Cut(err.Error(), ", or map it: ")
				fmt.Fprintln(&got, strings.ReplaceAll(line, path, "FILE"))
				continue
			}
			got.WriteString(q.Text + "\n")
			if q.Text == "C?" && q.ID != "q-0003" && q.ID != "c" {
				t.Errorf("%s: the third query has the id %s, although an error is before it", name, q.ID)
			}
		}
		if diff := cmp.Diff(c.want, got.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A stream is a dataset, and ends where its reader stops.
func TestStreamIsTheDataset(t *testing.T) {
	d, err := datasets.Open("gold29")
	if err != nil {
		t.Fatal(err)
	}
	var all []datasets.Query
	for q, err := range datasets.Stream("gold29") {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, q)
	}
	if got := datasets.New("gold29", all); got.Hash != d.Hash {
		t.Errorf("the stream has the hash %s, the dataset %s", got.Hash, d.Hash)
	}
	for _, name := range []string{"a.jsonl", "a.csv", "a.yaml", "a.json"} {
		text := map[string]string{
			".jsonl": "{\"question\":\"A?\",\"answer\":\"1\"}\n{\"question\"\n",
			".csv":   "question,answer\nA?,1\nB?\n",
			".yaml":  "- {question: \"A?\", answer: \"1\"}\n- 7\n",
			".json":  `[{"question":"A?","answer":"1"}, 7]`,
		}[filepath.Ext(name)]
		n := 0
		for _, err := range datasets.Stream(writeFile(t, name, text)) {
			if n++; err != nil || n > 1 {
				t.Errorf("%s: query %d after the reader stopped: %v", name, n, err)
			}
			break
		}
	}
}

// A large file with an error is refused without reading the rest, and keeps no queries.
func TestLoadStops(t *testing.T) {
	path := filepath.Join(t.TempDir(), "large.jsonl")
	var text strings.Builder
	for i := range 150_000 {
		fmt.Fprintf(&text, `{"id":"q%d","category":"c","query":"Q?","gold":{"outcome":"refused"}}`+"\n", i)
		if i == 9 {
			text.WriteString("{\"id\"\n")
		}
	}
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := datasets.Load(path)
	want := path + ":11:6: not JSON: it ends too early: close what is open, such as a bracket or a quotation mark\n" + path +
		": record 100011 is the last one that was read; correct these errors first"
	if err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
}
