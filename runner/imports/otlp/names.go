package otlp

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

//go:embed names.tsv
var namesTable string

//go:embed kinds.tsv
var kindsTable string

// numbered ends the name of attributes with numbers, such as llm.input_messages.*.
const numbered = ".*"

// kind says what a span describes.
type kind uint8

const (
	otherKind kind = iota
	agentKind
	workflowKind
	modelKind
	toolKind
	retrievalKind
)

var kindNames = map[string]kind{
	"other": otherKind, "agent": agentKind, "workflow": workflowKind, "model": modelKind, "tool": toolKind,
	"retrieval": retrievalKind,
}

// kindRow is a row of kinds.tsv.
type kindRow struct {
	attribute, value string
	kind             kind
}

// names is the content of the tables.
type names struct {
	fields   map[string][]string // attributes by field, the first one first
	exact    map[string]bool     // attributes that are kept
	prefixes []string            // beginnings of attributes with numbers that are kept, with the dot
	kinds    []kindRow
}

// rowsOf returns the rows of a table.
func rowsOf(table string) (out [][]string) {
	for line := range strings.Lines(table) {
		if !strings.HasPrefix(line, "#") {
			out = append(out, strings.Split(strings.TrimRight(line, "\r\n"), "\t"))
		}
	}
	return out
}

var table = sync.OnceValue(func() names {
	out := names{fields: map[string][]string{}, exact: map[string]bool{}}
	for _, row := range rowsOf(namesTable) {
		out.fields[row[0]] = append(out.fields[row[0]], row[1])
		if prefix, is := strings.CutSuffix(row[1], "*"); is {
			out.prefixes = append(out.prefixes, prefix)
		} else {
			out.exact[row[1]] = true
		}
	}
	for _, row := range rowsOf(kindsTable) {
		out.kinds = append(out.kinds, kindRow{row[0], row[1], kindNames[row[2]]})
		out.exact[row[0]] = true
	}
	return out
})

// keeps reports whether an attribute is needed.
func (n names) keeps(name string) bool {
	return n.exact[name] || slices.ContainsFunc(n.prefixes, func(p string) bool { return strings.HasPrefix(name, p) })
}

// kindOf returns the kind of a span with these attributes.
func (n names) kindOf(attributes map[string]any) kind {
	for _, row := range n.kinds {
		value, has := attributes[row.attribute]
		if has && (row.value == "*" || strings.EqualFold(textOf(value), row.value)) {
			return row.kind
		}
	}
	return otherKind
}
