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

// table writes a table with one line per row, without spaces at the ends of lines.
func (s Screen) table(b *bytes.Buffer, t table) {
	if len(t.title) > 0 {
		s.paragraph(b, t.title, gap)
	}
	t = s.leave(t)
	for i, l := range s.set(t) {
		total := 0
		for j, c := range l {
			if j > 0 {
				b.WriteString(gap)
				total += len(gap)
			}
			b.WriteString(s.coloured(c.line))
			total += width(c.line.String())
		}
		b.Truncate(len(bytes.TrimRight(b.Bytes(), " ")))
		b.WriteString("\n")
		if i+1 == headerLines(t) {
			b.WriteString(strings.Repeat("─", total) + "\n")
		}
	}
}

// padded is a cell in the width of its column.
type padded struct{ line }

// leave takes columns out of a table, in their order, until it is narrow enough.
func (s Screen) leave(t table) table {
	widths := s.widths(t)
	for s.Width > 0 && sum(widths) > s.Width {
		last := slices.MaxFunc(t.columns, func(a, b column) int { return cmp.Compare(a.leaves, b.leaves) }).leaves
		if last == 0 {
			break
		}
		t = without(t, last)
		widths = s.widths(t)
	}
	return t
}

// set pads the cells of a table, headers first. The widest columns of words are cut where it
// is too wide.
func (s Screen) set(t table) [][]padded {
	widths := s.widths(t)
	for over := sum(widths) - s.Width; s.Width > 0 && over > 0; over = sum(widths) - s.Width {
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
	n := headerLines(t)
	out := make([][]padded, n, n+len(t.rows))
	for i, c := range t.columns {
		header := strings.Split(stacked(c.header), "\n")
		for j := range n {
			text := "" // headers end where the rule begins
			if k := j - (n - len(header)); k >= 0 {
				text = header[k]
			}
			out[j] = append(out[j], pad(plain(text).in(strong), widths[i], c.number))
		}
	}
	for _, row := range t.rows {
		var cells []padded
		for i, c := range row {
			cells = append(cells, pad(cleaned(c), widths[i], t.columns[i].number))
		}
		out = append(out, cells)
	}
	return out
}

// without is a table without the columns that leave in some place.
func without(t table, place int) table {
	out := table{title: t.title, rows: make([][]line, len(t.rows))}
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

// widths are what the columns of a table take without an end to the right.
func (s Screen) widths(t table) []int {
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

func headerLines(t table) int {
	n := 1
	for _, c := range t.columns {
		n = max(n, 1+strings.Count(stacked(c.header), "\n"))
	}
	return n
}

// pad brings a cell to n columns, cut with an ellipsis where it is longer.
func pad(l line, n int, right bool) padded {
	missing := n - width(l.String())
	for i := len(l) - 1; missing < 0 && i >= 0; i-- {
		l = slices.Clone(l)
		text := l[i].text
		for missing < 0 && text != "" {
			r := []rune(text)
			text = string(r[:len(r)-1])
			l[i].text = text + "…"
			missing = n - width(l.String())
		}
		if text == "" && missing < 0 {
			l[i].text = ""
		}
	}
	space := plain(strings.Repeat(" ", max(0, missing)))
	if right {
		return padded{say(space, l)}
	}
	return padded{say(l, space)}
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
