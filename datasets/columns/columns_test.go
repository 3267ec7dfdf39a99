package columns_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/datasets/columns"
)

var fields = []string{"id", "category", "query", "type", "answer", "max_steps", "tags", "source"}

func TestFind(t *testing.T) {
	for names, want := range map[string]string{
		"question,answer":             "query answer",
		"Question, Answer ":           "query answer",
		"input,target":                "query answer",
		"prompt,expected":             "query answer",
		"QUERY,Gold":                  "query answer",
		"instruction,output":          "query answer",
		"instruction,input,output":    "query query answer",
		"question,prompt,answer":      "query -(question) answer",
		"input,expected,output":       "query answer -(expected)",
		"Expected Answer,User-Input":  "answer query",
		"ID,Max Steps,notes,meta.tag": "id max_steps - -",
		"qestion,anwser,tga":          "-?question -?answer -",
		"question,answer,tag,sorce":   "query answer -?tags -?source",
		"_id,question,__expected":     "id query -?expected",
		"question,answer,answers":     "query answer -", // answer has a column
		"":                            "-",
	} {
		var got []string
		for _, c := range columns.Find(strings.Split(names, ","), fields) {
			s := c.Field
			if s == "" {
				s = "-"
			}
			if c.Instead != "" {
				s += "(" + c.Instead + ")"
			}
			if c.Near != "" {
				s += "?" + c.Near
			}
			got = append(got, s)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %s, want %s", names, strings.Join(got, " "), want)
		}
	}
}

func TestKey(t *testing.T) {
	for name, want := range map[string]string{"level": "level", "meta.level": "level", " Level ": "Level"} {
		if got := (columns.Column{Name: name}).Key(); got != want {
			t.Errorf("%q is kept as %q, want %q", name, got, want)
		}
	}
}

func ExampleFind() {
	for _, c := range columns.Find([]string{"Question", "target", "level"}, []string{"query", "answer"}) {
		fmt.Printf("%s: %q\n", c.Name, c.Field)
	}
	// Output:
	// Question: "query"
	// target: "answer"
	// level: ""
}
