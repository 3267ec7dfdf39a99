package datasets

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/datasets/columns"
	"github.com/seed-5817661a/concur/datasets/promptfoo"
	"github.com/seed-5817661a/concur/datasets/table"
	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// These constants limit the rows and bytes that are read ahead in a table whose numbers may have decimal
// commas. Reading ahead is necessary, because only the whole column shows whether a comma is a decimal comma.
const (
	mostHeldRows  = 100_000
	mostHeldBytes = 64 << 20
)

// csv reads a header and then one query per row. It keeps one row in memory, unless a column may have decimal
// commas. If a cell is blank, the query does not have the field. Blank rows are skipped.
func (l *loader) csv(r io.Reader) error {
	t, err := table.New(r, func(name string) bool { return columns.Known(name, fieldNames) })
	if err != nil {
		return l.adopt(err)
	}
	l.table, l.flat = true, true
	if form := t.Form.String(); form != "" {
		l.notes.Fact("%s", form)
	}
	header, at, err := t.Row()
	switch {
	case errors.Is(err, io.EOF):
		l.fail(strictyaml.Pos{}, "", "the file is empty; it needs a row with the names of the columns")
		return nil
	case err != nil:
		return l.adopt(err)
	}
	separators := map[rune]string{',': "commas", ';': "semicolons", '\t': "tabs"}
	rows := tableRows{loader: l, separator: separators[t.Separator], header: header}
	if rows.columns = l.columns(header, at); rows.columns == nil {
		if cells, at, err := t.Row(); err == nil {
			l.recognise(rawRow(header, cells, at))
		}
		return nil
	}
	rows.expected = slices.ContainsFunc(rows.columns, func(c columns.Column) bool { return c.Field == promptfooField })
	rows.numbers = rows.numberColumn(t.Separator)
	for l.failed == nil {
		row, at, err := t.Row()
		switch {
		case errors.Is(err, io.EOF):
			rows.release()
			return nil
		case err != nil:
			rows.release()
			return l.adopt(err)
		}
		rows.take(row, at)
	}
	return nil
}

// adopt adds an error about a table to the loader's errors, with its place. It returns any other error.
func (l *loader) adopt(err error) error {
	if found, is := errors.AsType[*strictyaml.Error](err); is {
		l.fail(strictyaml.Pos{Line: found.Line, Column: found.Column}, found.Path, "%s", found.Message)
		return nil
	}
	return err
}

// columns returns the meaning of the header's columns. If a mapping has a source other than Value, all names stay as
// they are, because the mapping gives them their meaning later. In all other cases, columns recognises concur's names,
// and names that are usual in other programs. It returns nil if it reported an error in the header.
func (l *loader) columns(header []string, at []strictyaml.Pos) []columns.Column {
	before := len(l.errs)
	found := make([]columns.Column, len(header))
	foreign := l.remap != nil && l.remap.foreign
	if l.remap != nil {
		l.remap.header(header)
	}
	for i, name := range header {
		found[i] = columns.Column{Name: name, Field: name}
		switch first := slices.Index(header, name); {
		case !utf8.ValidString(name):
			l.fail(at[i], "", notUTF8)
		case first < i && strings.TrimSpace(name) != "":
			l.fail(at[i], "", "duplicate column %.60q, first is column %d; rename one", name, first+1)
		}
	}
	if !foreign {
		found = l.layout(header, func(i int) strictyaml.Pos { return at[i] }, nil)
	}
	if len(l.errs) > before {
		return nil
	}
	return found
}

// notUTF8 is the error for text in another encoding, such as that of older Windows programs.
const notUTF8 = `this is not UTF-8; save the file as UTF-8, in Excel as "CSV UTF-8"`

// csvTurns is the error for a conversation in a table.
const csvTurns = "a table cannot hold the turns of a conversation: write the dataset as .yaml or .jsonl"

// csvPremise is the error for a premise in a table.
const csvPremise = "a table cannot say whether the premise of a question is false: write the dataset as .yaml or .jsonl"

// unheld returns an error text for a cell of a field that a table cannot hold, such as turns. It returns "" for
// other cells.
func unheld(column, cell string) string {
	column, cell = strings.ToLower(strings.TrimSpace(column)), strings.ToLower(strings.TrimSpace(cell))
	switch {
	case column == "turns" && strings.HasPrefix(cell, "["):
		return csvTurns
	case column == "premise" && (cell == "true" || cell == "false"): // other files have a text of this name
		return csvPremise
	}
	return ""
}

// tableRows turns the rows of a table into records.
type tableRows struct {
	*loader
	separator string
	header    []string
	columns   []columns.Column
	expected  bool // a column has assertions of promptfoo
	numbers   int  // index of the column that may have decimal commas, or -1
	commas    table.Commas
	waiting   []tableRow
	bytes     int
}

type tableRow struct {
	cells []string
	at    []strictyaml.Pos
}

// numberColumn returns the index of the answer column if numbers in this column may have decimal commas. It
// returns -1 if commas separate the cells of the table, and if the file gives types or locales.
func (r *tableRows) numberColumn(separator rune) int {
	if separator == ',' {
		return -1
	}
	answers := -1
	for i, c := range r.columns {
		switch {
		case c.Field == "type", c.Field == "locale": // the file itself states types or locales
			return -1
		case c.Field == "answer":
			answers = i
		}
	}
	if m := r.remap; m != nil && hasField(m, "locale") {
		return -1
	}
	if m := r.remap; m != nil && m.foreign {
		if _, typed := m.from["type"]; typed {
			return -1
		}
		answers = slices.Index(r.header, m.from["answer"].Field)
	}
	return answers
}

// take reads a row. While the meaning of commas in the number column is not yet known, it keeps the row for
// later.
func (r *tableRows) take(cells []string, at []strictyaml.Pos) {
	// Spreadsheets add empty cells to the end of short rows. But a row can also have a sentence with an
	// unquoted comma. Then the cell after the comma begins with a space, and the empty last cell is a real one.
	if !slices.ContainsFunc(cells, beginsWithSpace) {
		for n := len(cells); n > len(r.columns) && strings.TrimSpace(cells[n-1]) == ""; n = len(cells) {
			cells, at = cells[:n-1], at[:n-1]
		}
	}
	switch {
	case slices.Equal(cells, r.header):
		r.notes.Doubt("line %d repeats the header, so it is skipped", at[0].Line)
		return
	case len(cells) != len(r.columns):
		before := len(r.errs)
		if len(cells) < len(r.columns) {
			r.fail(at[0], "", "cells are missing: the row has %d and the header %d; add the missing ones, empty if need be",
				len(cells), len(r.columns))
		} else {
			r.fail(at[0], "", "the row has %d cells and the header %d; quote cells with %s in them",
				len(cells), len(r.columns), r.separator)
		}
		r.records++
		r.leave(before)
		return
	case r.numbers < 0:
		r.row(cells, at)
		return
	}
	r.commas.See(cells[r.numbers])
	r.waiting = append(r.waiting, tableRow{cells, at})
	for _, cell := range cells {
		r.bytes += len(cell)
	}
	if len(r.waiting) >= mostHeldRows || r.bytes > mostHeldBytes {
		r.release()
	}
}

// beginsWithSpace reports whether a cell with text begins with a space.
func beginsWithSpace(cell string) bool {
	return strings.HasPrefix(cell, " ") && strings.TrimSpace(cell) != ""
}

// release processes the rows that were kept.
func (r *tableRows) release() {
	pointed := r.numbers >= 0 && r.commas.Decimal()
	if pointed {
		r.notes.Fact("decimal commas")
	}
	for _, row := range r.waiting {
		if pointed {
			row.cells[r.numbers] = table.Pointed(row.cells[r.numbers])
		}
		r.row(row.cells, row.at)
	}
	r.waiting, r.bytes = nil, 0
}

// row returns a record with the cells that are not blank.
func (r *tableRows) row(cells []string, at []strictyaml.Pos) {
	if r.records == 0 {
		r.recognise(rawRow(r.header, cells, at))
	}
	n := mappingNode(at[0])
	foreign := r.remap != nil && r.remap.foreign
	for i, cell := range cells {
		c := r.columns[i]
		switch {
		case !utf8.ValidString(cell):
			before := len(r.errs)
			r.fail(at[i], c.Name, notUTF8)
			r.records++
			r.leave(before)
			return
		case strings.TrimSpace(cell) == "" || strings.TrimSpace(c.Name) == "" || c.Field == promptfooField:
			continue
		case unheld(c.Name, cell) != "":
			before := len(r.errs)
			r.fail(at[i], c.Name, "%s", unheld(c.Name, cell))
			r.records++
			r.leave(before)
			return
		case foreign:
			n.Content = append(n.Content, textNode(c.Name, at[i]), cellNode(c.Name, textNode(cell, at[i])))
		default:
			addColumn(n, c, at[i], cellNode(c.Field, textNode(cell, at[i])))
		}
	}
	if r.expected && len(n.Content) > 0 && !r.assertions(n, cells, at[0]) {
		return
	}
	if len(n.Content) > 0 {
		r.record("", n)
	}
}

// assertions adds the checks and the condition of a row that has assertions of promptfoo. It returns false if
// it could not read them.
func (r *tableRows) assertions(n *yaml.Node, cells []string, at strictyaml.Pos) bool {
	list, condition, err := promptfoo.Row(r.header, cells)
	if err != nil {
		before := len(r.errs)
		r.fail(at, promptfoo.Expected, "%v; --mapping promptfoo leaves it out", err)
		r.records++
		r.leave(before)
		return false
	}
	if len(list) > 0 {
		raw, err := json.Marshal(list)
		if err != nil { // checks that were read from a file have a JSON form
			r.fail(at, promptfoo.Expected, "%v", err)
			return false
		}
		n.Content = append(n.Content, textNode(checksField, at), cellNode(checksField, textNode(string(raw), at)))
	}
	if condition != "" {
		n.Content = append(n.Content, textNode("condition", at), textNode(condition, at))
	}
	return true
}

// textNode returns a node of type text, even if the text looks like another type.
func textNode(s string, at strictyaml.Pos) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s, Line: at.Line, Column: at.Column}
}
