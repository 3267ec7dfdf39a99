package reports

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/terminal"
	"github.com/seed-5817661a/concur/internal/text"
)

// Screen describes the terminal. The zero value has no maximum width and no colours.
type Screen struct {
	Width  int // in columns; 0 for no limit
	Colour bool
}

const gap = "  " // between columns

// colours maps tones to escape codes of ECMA-48.
var colours = map[tone]string{good: "\x1b[32m", bad: "\x1b[31m", doubtful: "\x1b[33m", strong: "\x1b[1m"}

// write writes a document with the most important part at the end, next to the prompt.
func (s Screen) write(w io.Writer, d document) error {
	var b bytes.Buffer
	for i, p := range slices.Concat(d.details, d.headline) {
		if i > 0 {
			b.WriteString("\n")
		}
		if p.table != nil {
			if err := s.table(&b, *p.table); err != nil {
				return err
			}
		}
		for _, l := range p.lines {
			s.paragraph(&b, l, gap)
		}
		s.facts(&b, p.facts)
	}
	if len(d.closing) > 0 {
		b.WriteString("\n")
		s.paragraph(&b, d.closing, "")
	}
	_, err := w.Write(b.Bytes())
	return err
}

// paragraph breaks a line between words at the width of the screen, and indents the further lines.
func (s Screen) paragraph(b *bytes.Buffer, l line, hanging string) {
	l = cleaned(l)
	indent := ""
	if len(l) > 0 {
		text := strings.TrimLeft(l[0].text, " ")
		if l[0].kind == ours { // the second line of an item
			indent = l[0].text[:len(l[0].text)-len(text)]
		}
		l[0].text = text
	}
	if indent != "" {
		l = say(plain(indent), l)
		hanging += indent
	}
	if s.Width > 0 && width(l.String()) > s.Width {
		l = plain(s.fold("", l.String(), hanging))
	}
	b.WriteString(s.coloured(l) + "\n")
}

// Fold breaks lines between words at the width of the screen. Further lines are indented to the text after the
// line's label, or by two columns.
func (s Screen) Fold(text string) string {
	var b strings.Builder
	for l := range strings.Lines(text) {
		if l = strings.TrimSuffix(l, "\n"); s.Width > 0 && width(l) > s.Width {
			head := label.FindString(l)
			hanging := len(head)
			if strings.TrimSpace(head) == "" {
				hanging += len(gap)
			}
			l = s.fold(head, l[len(head):], strings.Repeat(" ", hanging))
		}
		b.WriteString(l + "\n")
	}
	return b.String()
}

// label matches the beginning of a line: spaces, and up to three words that several spaces separate from the
// rest.
var label = lazy.Compile(`^ *(?:[a-z]+(?: [a-z]+){0,2}  +)?`)

// fold writes words after a head, and continues on further lines at the width of the screen.
func (s Screen) fold(head, text, hanging string) string {
	out, used, space := head, width(head), ""
	for _, w := range strings.Fields(text) {
		if n := width(w); space != "" && s.Width > 0 && used+1+n > s.Width {
			out += "\n" + hanging + w
			used = len(hanging) + n
		} else {
			out += space + w
			used += len(space) + n
		}
		space = " "
	}
	return out
}

// facts writes facts; a repeated label is written only once.
func (s Screen) facts(b *bytes.Buffer, facts []fact) {
	widest := 0
	for _, f := range facts {
		widest = max(widest, len(f.label))
	}
	hanging := strings.Repeat(" ", widest+len(gap))
	for i, f := range facts {
		head := fmt.Sprintf("%-*s", len(hanging), f.label)
		if i > 0 && facts[i-1].label == f.label {
			head = hanging
		}
		b.WriteString(s.fold(head, Clean(f.text.String()), hanging) + "\n")
	}
}

// coloured returns a line with the escape codes of its tones.
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

// cleaned returns a line that is safe for a terminal. Text from other sources may contain control characters.
func cleaned(l line) line {
	out := slices.Clone(l)
	for i, s := range out {
		if s.kind != ours {
			out[i].text = Clean(s.text)
		}
	}
	return out
}

// Clean puts text on one line and removes characters that control a terminal.
func Clean(s string) string {
	return uncommanding(strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || terminal.Steers(r) }),
		" "))
}

// Visible replaces control characters, and invalid UTF-8, by U+FFFD. Line breaks and tabs are kept.
func Visible(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && terminal.Steers(r) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

// clip shortens text to n characters, with an ellipsis if it was cut.
func clip(s string, n int) string {
	return text.Clip(Clean(s), n)
}
