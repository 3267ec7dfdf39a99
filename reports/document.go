package reports

import (
	"cmp"
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

type span struct {
	text string
	kind kind
}

// line is a line of text: a cell, a header, a title, a footnote.
type line []span

func plain(text string) line  { return line{{text, ours}} }
func quoted(text string) line { return line{{text, theirs}} }
func blend(text string) line  { return line{{text, mixed}} }

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
}

type table struct {
	title   line
	columns []column
	rows    [][]line
}

// part is a table, or lines of text.
type part struct {
	table *table
	lines []line
}

// document is what a report says, whatever the format. The headline is what somebody who
// reads nothing else should see: a terminal shows it last, a page first.
type document struct {
	headline, details []part
}

// undefined stands in place of a figure that there is none of.
const undefined = "–"

// figure is a column together with where its cells come from. An optional one is left out
// where no row has anything in it.
type figure[R any] struct {
	header   line
	number   bool
	most     int
	optional bool
	cell     func(R) line
}

// tabulate makes a table of figures, one row per r.
func tabulate[R any](title line, figures []figure[R], rows []R) *table {
	t := &table{title: title, rows: make([][]line, len(rows))}
	for _, f := range figures {
		cells := make([]line, len(rows))
		said := !f.optional
		for i, r := range rows {
			cells[i] = f.cell(r)
			said = said || !slices.Contains([]string{"", undefined}, cells[i].String())
		}
		if !said {
			continue
		}
		t.columns = append(t.columns, column{f.header, f.number, f.most})
		for i := range rows {
			t.rows[i] = append(t.rows[i], cells[i])
		}
	}
	return t
}

// count and text are columns of figures and of words of ours, which are always shown.
func count[R any](header string, cell func(R) string) figure[R] {
	return figure[R]{header: plain(header), number: true, cell: func(r R) line { return plain(cell(r)) }}
}

// measure is a column of figures that is left out where all are undefined.
func measure[R any](header string, cell func(R) string) figure[R] {
	f := count(header, cell)
	f.optional = true
	return f
}

// word is a column of words.
func word[R any](header string, cell func(R) line) figure[R] {
	return figure[R]{header: plain(header), cell: cell}
}

// orUndefined is the figure where there is one.
func orUndefined(text string) string { return cmp.Or(text, undefined) }
