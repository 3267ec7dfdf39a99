package reports

import (
	"bytes"
	"cmp"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/clipperhouse/displaywidth"
)

// Screen is what text is printed on. The zero value takes lines of any length, and has no
// colours.
type Screen struct {
	Width  int // in columns; 0 for any number
	Colour bool
}

const (
	gap         = "  " // between columns
	leastColumn = 8    // to which a column of words is cut
)

// colours are those of ECMA-48, by tone.
var colours = map[tone]string{good: "\x1b[32m", bad: "\x1b[31m", doubtful: "\x1b[33m", strong: "\x1b[1m"}

// writeText writes a document of lines of any length.
func writeText(w io.Writer, d document) error { return Screen{}.write(w, d) }

// renderTable writes a table of lines of any length, with others beneath it.
func renderTable(w io.Writer, t table, beneath ...line) error {
	return writeText(w, document{details: captioned(&t, beneath)})
}

// write writes a document, what matters most at its end, where a reader's eye rests.
func (s Screen) write(w io.Writer, d document) error {
	var b bytes.Buffer
	for i, p := range slices.Concat(d.details, d.headline) {
		if i > 0 {
			b.WriteString("\n")
		}
		if p.table != nil {
			s.table(&b, *p.table)
		}
		for _, l := range p.lines {
			s.paragraph(&b, l, gap)
		}
	}
	if len(d.closing) > 0 {
		b.WriteString("\n")
		s.paragraph(&b, d.closing, "")
	}
	_, err := w.Write(b.Bytes())
	return err
}

// paragraph breaks a line between words where the screen ends, and indents what follows.
func (s Screen) paragraph(b *bytes.Buffer, l line, hanging string) {
	l = cleaned(l)
	if len(l) > 0 {
		l[0].text = strings.TrimLeft(l[0].text, " ")
	}
	if s.Width == 0 || width(l.String()) <= s.Width {
		b.WriteString(s.coloured(l) + "\n")
		return
	}
	used := 0
	for i, w := range strings.Fields(l.String()) {
		switch n := width(w); {
		case i == 0:
			b.WriteString(w)
			used = n
		case used+1+n > s.Width:
			b.WriteString("\n" + hanging + w)
			used = len(hanging) + n
		default:
			b.WriteString(" " + w)
			used += 1 + n
		}
	}
	b.WriteString("\n")
}

// table writes a table with one line per row. Columns leave in their order until it is narrow
// enough; then the widest columns of words are cut.
func (s Screen) table(b *bytes.Buffer, t table) {
	if len(t.title) > 0 {
		s.paragraph(b, t.title, gap)
	}
	widths := t.widths()
	for s.Width > 0 && sum(widths) > s.Width {
		last := slices.MaxFunc(t.columns, func(a, b column) int { return cmp.Compare(a.leaves, b.leaves) }).leaves
		if last == 0 {
			break
		}
		t = t.without(last)
		widths = t.widths()
	}
	for s.Width > 0 && sum(widths) > s.Width {
		widest := -1
		for i, c := range t.columns {
			if !c.number && widths[i] > leastColumn && (widest < 0 || widths[i] > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			break
		}
		widths[widest]--
	}
	for _, header := range t.headers() {
		s.row(b, t.columns, widths, header)
	}
	b.WriteString(strings.Repeat("─", sum(widths)) + "\n")
	for _, cells := range t.rows {
		s.row(b, t.columns, widths, cells)
	}
}

// row writes cells in the widths of their columns, cut with an ellipsis where they are longer,
// and without spaces at the end.
func (s Screen) row(b *bytes.Buffer, columns []column, widths []int, cells []line) {
	var out line
	for i, l := range cells {
		l = cleaned(l)
		text := l.String()
		missing := widths[i] - width(text)
		if missing < 0 {
			l = line{{text: displaywidth.TruncateString(text, widths[i], "…"), tone: l[0].tone}}
		}
		space := plain(strings.Repeat(" ", max(0, missing)))
		if columns[i].number {
			l = say(space, l)
		} else if i < len(cells)-1 {
			l = say(l, space)
		}
		if i > 0 {
			out = say(out, plain(gap))
		}
		out = say(out, l)
	}
	b.WriteString(strings.TrimRight(s.coloured(out), " ") + "\n")
}

// headers are the lines of a table's headers, which all end where the rule begins.
func (t table) headers() [][]line {
	most := 1
	for _, c := range t.columns {
		most = max(most, 1+strings.Count(stacked(c.header), "\n"))
	}
	out := make([][]line, most)
	for _, c := range t.columns {
		lines := strings.Split(stacked(c.header), "\n")
		for i := range out {
			text := ""
			if j := i - (most - len(lines)); j >= 0 {
				text = lines[j]
			}
			out[i] = append(out[i], plain(text).in(strong))
		}
	}
	return out
}

// without is a table without the columns that leave in some place.
func (t table) without(place int) table {
	out := table{rows: make([][]line, len(t.rows))}
	for i, c := range t.columns {
		if c.leaves == place {
			continue
		}
		out.columns = append(out.columns, c)
		for j, row := range t.rows {
			out.rows[j] = append(out.rows[j], row[i])
		}
	}
	return out
}

// widths are what the columns of a table take where nothing has to be cut.
func (t table) widths() []int {
	out := make([]int, len(t.columns))
	for i, c := range t.columns {
		for _, row := range t.rows {
			out[i] = max(out[i], width(cleaned(row[i]).String()))
		}
		if c.most > 0 {
			out[i] = min(out[i], c.most)
		}
		for h := range strings.SplitSeq(stacked(c.header), "\n") {
			out[i] = max(out[i], width(h))
		}
	}
	return out
}

// sum is the width of columns with the gaps between them.
func sum(widths []int) int {
	n := len(gap) * (len(widths) - 1)
	for _, w := range widths {
		n += w
	}
	return n
}

// coloured is a line as a terminal takes it.
func (s Screen) coloured(l line) string {
	var b strings.Builder
	for _, p := range l {
		if c := colours[p.tone]; s.Colour && c != "" && p.text != "" {
			b.WriteString(c + p.text + "\x1b[0m")
		} else {
			b.WriteString(p.text)
		}
	}
	return b.String()
}

func width(s string) int { return displaywidth.String(s) }

// stacked breaks a header over lines: ours where it says so, and the name of a category at
// underscores, since such names are long and their counts are short.
func stacked(header line) string {
	if len(header) == 1 && header[0].kind != ours {
		return strings.ReplaceAll(Clean(header[0].text), "_", "\n")
	}
	return cleaned(header).String()
}

// cleaned is a line fit for a terminal. Text of others may hold anything.
func cleaned(l line) line {
	out := slices.Clone(l)
	for i, s := range out {
		if s.kind != ours {
			out[i].text = Clean(s.text)
		}
	}
	return out
}

// Clean puts text on one line and takes out what could steer a terminal.
func Clean(s string) string {
	return uncommanding(strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || steers(r) }), " "))
}

// steers reports whether a character could move a terminal's cursor, or turn around the
// direction of what follows.
func steers(r rune) bool {
	return unicode.IsControl(r) || r == '\u200e' || r == '\u200f' || r == '\u061c' || r >= '\u2028' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}

// clip shortens text to n characters, with an ellipsis where something is missing.
func clip(s string, n int) string {
	r := []rune(Clean(s))
	if len(r) <= n {
		return string(r)
	}
	return string(r[:n-1]) + "…"
}
