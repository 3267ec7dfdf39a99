package datasets

import (
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/datasets/resultset"
	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/trace"
)

type goldRecord struct {
	Type           string `yaml:"type"`
	Answer         string `yaml:"answer"`
	Aliases        []word `yaml:"aliases"`
	Tolerance      string `yaml:"tolerance"`
	answer.Options `yaml:",inline"`
	AllOf          []group    `yaml:"all_of"`
	NoneOf         []word     `yaml:"none_of"`
	Condition      string     `yaml:"condition"`
	Outcome        string     `yaml:"outcome"`
	Premise        bool       `yaml:"premise"`
	Holds          string     `yaml:"at"`
	Columns        []string   `yaml:"columns"`
	Rows           *yaml.Node `yaml:"rows"`
	SQL            string     `yaml:"sql"`
	Tool           string     `yaml:"tool"`
	proposed       bool       // the type was proposed from the answer and its aliases
	// Tests, Language and Beside have the same meaning as a check of the kind tests.
	Tests    string          `yaml:"tests"`
	Language string          `yaml:"language"`
	Beside   bool            `yaml:"beside"`
	asCheck  bool            // the record has the check
	At       strictyaml.Pos  `yaml:",pos"`
	Given    strictyaml.Keys `yaml:",keys"`
}

// word is an alias, a keyword or a tag with its place.
type word struct {
	text string
	at   strictyaml.Pos
}

// UnmarshalNode reads text.
func (w *word) UnmarshalNode(n *yaml.Node) error {
	w.at = strictyaml.Pos{Line: n.Line, Column: n.Column}
	return strictyaml.DecodeNode(n, &w.text)
}

// group is a list of keywords of which one is enough.
type group struct {
	words []word
	at    strictyaml.Pos
}

// UnmarshalNode reads text or a list of text.
func (g *group) UnmarshalNode(n *yaml.Node) error {
	g.at = strictyaml.Pos{Line: n.Line, Column: n.Column}
	if n.Kind == yaml.SequenceNode {
		return strictyaml.DecodeNode(n, &g.words)
	}
	g.words = make([]word, 1)
	return strictyaml.DecodeNode(n, &g.words[0])
}

// tidy gives the texts of a gold the same form for all kinds of files.
func (g *goldRecord) tidy() {
	for _, s := range []*string{&g.Answer, &g.Condition, &g.Holds, &g.SQL, &g.Tool} {
		*s = trimText(*s)
	}
	tidyWords(g.Aliases, g.NoneOf)
	for _, alternatives := range g.AllOf {
		tidyWords(alternatives.words)
	}
}

// isTable reports whether a gold has a field of tables or statements.
func (r *goldRecord) isTable() bool {
	return slices.ContainsFunc([]string{"rows", "columns", "sql"}, func(field string) bool {
		_, given := r.Given[field]
		return given
	})
}

// rows turns the rows of a gold into its answer, a table as JSON.
func (c *checker) rows(path string, r *goldRecord) {
	at, given := r.Given["rows"]
	if !given {
		if at, given := r.Given["columns"]; given {
			c.fail(at, below(path, "columns"), "has no meaning without rows: give rows, or remove it")
		}
		return
	}
	if _, answered := r.Given["answer"]; answered {
		c.fail(at, below(path, "rows"), "is given beside an answer: remove one of them")
		return
	}
	if t, typed := r.Given["type"]; typed && r.Type != string(answer.Table) {
		c.fail(t, below(path, "type"), "is %q, and a gold with rows has the type table", r.Type)
		return
	}
	table, err := tableOf(r.Columns, r.Rows)
	if err != nil {
		c.fail(at, below(path, "rows"), "%v", err)
		return
	}
	r.Answer, r.Type = table.JSON(), string(answer.Table)
	r.Given["answer"], r.Given["type"] = at, at
}

// tableOf returns the table of a list of rows in a file. A row that is a single value has one column.
func tableOf(columns []string, n *yaml.Node) (t resultset.Table, err error) {
	if n == nil || n.Kind != yaml.SequenceNode {
		return t, fmt.Errorf("is not a list of rows: write [[Ada, 3], [Bob, null]]")
	}
	rows := make([][]any, len(n.Content))
	for i, row := range n.Content {
		values := []*yaml.Node{row}
		if row.Kind == yaml.SequenceNode {
			values = row.Content
		}
		for _, value := range values {
			v, err := cellOf(value)
			if err != nil {
				return t, fmt.Errorf("row %d: %w", i+1, err)
			}
			rows[i] = append(rows[i], v)
		}
	}
	return resultset.Of(columns, rows)
}

// cellOf returns the value of a cell in a file: a text, a number in the form of JSON, a truth value or nil. A date
// without quotes is the text that is written.
func cellOf(n *yaml.Node) (any, error) {
	if n.Kind != yaml.ScalarNode {
		return nil, fmt.Errorf("a value is a list or an object: write text, a number, true, false or null")
	}
	switch n.ShortTag() {
	case "!!null":
		return nil, nil
	case "!!bool":
		return strings.EqualFold(n.Value, "true"), nil
	case "!!int", "!!float":
		if v, ok := resultset.Numeral(n.Value); ok {
			return v, nil
		}
		return nil, fmt.Errorf("%.40q is not a number of JSON: write it as 1234.5, or as text in quotes", n.Value)
	}
	return n.Value, nil
}

// statement returns the gold's statement.
func (c *checker) statement(path string, r *goldRecord) string {
	at, given := r.Given["sql"]
	if !given {
		if at, given := r.Given["tool"]; given {
			c.fail(at, below(path, "tool"), "has no meaning without sql: give sql, or remove it")
		}
		return ""
	}
	if r.SQL == "" {
		c.fail(at, below(path, "sql"), "is empty: write a SELECT")
	}
	for _, other := range []string{"answer", "rows", "type", "aliases", "tolerance", "ordered", "premise"} {
		if at, given := r.Given[other]; given {
			c.fail(at, below(path, other), "has no meaning beside sql, whose rows are the answer (their order counts if the "+
				"statement ends with ORDER BY): remove one")
			return r.SQL
		}
	}
	if r.Outcome != "" && r.Outcome != string(trace.Answered) {
		c.fail(r.Given["outcome"], below(path, "outcome"), "is %s, and the gold has sql: remove one of them", r.Outcome)
	}
	return r.SQL
}

func (c *checker) keywords(path string, r *goldRecord) {
	for i, alternatives := range r.AllOf {
		at := below(path, fmt.Sprintf("all_of[%d]", i))
		if len(alternatives.words) == 0 {
			c.fail(alternatives.at, at, "is an empty list, which no message can satisfy; give keywords or remove it")
		}
		for _, keyword := range alternatives.words {
			c.blank(keyword, at)
		}
	}
	for i, keyword := range r.NoneOf {
		c.blank(keyword, below(path, fmt.Sprintf("none_of[%d]", i)))
	}
}

func (c *checker) blank(keyword word, path string) {
	if strings.TrimSpace(keyword.text) == "" {
		c.fail(keyword.at, path, "is an empty keyword")
	}
}
