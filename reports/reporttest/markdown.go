package reporttest

import (
	"regexp"
	"slices"
	"strings"
)

// CheckMarkdown fails the test if text of others has an effect in a report: as a mention, a link, an image,
// HTML, or a cell more than the table has columns. Lines of the report's own HTML begin with one of the last
// arguments.
func CheckMarkdown(t Fataler, report string, html ...string) {
	columns := 0
	for l := range strings.Lines(report) {
		l = strings.TrimSuffix(l, "\n")
		if !strings.HasPrefix(l, "|") {
			columns = 0
			if !slices.ContainsFunc(html, func(own string) bool { return strings.HasPrefix(l, own) }) {
				inert(t, strings.Trim(strings.TrimPrefix(strings.TrimPrefix(l, "- "), "## "), "*"), l)
			}
			continue
		}
		for _, cells := range [][]string{cellsOf(l, false), cellsOf(l, true)} {
			if columns == 0 {
				columns = len(cells)
			}
			if len(cells) != columns {
				t.Fatalf("%d cells where the table has %d: %s", len(cells), columns, l)
			}
			for _, cell := range cells {
				inert(t, cell, l)
			}
		}
	}
}

// cellsOf splits a row at its pipes. Markdown parsers differ: if pairing is false, a backslash directly before a pipe
// always escapes it. If pairing is true, \\ is one escaped backslash, so the pipe in \\| ends the cell.
func cellsOf(row string, pairing bool) []string {
	var cells []string
	var cell strings.Builder
	escaped := false
	for _, r := range row {
		if r == '|' && !escaped {
			cells = append(cells, cell.String())
			cell.Reset()
			continue
		}
		if r == '|' {
			text := strings.TrimSuffix(cell.String(), `\`)
			cell.Reset()
			cell.WriteString(text)
		}
		escaped = r == '\\' && !(pairing && escaped)
		cell.WriteRune(r)
	}
	return append(cells, cell.String())
}

var live = regexp.MustCompile("[@#<>$~_*&]|\\]\\(|://|www\\.|`|[A-Za-z]-[0-9]")

// measureName matches the only names of concur in which a letter follows an @ without being a mention.
var measureName = regexp.MustCompile(`pass@[kK]`)

func inert(t Fataler, text, where string) {
	if bare := measureName.ReplaceAllString(outsideCode(text), ""); live.MatchString(bare) {
		t.Fatalf("%q is live in %s", bare, where)
	}
	if strings.ContainsAny(text, Steering) {
		t.Fatalf("control characters in %q", where)
	}
}

// outsideCode takes out code spans and escaped characters as CommonMark reads them.
func outsideCode(s string) string {
	var out strings.Builder
	for s != "" {
		switch {
		case s[0] == '\\' && len(s) > 1:
			s = s[2:]
		case s[0] == '`':
			ticks := s[:len(s)-len(strings.TrimLeft(s, "`"))]
			end := closing(s[len(ticks):], len(ticks))
			if end < 0 {
				return out.String() + "`"
			}
			s = s[len(ticks)+end:]
		default:
			out.WriteByte(s[0])
			s = s[1:]
		}
	}
	return out.String()
}

// closing is where a run of exactly n backticks ends, or -1.
func closing(s string, n int) int {
	for i := 0; i < len(s); {
		if s[i] != '`' {
			i++
			continue
		}
		run := len(s[i:]) - len(strings.TrimLeft(s[i:], "`"))
		if i += run; run == n {
			return i
		}
	}
	return -1
}
