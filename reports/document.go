package reports

import (
	"iter"
	"slices"
	"strings"
)

// kind is the source of a text, which decides how far a format may trust it.
type kind int

const (
	ours   kind = iota // written by this program
	theirs             // written by a model, a person or another program
	mixed              // a sentence of this program that may quote other text
)

// tone is the meaning of a text that a terminal shows as a colour. The words have the same meaning without it.
type tone int

const (
	neutral tone = iota
	good
	bad
	doubtful
	strong // a header
)

type span struct {
	text string
	kind kind
	tone tone
}

// line is a line of text: a cell, a header, a title, a note.
type line []span

func plain(text string) line  { return line{{text: text, kind: ours}} }
func quoted(text string) line { return line{{text: text, kind: theirs}} }
func blend(text string) line  { return line{{text: text, kind: mixed}} }

// in returns the line in a tone.
func (l line) in(t tone) line {
	out := slices.Clone(l)
	for i := range out {
		out[i].tone = t
	}
	return out
}

// say joins parts to one line.
func say(parts ...line) line { return slices.Concat(parts...) }

// list joins lines with commas and a final "and".
func list(items []line) line {
	var out line
	for i, item := range items {
		switch {
		case i > 0 && i == len(items)-1:
			out = say(out, plain(" and "))
		case i > 0:
			out = say(out, plain(", "))
		}
		out = say(out, item)
	}
	return out
}

func (l line) String() string {
	var b strings.Builder
	for _, s := range l {
		b.WriteString(s.text)
	}
	return b.String()
}

// column is a table column. Headers written by this program may hold line breaks.
type column struct {
	header line
	number bool // aligned to the right
	most   int  // maximum number of characters of a cell in a terminal; 0 for no limit
	leaves int  // as in figure
}

type table struct {
	title   line
	columns []column
	rows    [][]line
}

// part is a table, lines of text, or facts.
type part struct {
	table *table
	lines []line
	facts []fact
}

// fact is a line with a label, which a terminal aligns.
type fact struct {
	label string
	text  line
}

// document is the content of a report in every format. The headline is the most important part, and closing
// the sentence that sums it up: a terminal shows them last, a page first.
type document struct {
	headline, details []part
	closing           line
}

// filled returns the parts that are not empty.
func filled(parts ...part) []part {
	return slices.DeleteFunc(parts, func(p part) bool {
		return (p.table == nil || len(p.table.rows) == 0) && len(p.lines) == 0 && len(p.facts) == 0
	})
}

// undefined is printed in place of a figure that is not defined.
const undefined = "–"

// figure describes a column for every format: its header and cells for people, its names and values for
// programs.
type figure[R any] struct {
	header   line // nil if only programs read it
	number   bool
	most     int
	optional bool // left out if it is empty in all rows
	wide     bool // only in the full table
	leaves   int  // order in which a narrow terminal omits columns, the highest first; 0 is never omitted
	cell     func(R) line

	names  []string      // in CSV and JSON; nil if only people read it
	values func(R) []any // one for each name
}

// tabulate makes a table of the figures that people read, one row per r.
func tabulate[R any](title line, figures []figure[R], rows []R) *table {
	t, _ := tabulateEach(title, figures, sequence(rows))
	return t
}

// tabulateEach is tabulate for rows that are read one at a time.
func tabulateEach[R any](title line, figures []figure[R], rows iter.Seq2[R, error]) (*table, error) {
	figures = slices.DeleteFunc(slices.Clone(figures), func(f figure[R]) bool { return f.header == nil })
	t := &table{title: title, rows: [][]line{}}
	filled := make([]bool, len(figures))
	for r, err := range rows {
		if err != nil {
			return nil, err
		}
		cells := make([]line, len(figures))
		for i, f := range figures {
			cells[i] = f.cell(r)
			filled[i] = filled[i] || !f.optional || !slices.Contains([]string{"", undefined}, cells[i].String())
		}
		t.rows = append(t.rows, cells)
	}
	for i, f := range figures {
		if filled[i] || !f.optional {
			t.columns = append(t.columns, column{f.header, f.number, f.most, f.leaves})
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

// narrowed leaves out the figures that only the full table shows.
func narrowed[R any](figures []figure[R]) []figure[R] {
	return slices.DeleteFunc(figures, func(f figure[R]) bool { return f.wide })
}

// quantity returns a column of one number. Without a header only programs read it.
func quantity[R, T any](name, header string, of func(R) T, show func(T) string) figure[R] {
	f := figure[R]{names: []string{name}, values: func(r R) []any { return []any{of(r)} }}
	if header != "" {
		f.header, f.number, f.optional = plain(header), true, true
		f.cell = func(r R) line { return plain(show(of(r))) }
	}
	return f
}

// raw returns columns that only programs read. names holds their names, separated by spaces.
func raw[R any](names string, values func(R) []any) figure[R] {
	return figure[R]{names: strings.Fields(names), values: values}
}

// words returns a column of text from other sources, left out if all rows are empty. Without a header only
// programs read it.
func words[R any](name, header string, of func(R) string) figure[R] {
	f := raw(name, func(r R) []any { return []any{of(r)} })
	if header != "" {
		f.header, f.optional, f.cell = plain(header), true, func(r R) line { return quoted(of(r)) }
	}
	return f
}

// leaving returns the figure with its order for a narrow terminal; see leaves.
func (f figure[R]) leaving(place int) figure[R] {
	f.leaves = place
	return f
}

// atMost returns the figure with a maximum number of characters for a cell.
func (f figure[R]) atMost(characters int) figure[R] {
	f.most = characters
	return f
}

// readAs returns the figure with the names and values of another one.
func (f figure[R]) readAs(other figure[R]) figure[R] {
	f.names, f.values = other.names, other.values
	return f
}

// full returns the figure for the full table only.
func (f figure[R]) full() figure[R] {
	f.wide = true
	return f
}

// rawOf returns columns that only programs read, of a part that is nil in some rows.
func rawOf[R, P any](names string, part func(R) *P, values func(P) []any) figure[R] {
	return raw(names, func(r R) []any {
		if p := part(r); p != nil {
			return values(*p)
		}
		return make([]any, len(strings.Fields(names)))
	})
}

// measureOf returns a column for people, of a part that is nil in some rows.
func measureOf[R, P any](header string, part func(R) *P, cell func(P) string) figure[R] {
	return measure(header, func(r R) string { return defined(part(r), cell) })
}

// count returns a column of numbers that is always shown, for people only.
func count[R any](header string, cell func(R) string) figure[R] {
	return figure[R]{header: plain(header), number: true, cell: func(r R) line { return plain(cell(r)) }}
}

// measure returns a column like count's that is left out if all its cells are undefined.
func measure[R any](header string, cell func(R) string) figure[R] {
	f := count(header, cell)
	f.optional = true
	return f
}

// word returns a column of text for people only.
func word[R any](header string, cell func(R) line) figure[R] {
	return figure[R]{header: plain(header), cell: cell}
}
