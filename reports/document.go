package reports

import (
	"slices"
	"strings"
)

// kind says where text comes from, and so how far a format may trust it.
type kind int

const (
	ours   kind = iota // written by this program
	theirs             // written by a model, a person or another program
	mixed              // a sentence of ours that may quote theirs
)

// tone is how a terminal colours text that has a meaning, which the text itself tells too.
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

// in is the line in a tone.
func (l line) in(t tone) line {
	out := slices.Clone(l)
	for i := range out {
		out[i].tone = t
	}
	return out
}

// say joins parts to one line.
func say(parts ...line) line { return slices.Concat(parts...) }

// list joins lines as words are enumerated.
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

// column is a table column. Headers of ours may hold line breaks.
type column struct {
	header line
	number bool // set to the right
	most   int  // characters that a cell may take in a terminal; 0 for any number
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

// document is what a report says, whatever the format. The headline is what somebody who reads nothing else should
// see, and closing the sentence that sums it up: a terminal shows them last, a page first.
type document struct {
	headline, details []part
	closing           line
}

// filled are the parts in which there is something.
func filled(parts ...part) []part {
	return slices.DeleteFunc(parts, func(p part) bool {
		return (p.table == nil || len(p.table.rows) == 0) && len(p.lines) == 0 && len(p.facts) == 0
	})
}

// undefined is printed in place of a figure that is not defined.
const undefined = "–"

// figure describes a column for every format: its header and cells for people, its names and values for programs.
type figure[R any] struct {
	header   line // nil for programs alone
	number   bool
	most     int
	optional bool // left out where no row has anything in it
	wide     bool // left out unless everything is to be shown
	leaves   int  // its place in the order in which columns leave a narrow terminal, the highest first; 0 stays
	cell     func(R) line

	names  []string      // in CSV and JSON; nil for people alone
	values func(R) []any // one for each name
}

// tabulate makes a table of the figures that people read, one row per r.
func tabulate[R any](title line, figures []figure[R], rows []R) *table {
	t := &table{title: title, rows: make([][]line, len(rows))}
	for _, f := range figures {
		if f.header == nil {
			continue
		}
		cells := make([]line, len(rows))
		filled := !f.optional
		for i, r := range rows {
			cells[i] = f.cell(r)
			filled = filled || !slices.Contains([]string{"", undefined}, cells[i].String())
		}
		if !filled {
			continue
		}
		t.columns = append(t.columns, column{f.header, f.number, f.most, f.leaves})
		for i := range rows {
			t.rows[i] = append(t.rows[i], cells[i])
		}
	}
	return t
}

// narrowed leaves out the figures that are for the full table alone.
func narrowed[R any](figures []figure[R]) []figure[R] {
	return slices.DeleteFunc(figures, func(f figure[R]) bool { return f.wide })
}

// quantity is a column of one figure. Without a header only programs read it.
func quantity[R, T any](name, header string, of func(R) T, show func(T) string) figure[R] {
	f := figure[R]{names: []string{name}, values: func(r R) []any { return []any{of(r)} }}
	if header != "" {
		f.header, f.number, f.optional = plain(header), true, true
		f.cell = func(r R) line { return plain(show(of(r))) }
	}
	return f
}

// raw are columns that programs read, by their names with spaces between them.
func raw[R any](names string, values func(R) []any) figure[R] {
	return figure[R]{names: strings.Fields(names), values: values}
}

// words is a column of text that others wrote, left out where no row has any. Without a header only programs read it.
func words[R any](name, header string, of func(R) string) figure[R] {
	f := raw(name, func(r R) []any { return []any{of(r)} })
	if header != "" {
		f.header, f.optional, f.cell = plain(header), true, func(r R) line { return quoted(of(r)) }
	}
	return f
}

// leaving is a figure that leaves a narrow terminal in that place.
func (f figure[R]) leaving(place int) figure[R] {
	f.leaves = place
	return f
}

// atMost is a figure whose cells take so many characters of a terminal.
func (f figure[R]) atMost(characters int) figure[R] {
	f.most = characters
	return f
}

// readAs is a figure that programs read as they read another.
func (f figure[R]) readAs(other figure[R]) figure[R] {
	f.names, f.values = other.names, other.values
	return f
}

// full is a figure of the full table.
func (f figure[R]) full() figure[R] {
	f.wide = true
	return f
}

// rawOf is what programs read of a part that not every row has.
func rawOf[R, P any](names string, part func(R) *P, values func(P) []any) figure[R] {
	return raw(names, func(r R) []any {
		if p := part(r); p != nil {
			return values(*p)
		}
		return make([]any, len(strings.Fields(names)))
	})
}

// measureOf is a measure of such a part.
func measureOf[R, P any](header string, part func(R) *P, cell func(P) string) figure[R] {
	return measure(header, func(r R) string { return defined(part(r), cell) })
}

// count is a column of figures that is always shown, and only to people.
func count[R any](header string, cell func(R) string) figure[R] {
	return figure[R]{header: plain(header), number: true, cell: func(r R) line { return plain(cell(r)) }}
}

// measure is such a column that is left out where all are undefined.
func measure[R any](header string, cell func(R) string) figure[R] {
	f := count(header, cell)
	f.optional = true
	return f
}

// word is a column of words, only for people.
func word[R any](header string, cell func(R) line) figure[R] {
	return figure[R]{header: plain(header), cell: cell}
}
