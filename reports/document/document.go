package document

import (
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/text"
)

// source is the source of a text, which decides how far a format may trust it.
type source int

const (
	ours   source = iota // written by this program
	theirs               // written by a model, a person or another program
	mixed                // a sentence of this program that may quote other text
)

// Tone is the meaning of a text that a terminal shows as a colour. The words have the same meaning without it.
type Tone int

const (
	neutral Tone = iota
	Good
	Bad
	Doubtful
	strong // a header
)

type span struct {
	text string
	kind source
	tone Tone
}

// RichText is a line of text: a cell, a header, a title, a note.
type RichText []span

// Plain returns text that this program wrote.
func Plain(text string) RichText { return RichText{{text: text, kind: ours}} }

// Quoted returns text of a model, a person or another program.
func Quoted(text string) RichText { return RichText{{text: text, kind: theirs}} }

// Mixed returns a sentence of this program that may quote other text.
func Mixed(text string) RichText { return RichText{{text: text, kind: mixed}} }

// Toned returns the line in a tone.
func (l RichText) Toned(t Tone) RichText {
	out := slices.Clone(l)
	for i := range out {
		out[i].tone = t
	}
	return out
}

// Concat joins parts to one line.
func Concat(parts ...RichText) RichText { return slices.Concat(parts...) }

// Enumerate joins lines with commas and a final "and".
func Enumerate(items []RichText) RichText {
	var out RichText
	for i, item := range items {
		switch {
		case i > 0 && i == len(items)-1:
			out = Concat(out, Plain(" and "))
		case i > 0:
			out = Concat(out, Plain(", "))
		}
		out = Concat(out, item)
	}
	return out
}

// String returns the text without its sources and tones.
func (l RichText) String() string {
	var b strings.Builder
	for _, s := range l {
		b.WriteString(s.text)
	}
	return b.String()
}

// ColumnHead is a table column. Headers written by this program may hold line breaks.
type ColumnHead struct {
	Header RichText
	number bool // aligned to the right
	most   int  // maximum number of characters of a cell in a terminal; 0 for no limit
	leaves int  // as in Column
}

// Table is a table whose cells are already formatted.
type Table struct {
	title   RichText
	Columns []ColumnHead
	Rows    [][]RichText
}

// Section is a table, lines of text, or facts.
type Section struct {
	Table *Table
	Lines []RichText
	Facts []LabelledText
}

// LabelledText is a line with a label, which a terminal aligns.
type LabelledText struct {
	Label string
	Text  RichText
}

// Document is the content of a report in every format. The headline is the most important part, and closing
// the sentence that sums it up: a terminal shows them last, a page first.
type Document struct {
	Headline, Details []Section
	Closing           RichText
}

// WithoutEmpty returns the parts that are not empty.
func WithoutEmpty(parts ...Section) []Section {
	return slices.DeleteFunc(parts, func(p Section) bool {
		return (p.Table == nil || len(p.Table.Rows) == 0) && len(p.Lines) == 0 && len(p.Facts) == 0
	})
}

// Undefined is printed in place of a figure that is not defined.
const Undefined = text.Undefined

// Captioned returns a table with lines below it; without rows, only the lines.
func Captioned(t *Table, lines ...RichText) []Section {
	return WithoutEmpty(Section{Table: t}, Section{Lines: lines})
}

// Capitalise returns a line of this program with a capital letter at its beginning.
func Capitalise(l RichText) RichText {
	l[0].text = strings.ToUpper(l[0].text[:1]) + l[0].text[1:]
	return l
}
