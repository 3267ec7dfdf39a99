package document

import (
	"iter"
	"slices"
)

// Column describes a column of a table for every format. A column for people has a Header or a Heading, and one of Show
// and Text. A column for programs has a Name and a Value. A column can be for both.
type Column[R any] struct {
	Header  string           // above the column; may have line breaks
	Heading RichText         // in place of Header, if it quotes text from other sources
	Show    func(R) string   // a figure for people, aligned to the right
	Text    func(R) RichText // text for people, aligned to the left
	When    When             // when the column is shown; by default always
	Right   bool             // aligns Text to the right
	Most    int              // maximum number of characters of a cell in a terminal; 0 for no limit
	Leaves  int              // order in which a narrow terminal omits columns, the highest first; 0 is never omitted

	Name  string      // in CSV and JSON
	Value func(R) any // in full precision; nil if undefined
}

// When says under which condition people see a column.
type When int

const (
	Always   When = iota
	IfFilled      // if at least one row has a defined value
	IfWide        // like IfFilled, but only in the full table
)

// shown reports whether the column is for people.
func (c Column[R]) shown() bool { return c.Header != "" || c.Heading != nil }

// heading returns the header on one line.
func (c Column[R]) heading() RichText {
	if c.Heading != nil {
		return c.Heading
	}
	return Plain(c.Header)
}

// cell returns the cell of a row.
func (c Column[R]) cell(r R) RichText {
	if c.Show != nil {
		return Plain(c.Show(r))
	}
	return c.Text(r)
}

// Tabulate makes a table of the columns that people read, one row per r.
func Tabulate[R any](title RichText, columns []Column[R], rows []R) *Table {
	t, _ := TabulateEach(title, columns, Sequence(rows))
	return t
}

// TabulateEach makes the same table as Tabulate, from rows that are read one at a time.
func TabulateEach[R any](title RichText, columns []Column[R], rows iter.Seq2[R, error]) (*Table, error) {
	columns = slices.DeleteFunc(slices.Clone(columns), func(c Column[R]) bool { return !c.shown() })
	t := &Table{title: title, Rows: [][]RichText{}}
	filled := make([]bool, len(columns))
	for r, err := range rows {
		if err != nil {
			return nil, err
		}
		cells := make([]RichText, len(columns))
		for i, c := range columns {
			cells[i] = c.cell(r)
			filled[i] = filled[i] || c.When == Always || !slices.Contains([]string{"", Undefined}, cells[i].String())
		}
		t.Rows = append(t.Rows, cells)
	}
	for i, c := range columns {
		if filled[i] || c.When == Always {
			t.Columns = append(t.Columns, ColumnHead{c.heading(), c.Show != nil || c.Right, c.Most, c.Leaves})
		}
	}
	for j, cells := range t.Rows {
		t.Rows[j] = cells[:0]
		for i, cell := range cells {
			if filled[i] {
				t.Rows[j] = append(t.Rows[j], cell)
			}
		}
	}
	return t, nil
}

// WithoutWide leaves out the columns that only the full table shows.
func WithoutWide[R any](columns []Column[R]) []Column[R] {
	return slices.DeleteFunc(columns, func(c Column[R]) bool { return c.When == IfWide })
}

// ShowPart returns a Show function for a part of a row. A missing part is shown as undefined.
func ShowPart[R, P any](part func(R) *P, show func(P) string) func(R) string {
	return func(r R) string { return FormatDefined(part(r), show) }
}

// ValuePart returns a Value function for a part of a row. A missing part is nil.
func ValuePart[R, P any](part func(R) *P, value func(P) any) func(R) any {
	return func(r R) any {
		if p := part(r); p != nil {
			return value(*p)
		}
		return nil
	}
}

// CategoryLeaves is the value of Leaves for the first category's column; later categories have higher values.
// So a narrow terminal omits the last category first, before all other columns.
const CategoryLeaves = 10

// MaxAnswer and maxReason are the maximum numbers of characters of an answer, and of the reason for a verdict,
// in a terminal.
const (
	MaxAnswer = 32
	MaxReason = 44
)

// FormatDefined formats the value of x, or returns undefined if x is nil.
func FormatDefined[T any](x *T, show func(T) string) string {
	if x == nil {
		return Undefined
	}
	return show(*x)
}
