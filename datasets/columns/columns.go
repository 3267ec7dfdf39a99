// Package columns finds out which columns or keys of a file hold the fields of a query, by their names. It
// ignores case, and knows names that other programs use; they are listed in names.tsv. Package datasets
// interprets the fields.
package columns

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/internal/text"
)

//go:embed names.tsv
var table string

// others returns the names that other programs use for each field, the preferred ones first.
var others = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	for _, row := range text.Rows(table, 2) {
		out[row[0]] = strings.Fields(row[1])
	}
	return out
})

// Others returns the names that other programs use for a field, the preferred ones first.
func Others(field string) []string { return slices.Clone(others()[field]) }

// Meta is the prefix of the names of metadata.
const Meta = "meta."

// Column is the meaning of a column of a file.
type Column struct {
	Name  string // name in the file
	Field string // field of a query; "" for metadata
	// Instead is the column that is used for the field that this column could also hold; "" if there is no such
	// column.
	Instead string
	// Near is a name of a field that Name may be a misspelling of; "" if no name is similar.
	Near string
}

// Key returns the name under which metadata is kept.
func (c Column) Key() string { return strings.TrimPrefix(strings.TrimSpace(c.Name), Meta) }

// Find returns the meaning of each name of a file. A field has at most one column, except query: an instruction
// and its input are two columns of it.
func Find(names, fields []string) []Column {
	out := make([]Column, len(names))
	folded := make([]string, len(names))
	for i, name := range names {
		out[i].Name, folded[i] = name, fold(name)
	}
	for _, field := range fields {
		of := -1
		for _, known := range append([]string{field}, others()[field]...) {
			for i := range folded {
				switch {
				case folded[i] != known || out[i].Field != "" ||
					folded[i] != field && slices.Contains(fields, folded[i]):
				case of < 0:
					of, out[i].Field = i, field
				case field == "query" && folded[of] == "input" && folded[i] == "instruction":
					out[i].Field = field
				default:
					out[i].Instead = names[of]
				}
			}
		}
	}
	for i := range out {
		if out[i].Field == "" && out[i].Instead == "" && !strings.HasPrefix(folded[i], Meta) {
			out[i].Near = near(folded[i], out, fields)
		}
	}
	return out
}

// near returns the name of a field that has no column and that name may misspell; "" if no name is similar.
func near(name string, all []Column, fields []string) string {
	var known []string
	for _, field := range fields {
		if !slices.ContainsFunc(all, func(c Column) bool { return c.Field == field }) {
			known = append(append(known, field), others()[field]...)
		}
	}
	return strictyaml.Closest(name, known)
}

// fold returns a name in lower case with _ between its words. Names that begin with two _ have their own
// meaning, such as __expected of promptfoo.
func fold(name string) string {
	if strings.HasPrefix(name, "__") {
		return name
	}
	return strings.Join(strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return r == ' ' || r == '_' || r == '-' || r == '\t' || r == '\u00a0'
	}), "_")
}

// Known reports whether a name, in any case, is one of the fields, or a name that other programs use for one.
func Known(name string, fields []string) bool {
	name = fold(name)
	return slices.Contains(fields, name) || slices.ContainsFunc(fields, func(field string) bool {
		return slices.Contains(others()[field], name)
	})
}
