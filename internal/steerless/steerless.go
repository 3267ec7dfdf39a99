package steerless

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Writer writes to a terminal. It replaces each character that controls a terminal with its JSON escape, such
// as \u202e, so that a JSON document keeps its meaning. It keeps line breaks, tabs and colours (ESC [ … m).
// An incomplete character or colour at the end of the whole output is not written.
type Writer struct {
	W io.Writer

	rest []byte // the beginning of a character or a colour
}

// Write writes the escaped text. It returns the length of p, or the error of W.
func (w *Writer) Write(p []byte) (int, error) {
	text := append(w.rest, p...)
	w.rest = nil
	out := make([]byte, 0, len(text))
	for len(text) > 0 {
		n, whole := colour(text)
		if n > 0 {
			out, text = append(out, text[:n]...), text[n:]
			continue
		}
		if !whole || !utf8.FullRune(text) {
			w.rest = slices.Clone(text)
			break
		}
		r, n := utf8.DecodeRune(text)
		out, text = shown(out, r), text[n:]
	}
	if _, err := w.W.Write(out); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Text returns a text in the form in which a Writer writes it.
func Text(s string) string {
	var out strings.Builder
	w := Writer{W: &out}
	_, _ = w.Write([]byte(s)) // a write to a Builder never fails
	for len(w.rest) > 0 {     // an incomplete colour or character at the end
		rest := w.rest
		w.rest = nil
		r, n := utf8.DecodeRune(rest)
		out.Write(shown(nil, r))
		_, _ = w.Write(rest[n:])
	}
	return out.String()
}

// longest is the length in bytes of the longest sequence that is accepted as a colour.
const longest = 24

// colour returns the length of the colour at the beginning of a text; 0 without one. whole is false if
// more bytes are needed to decide.
func colour(text []byte) (n int, whole bool) {
	if text[0] != '\x1b' {
		return 0, true
	}
	for i, b := range text[1:min(len(text), longest)] {
		switch {
		case i == 0 && b == '[':
		case i > 0 && (b >= '0' && b <= '9' || b == ';'):
		case i > 0 && b == 'm':
			return i + 2, true
		default:
			return 0, true
		}
	}
	return 0, len(text) >= longest
}

// Steers reports whether a character could move a terminal's cursor, or reverse the direction of text. That is
// true of line breaks and tabs too; callers allow them where a text may have them.
func Steers(r rune) bool {
	return unicode.IsControl(r) || r == '\u200e' || r == '\u200f' || r == '\u061c' ||
		r >= '\u2028' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}

// shown appends a character to out, or its escape if it steers; line breaks and tabs are kept.
func shown(out []byte, r rune) []byte {
	if Steers(r) && r != '\n' && r != '\t' && r != '\r' {
		return fmt.Appendf(out, `\u%04x`, r)
	}
	return utf8.AppendRune(out, r) // U+FFFD for invalid UTF-8
}
