package answer

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// dropEmphasis removes the bold marks inside an answer: "**42** km" becomes
// "42 km". Only runs of at least two asterisks that stand like quotation marks
// around words and come in pairs are marks; the power in 2**3 stays.
func dropEmphasis(s string) string {
	if !strings.Contains(s, "**") {
		return s
	}
	type span struct{ from, to int }
	var open, cut []span
	for i := 0; i < len(s); {
		if s[i] != '*' {
			i++
			continue
		}
		run := span{i, i}
		for run.to < len(s) && s[run.to] == '*' {
			run.to++
		}
		i = run.to
		if run.to-run.from < 2 {
			continue
		}
		before, _ := utf8.DecodeLastRuneInString(s[:run.from])
		after, _ := utf8.DecodeRuneInString(s[run.to:])
		atStart, atEnd := run.from == 0, run.to == len(s)
		opens := !atEnd && !unicode.IsSpace(after) && (atStart || !isWord(before))
		closes := !atStart && !unicode.IsSpace(before) && (atEnd || !isWord(after))
		switch {
		case closes && len(open) > 0:
			cut = append(cut, open[len(open)-1], run)
			open = open[:len(open)-1]
		case opens:
			open = append(open, run)
		}
	}
	if len(cut) == 0 {
		return s
	}
	drop := make([]bool, len(s))
	for _, run := range cut {
		for i := run.from; i < run.to; i++ {
			drop[i] = true
		}
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := range len(s) {
		if !drop[i] {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}
