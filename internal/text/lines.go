package text

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Span is a range of bytes of a text, the end not included.
type Span struct{ Start, End int }

// Of returns the bytes of s in the span.
func (p Span) Of(s string) string { return s[p.Start:p.End] }

// Lines splits at every line break that Unicode knows and keeps blank lines.
func Lines(s string) []string {
	var lines []string
	start := 0
	for i, r := range s {
		switch r {
		case '\n', '\r', '\v', '\f', 0x85, 0x2028, 0x2029:
			lines = append(lines, s[start:i])
			start = i + utf8.RuneLen(r)
		}
	}
	return append(lines, s[start:])
}

// Quote shows a text in a message, cut to a readable length.
func Quote(s string) string {
	const limit = 80
	if len(s) <= limit {
		return strconv.Quote(s)
	}
	return strconv.Quote(strings.ToValidUTF8(s[:limit], "")) + "…"
}
