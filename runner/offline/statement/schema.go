package statement

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kljensen/snowball/english"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/value"
)

// Table describes a table, in the form in which the tool for a database's schema returns it.
type Table struct {
	Name    string   `json:"name"`
	Columns []Column `json:"columns"`
	Links   []string `json:"links"` // references such as "customer → customers.id"
	Rows    [][]any  `json:"rows"`  // some rows
}

// Column describes a column.
type Column struct {
	Name string `json:"name"`
	Type string `json:"type"` // in lower case, as SQLite or a server names it
}

// table is a table with the meanings of its names.
type table struct {
	name    string
	concept string
	columns []*column
}

// column is a column with the meaning of its name.
type column struct {
	of      *table
	name    string
	numeric bool
	date    bool // dates, or numbers of years
	flag    bool // yes or no
	id      bool
	words   []string    // of its name, in lower case
	parts   []string    // concepts of the words, without those of tables and units
	unit    *value.Unit // the last word of the name, if it is a unit
}

// link is a reference from one column to another.
type link struct{ from, to *column }

type schema struct {
	tables []*table
	links  []link
}

var (
	plainName = lazy.Compile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	nameWords = lazy.Compile(`[A-Z]?[a-z]+|[A-Z]+|[0-9]+`)
	dayForm   = lazy.Compile(`^\d{4}-\d{2}-\d{2}`)
)

// concept returns the meaning of a word: its family, or its stem.
func concept(word string) string {
	if w, known := vocabulary()[word]; known && w.role == "family" {
		return w.more
	}
	return english.Stem(word, true)
}

func newSchema(tables []Table) *schema {
	s := &schema{}
	for _, t := range tables {
		words := nameWords.FindAllString(t.Name, -1)
		if len(words) == 0 || len(t.Columns) == 0 {
			continue
		}
		made := &table{name: t.Name, concept: concept(strings.ToLower(words[len(words)-1]))}
		for i, c := range t.Columns {
			made.columns = append(made.columns, newColumn(made, c, t.Rows, i))
		}
		s.tables = append(s.tables, made)
	}
	for _, t := range s.tables {
		for _, c := range t.columns {
			c.parts = slices.DeleteFunc(c.parts, func(p string) bool { return s.table(p) != nil })
		}
	}
	for _, t := range tables {
		for _, l := range t.Links {
			s.declared(t.Name, l)
		}
	}
	s.infer()
	return s
}

func newColumn(of *table, c Column, rows [][]any, at int) *column {
	out := &column{of: of, name: c.Name, numeric: holdsNumbers(c.Type)}
	words := nameWords.FindAllString(c.Name, -1)
	for i, w := range words {
		w = strings.ToLower(w)
		out.words = append(out.words, w)
		if u, is := value.ParseUnit(w); is && i > 0 && i == len(words)-1 && w != "in" {
			out.unit = &u
			continue
		}
		if w == "id" {
			out.id = true
			continue
		}
		out.parts = append(out.parts, concept(w))
	}
	filled, days, flags, years := 0, 0, 0, 0
	for _, row := range rows {
		if at >= len(row) || row[at] == nil {
			continue
		}
		filled++
		cell := strings.ToLower(fmt.Sprint(row[at]))
		days += count(dayForm.MatchString(cell))
		flags += count(cell == "yes" || cell == "no")
		years += count(len(cell) == 4 && (cell[0] == '1' || cell[0] == '2'))
	}
	out.date = filled > 0 && (days == filled || years == filled && out.numeric)
	out.flag = filled > 0 && flags == filled
	return out
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

// table returns the table that a concept names, or nil.
func (s *schema) table(concept string) *table {
	for _, t := range s.tables {
		if t.concept == concept {
			return t
		}
	}
	return nil
}

var declaredLink = lazy.Compile(`^(.+) → (.+)\.(.+)$`)

// declared adds a reference of a table that the database declares.
func (s *schema) declared(name, written string) {
	m := declaredLink.FindStringSubmatch(written)
	if m == nil {
		return
	}
	for _, t := range s.tables {
		for _, other := range s.tables {
			from, to := t.column(m[1]), other.column(m[3])
			if t.name == name && other.name == m[2] && from != nil && to != nil {
				s.links = append(s.links, link{from, to})
			}
		}
	}
}

// infer adds the references of tables without declared keys: a column that has the name of another table's first
// column, and ends in id.
func (s *schema) infer() {
	for _, t := range s.tables {
		for _, other := range s.tables {
			if t == other || len(other.columns) == 0 || !other.columns[0].id {
				continue
			}
			to := other.columns[0]
			from := t.column(to.name)
			if from != nil && !slices.Contains(s.links, link{from, to}) && s.home(to) == other {
				s.links = append(s.links, link{from, to})
			}
		}
	}
}

// home returns the table that a column identifies. If several tables begin with a column of this name, it is the one
// that the name mentions, such as customers for customer_id.
func (s *schema) home(c *column) *table {
	for _, w := range nameWords.FindAllString(c.name, -1) {
		if t := s.table(concept(strings.ToLower(w))); t != nil {
			return t
		}
	}
	return c.of
}

func (t *table) column(name string) *column {
	for _, c := range t.columns {
		if strings.EqualFold(c.name, name) {
			return c
		}
	}
	return nil
}

// label returns the column that names a row: the first with texts.
func (t *table) label() *column {
	for _, c := range t.columns {
		if !c.numeric && !c.id && !c.date {
			return c
		}
	}
	return nil
}

// path returns the references that connect two tables: the shortest chain, or nil.
func (s *schema) path(from, to *table) []link {
	type way struct {
		at    *table
		links []link
	}
	seen, open := map[*table]bool{from: true}, []way{{at: from}}
	for len(open) > 0 {
		w := open[0]
		open = open[1:]
		if w.at == to {
			return w.links
		}
		for _, l := range s.links {
			for _, next := range []link{l, {l.to, l.from}} {
				if next.from.of == w.at && !seen[next.to.of] {
					seen[next.to.of] = true
					open = append(open, way{next.to.of, append(slices.Clone(w.links), next)})
				}
			}
		}
	}
	return nil
}

// identifier writes a name for SQL.
func identifier(name string) string {
	if plainName.MatchString(name) {
		return name
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

func (c *column) sql() string { return identifier(c.of.name) + "." + identifier(c.name) }

// quoted writes a text for SQL.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// numericTypes are the first words of the names of types for numbers, in SQLite, PostgreSQL and MySQL.
var numericTypes = []string{"integer", "int", "tinyint", "smallint", "mediumint", "bigint", "int2", "int4", "int8",
	"real", "float", "float4", "float8", "double", "numeric", "decimal"}

// holdsNumbers reports whether a column of a type has numbers, such as decimal(10,2) and double precision.
func holdsNumbers(kind string) bool {
	word, _, _ := strings.Cut(kind, " ")
	word, _, _ = strings.Cut(word, "(")
	return slices.Contains(numericTypes, word)
}
