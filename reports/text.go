package reports

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/seed-5817661a/concur/internal/terminal"
	"github.com/seed-5817661a/concur/internal/text"
)

// Screen is what text is printed on. The zero value takes lines of any length, and has no colours.
type Screen struct {
	Width  int // in columns; 0 for any number
	Colour bool
}

const gap = "  " // between columns

// colours are those of ECMA-48, by tone.
var colours = map[tone]string{good: "\x1b[32m", bad: "\x1b[31m", doubtful: "\x1b[33m", strong: "\x1b[1m"}

// write writes a document, what matters most at its end, where a reader's eye rests.
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

// paragraph breaks a line between words where the screen ends, and indents what follows.
func (s Screen) paragraph(b *bytes.Buffer, l line, hanging string) {
	l = cleaned(l)
	indent := ""
	if len(l) > 0 {
		text := strings.TrimLeft(l[0].text, " ")
		if l[0].kind == ours { // the second line of something
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

// Fold breaks lines between words where the screen ends. What follows begins below the text
// behind the line's label, or two columns to the right of the line.
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

// label is what a line begins with: spaces, and a word or three that several spaces set apart.
var label = regexp.MustCompile(`^ *(?:[a-z]+(?: [a-z]+){0,2}  +)?`)

// fold writes words behind a head, and what the screen has no room for on further lines.
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

// facts writes facts, a label that repeats only once.
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
	return uncommanding(strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || terminal.Steers(r) }), " "))
}

// Visible replaces characters that steer, and invalid UTF-8, by U+FFFD. Line breaks and tabs stay.
func Visible(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && terminal.Steers(r) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

// clip shortens text to n characters, with an ellipsis where something is missing.
func clip(s string, n int) string {
	return text.Clip(Clean(s), n)
}
