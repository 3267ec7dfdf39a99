package reports

import (
	"iter"
	"slices"
)

// Column describes a column of a table for every format. A column for people has a Header or a Heading, and one of Show
// and Text. A column for programs has a Name and a Value. A column can be for both.
type Column[R any] struct {
	Header  string         // above the column; it may hold line breaks
	Heading line           // in place of Header, if it quotes text from other sources
	Show    func(R) string // a figure as people read it, aligned to the right
	Text    func(R) line   // text as people read it, aligned to the left
	When    when           // when the column is shown; always, if it is not set
	Right   bool           // aligns Text to the right
	Most    int            // maximum number of characters of a cell in a terminal; 0 for no limit
	Leaves  int            // order in which a narrow terminal omits columns, the highest first; 0 is never omitted

	Name  string      // in CSV and JSON
	Value func(R) any // in full precision; nil if undefined
}

// when tells when a column is shown to people.
type when int

const (
	always   when = iota
	ifFilled      // if a row has text other than undefined in it
	ifWide        // like ifFilled, but only in the full table
)

// shown reports whether people see the column in some table.
func (c Column[R]) shown() bool { return c.Header != "" || c.Heading != nil }

// heading returns the header as a line.
func (c Column[R]) heading() line {
	if c.Heading != nil {
		return c.Heading
	}
	return plain(c.Header)
}

// cell returns the cell of a row.
func (c Column[R]) cell(r R) line {
	if c.Show != nil {
		return plain(c.Show(r))
	}
	return c.Text(r)
}

// tabulate makes a table of the columns that people read, one row per r.
func tabulate[R any](title line, columns []Column[R], rows []R) *table {
	t, _ := tabulateEach(title, columns, sequence(rows))
	return t
}

// tabulateEach is tabulate for rows that are read one at a time.
func tabulateEach[R any](title line, columns []Column[R], rows iter.Seq2[R, error]) (*table, error) {
	columns = slices.DeleteFunc(slices.Clone(columns), func(c Column[R]) bool { return !c.shown() })
	t := &table{title: title, rows: [][]line{}}
	filled := make([]bool, len(columns))
	for r, err := range rows {
		if err != nil {
			return nil, err
		}
		cells := make([]line, len(columns))
		for i, c := range columns {
			cells[i] = c.cell(r)
			filled[i] = filled[i] || c.When == always || !slices.Contains([]string{"", undefined}, cells[i].String())
		}
		t.rows = append(t.rows, cells)
	}
	for i, c := range columns {
		if filled[i] || c.When == always {
			t.columns = append(t.columns, column{c.heading(), c.Show != nil || c.Right, c.Most, c.Leaves})
		}
	}
	for j, cells := range t.rows {
		t.rows[j] = cells[:0]
		for i, cell := range cells {
			if filled[i] {
				t.rows[j] = append(t.rows[j], cell)
			}
		}
	}
	return t, nil
}

// narrowed leaves out the columns that only the full table shows.
func narrowed[R any](columns []Column[R]) []Column[R] {
	return slices.DeleteFunc(columns, func(c Column[R]) bool { return c.When == ifWide })
}

// showOf returns the Show of a column about a part of a row; a missing part is undefined.
func showOf[R, P any](part func(R) *P, show func(P) string) func(R) string {
	return func(r R) string { return defined(part(r), show) }
}

// valueOf returns the Value of a column about a part of a row; a missing part is nil.
func valueOf[R, P any](part func(R) *P, value func(P) any) func(R) any {
	return func(r R) any {
		if p := part(r); p != nil {
			return value(*p)
		}
		return nil
	}
}
