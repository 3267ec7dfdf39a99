package datasets

import (
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/datasets/checks"
	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// testFields are the fields of a gold with tests. A mapping can set them; they are no columns of a table.
var testFields = []string{"tests", "language", "beside"}

// mappedFields are the fields that a mapping can set.
var mappedFields = slices.Concat(fieldNames, testFields)

// tests returns the check of a gold with tests; ok is false if the gold has no tests.
func (c *checker) tests(path string, e *record) (check checks.Check, ok bool) {
	r := &e.Gold
	at, given := r.Given["tests"]
	path = below(path, "gold")
	if !given {
		for _, field := range testFields {
			if at, alone := r.Given[field]; alone {
				c.fail(at, below(path, field), "has no meaning without tests: give tests, or remove it")
			}
		}
		return check, false
	}
	r.asCheck = true
	r.Tests = strings.ReplaceAll(r.Tests, "\r\n", "\n")
	if strings.TrimSpace(r.Tests) == "" {
		c.fail(at, below(path, "tests"), "is empty: name a file with tests, or write the tests on several lines")
	}
	if r.Language != "" {
		oneOf(c, r.Given["language"], path, "language", r.Language, checks.Python, checks.JavaScript)
	}
	suite := checks.Suite{Language: r.Language, Beside: r.Beside}
	return checks.Check{Kind: checks.Tests, Text: r.Tests, Suite: suite}, true
}

// onlyTests reports whether a gold has tests and no field that decides besides them.
func (r *goldRecord) onlyTests() bool {
	if !r.asCheck {
		return false
	}
	for field := range r.Given {
		if !slices.Contains(testFields, field) {
			return false
		}
	}
	return true
}

// linesOf joins the texts of a list, one a line, as MBPP has its tests.
func linesOf(list *yaml.Node) *yaml.Node {
	var parts []string
	for _, e := range list.Content {
		if e.Kind != yaml.ScalarNode {
			return list // an error in the decoder
		}
		parts = append(parts, e.Value)
	}
	return textNode(strings.Join(parts, "\n")+"\n", strictyaml.Pos{Line: list.Line, Column: list.Column})
}
