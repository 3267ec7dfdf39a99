package reports

import (
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/text"
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
	leaves int  // as in Column
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
const undefined = text.Undefined
