package document

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/lazy"
)

// Screen describes the terminal. The zero value has no width limit and no colours.
type Screen struct {
	Width  int // in columns; 0 for no limit
	Colour bool
}

const columnGap = "  " // between columns

// colours maps tones to escape codes of ECMA-48.
var colours = map[Tone]string{Good: "\x1b[32m", Bad: "\x1b[31m", Doubtful: "\x1b[33m", strong: "\x1b[1m"}

// Write writes a document with the most important part at the end, next to the prompt.
func (s Screen) Write(w io.Writer, d Document) error {
	var b bytes.Buffer
	for i, p := range slices.Concat(d.Details, d.Headline) {
		if i > 0 {
			b.WriteString("\n")
		}
		if p.Table != nil {
			if err := s.WriteTable(&b, *p.Table); err != nil {
				return err
			}
		}
		for _, l := range p.Lines {
			s.writeParagraph(&b, l, columnGap)
		}
		s.writeFacts(&b, p.Facts)
		for _, line := range p.Diff {
			b.WriteString(s.colour(s.diffLine(line)) + "\n")
		}
	}
	if len(d.Closing) > 0 {
		b.WriteString("\n")
		s.writeParagraph(&b, d.Closing, "")
	}
	_, err := w.Write(b.Bytes())
	return err
}

// diffLine returns a line of a unified diff, indented, cut to the width of the screen, with its tone.
func (s Screen) diffLine(line string) RichText {
	tone := neutral
	switch line[:min(1, len(line))] {
	case "+":
		tone = Good
	case "-":
		tone = Bad
	}
	return Plain(strings.TrimRight(s.Cut("    "+Printable(line)), " ")).Toned(tone)
}

// writeParagraph breaks a line between words at the width of the screen, and begins all lines but the first
// with hanging.
func (s Screen) writeParagraph(b *bytes.Buffer, l RichText, hanging string) {
	l = cleanText(l)
	indent := ""
	if len(l) > 0 {
		text := strings.TrimLeft(l[0].text, " ")
		if l[0].kind == ours { // the second line of an item
			indent = l[0].text[:len(l[0].text)-len(text)]
		}
		l[0].text = text
	}
	if indent != "" {
		l = Concat(Plain(indent), l)
		hanging += indent
	}
	if s.Width > 0 && Width(l.String()) > s.Width {
		l = Plain(s.fold("", l.String(), hanging))
	}
	b.WriteString(s.colour(l) + "\n")
}

// Fold breaks lines between words at the width of the screen. The broken parts are indented to the text after
// the line's label, or by two columns.
func (s Screen) Fold(text string) string {
	var b strings.Builder
	for l := range strings.Lines(text) {
		if l = strings.TrimSuffix(l, "\n"); s.Width > 0 && Width(l) > s.Width {
			head := label.FindString(l)
			hanging := len(head)
			if strings.TrimSpace(head) == "" {
				hanging += len(columnGap)
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

// fold writes words after head. It breaks lines at the width of the screen and begins each new line with
// hanging.
func (s Screen) fold(head, text, hanging string) string {
	out, used, space := head, Width(head), ""
	for _, w := range strings.Fields(text) {
		if n := Width(w); space != "" && s.Width > 0 && used+1+n > s.Width {
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

// writeFacts writes facts; a repeated label is written only once.
func (s Screen) writeFacts(b *bytes.Buffer, facts []LabelledText) {
	widest := 0
	for _, f := range facts {
		widest = max(widest, len(f.Label))
	}
	hanging := strings.Repeat(" ", widest+len(columnGap))
	for i, f := range facts {
		head := fmt.Sprintf("%-*s", len(hanging), f.Label)
		if i > 0 && facts[i-1].Label == f.Label {
			head = hanging
		}
		b.WriteString(s.fold(head, Clean(f.Text.String()), hanging) + "\n")
	}
}

// colour returns a line with the escape codes of its tones.
func (s Screen) colour(l RichText) string {
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

// cleanText returns a line that is safe for a terminal, without the control characters of text from other
// sources.
func cleanText(l RichText) RichText {
	out := slices.Clone(l)
	for i, s := range out {
		if s.kind != ours {
			out[i].text = Clean(s.text)
		}
	}
	return out
}
