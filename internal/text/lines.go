package text

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Span is a range of bytes of a text: Start is included, End is not.
type Span struct{ Start, End int }

// Of returns the bytes of s in the span.
func (p Span) Of(s string) string { return s[p.Start:p.End] }

// LineBreaks has all line breaks of Unicode.
const LineBreaks = "\n\r\v\f\u0085\u2028\u2029"

// Lines splits at every line break and keeps blank lines.
func Lines(s string) []string {
	lines := make([]string, 0, strings.Count(s, "\n")+1)
	start := 0
	if !HasAny(s, LineBreaks[1:]) { // as nearly every text
		for end := strings.IndexByte(s, '\n'); end >= 0; end = strings.IndexByte(s[start:], '\n') {
			lines = append(lines, s[start:start+end])
			start += end + 1
		}
		return append(lines, s[start:])
	}
	for i := 0; i < len(s); {
		c, size := s[i], 1
		isBreak := c >= '\n' && c <= '\r'
		if !isBreak && c < utf8.RuneSelf {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			var r rune
			r, size = utf8.DecodeRuneInString(s[i:])
			isBreak = strings.ContainsRune(LineBreaks, r)
		}
		if isBreak {
			lines = append(lines, s[start:i])
			start = i + size
		}
		i += size
	}
	return append(lines, s[start:])
}

// HasAny reports whether a text contains one of the marks. It searches for one mark after the other. This is
// faster than [strings.ContainsAny] in a text of more than a few words.
func HasAny(s, marks string) bool {
	for _, mark := range marks {
		if strings.ContainsRune(s, mark) {
			return true
		}
	}
	return false
}

// Head returns at most n bytes from the beginning of a text, in whole characters.
func Head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}

// Clip returns at most n characters of a text. If it cuts the text, the last character of the result is an
// ellipsis.
func Clip(s string, n int) string {
	if len(s) <= n { // it has no more characters than bytes
		return s
	}
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

// Quote quotes a text for a message, cut to a readable length.
func Quote(s string) string {
	const limit = 80
	if len(s) <= limit {
		return strconv.Quote(s)
	}
	return strconv.Quote(Head(s, limit)) + "…"
}

// Counted returns a number and a noun in the right form: 1 query, 2 queries.
func Counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	if stem, ok := strings.CutSuffix(thing, "y"); ok {
		return fmt.Sprintf("%d %sies", n, stem)
	}
	if strings.HasSuffix(thing, "s") {
		thing += "e"
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// CountedOf returns a part of a total with the noun in the right form: 1 of 1 query, 1 of 2 queries.
func CountedOf(n, all int, thing string) string {
	return fmt.Sprintf("%d of %s", n, Counted(all, thing))
}

// Verb returns the form of a verb for a number of things.
func Verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Listed names up to five things and counts the rest.
func Listed[T any](things []T) string { return ListedUpTo(5, things) }

// ListedUpTo returns Listed with a given limit.
func ListedUpTo[T any](most int, things []T) string {
	var names []string
	for _, t := range things[:min(len(things), most)] {
		names = append(names, fmt.Sprint(t))
	}
	list := strings.Join(names, ", ")
	if more := len(things) - most; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}
