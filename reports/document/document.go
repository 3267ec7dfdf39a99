package document

import (
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/text"
)

// source is the author of a text. A format shows text of other authors only in a harmless form.
type source int

const (
	ours   source = iota // written by this program
	theirs               // written by a model, a person or another program
	mixed                // a sentence of this program that may quote other text
)

// Tone is the meaning of a text, which a terminal shows as a colour. The text alone must express the meaning
// too.
type Tone int

const (
	neutral Tone = iota
	Good
	Bad
	Doubtful
	strong // the text is a header
)

type span struct {
	text string
	kind source
	tone Tone
}

// RichText is one line of text, such as a cell, a header, a title or a note. Each part has a source and a tone.
type RichText []span

// Plain returns text that this program wrote.
func Plain(text string) RichText { return RichText{{text: text, kind: ours}} }

// Quoted returns text of a model, a person or another program.
func Quoted(text string) RichText { return RichText{{text: text, kind: theirs}} }

// Mixed returns a sentence of this program that may quote other text.
func Mixed(text string) RichText { return RichText{{text: text, kind: mixed}} }

// Toned returns the line with a tone.
func (l RichText) Toned(t Tone) RichText {
	out := slices.Clone(l)
	for i := range out {
		out[i].tone = t
	}
	return out
}

// Concat joins parts into one line.
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
	leaves int  // as Column.Leaves
}

// Table is a table whose cells are already formatted.
type Table struct {
	title   RichText
	Columns []ColumnHead
	Rows    [][]RichText
}

// Section is a table, or lines of text, or facts.
type Section struct {
	Table *Table
	Lines []RichText
	Facts []LabelledText
	// Diff has the lines of a unified diff, below the lines of text. Their spaces are kept.
	Diff []string
}

// LabelledText is a line with a label. A terminal aligns the texts after the labels.
type LabelledText struct {
	Label string
	Text  RichText
}

// Document is the content of a report in all formats. Headline is the most important part, and Closing is the
// sentence that sums up the report. A terminal shows these two last, a page first.
type Document struct {
	Headline, Details []Section
	Closing           RichText
}

// WithoutEmpty returns the parts that are not empty.
func WithoutEmpty(parts ...Section) []Section {
	return slices.DeleteFunc(parts, func(p Section) bool {
		return (p.Table == nil || len(p.Table.Rows) == 0) && len(p.Lines)+len(p.Facts)+len(p.Diff) == 0
	})
}

// Undefined is printed in place of a figure that is not defined.
const Undefined = text.Undefined

// Captioned returns a table with lines below it; without rows, only the lines.
func Captioned(t *Table, lines ...RichText) []Section {
	return WithoutEmpty(Section{Table: t}, Section{Lines: lines})
}

// Capitalise returns a line whose first letter is a capital. The line must begin with text of this program.
func Capitalise(l RichText) RichText {
	l[0].text = strings.ToUpper(l[0].text[:1]) + l[0].text[1:]
	return l
}
