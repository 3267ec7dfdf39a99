package datasets_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/datasets"
)

const expecting = `
- id: a
  category: c
  query: q
  gold: {type: integer, answer: "1"}
  expects: {tools: [{name: calc, args: {x: 1, "on": "2024-03-05", deep: [1, {y: true}]}, match: superset}], order: in_order, forbidden: [rm]}
- id: b
  category: c
  query: q
  gold: {type: integer, answer: "1"}
  expects: {none: true}
`

// TestExpectsSurvivesEveryFormat writes and reads what is expected in each form of a file.
func TestExpectsSurvivesEveryFormat(t *testing.T) {
	d, err := datasets.Parse(strings.NewReader(expecting), datasets.YAML, "d")
	if err != nil {
		t.Fatal(err)
	}
	if e := d.Queries[0].Expects; e == nil || e.Order != datasets.OrderInOrder || len(e.Tools) != 1 || len(e.Tools[0].Args) != 3 || e.Forbidden[0] != "rm" {
		t.Fatalf("read %+v", e)
	}
	for _, f := range []datasets.Format{datasets.YAML, datasets.JSONL, datasets.CSV} {
		var file bytes.Buffer
		if err := d.Write(&file, f); err != nil {
			t.Fatal(err)
		}
		text := file.String()
		back, err := datasets.Parse(&file, f, "d")
		if err != nil {
			t.Fatalf("%s: %v\n%s", f, err, text)
		}
		if diff := cmp.Diff(d.Hash, back.Hash); diff != "" {
			t.Errorf("%s: %s\n%s", f, diff, text)
		}
	}
}

func TestWrongExpectations(t *testing.T) {
	for expects, want := range map[string]string{
		"{}":                                           "nothing to check: give tools, forbidden, or none: true",
		"{none: true, tools: [{name: a}]}":             "contradicts tools",
		"{tools: [{args: {x: 1}}]}":                    "name is missing",
		"{tools: [{name: a, match: near}]}":            `unknown match "near"`,
		"{tools: [{name: a}], forbidden: [a]}":         "a is both expected and forbidden",
		"{tools: [{name: a}], order: sorted}":          `unknown order "sorted"`,
		"{tools: [{name: a, arguments: {}}]}":          `unknown field "arguments"`,
		"{tools: [{name: a}], order: [exact]}":         "order",
		"{tools: [{name: a, args: [1]}], none: false}": "args",
	} {
		file := "- id: a\n  category: c\n  query: q\n  gold: {type: integer, answer: \"1\"}\n  expects: " + expects + "\n"
		if _, err := datasets.Parse(strings.NewReader(file), datasets.YAML, "d"); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "d:5:") {
			t.Errorf("%s: %v, want %q", expects, err, want)
		}
	}
}
