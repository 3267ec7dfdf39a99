package document

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/steerless"
	"github.com/seed-5817661a/concur/internal/text"
)

// Clean puts text on one line and removes characters that control a terminal.
func Clean(s string) string {
	words := strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || steerless.Steers(r) })
	return uncommanding(strings.Join(words, " "))
}

// Visible replaces control characters and invalid UTF-8 with U+FFFD. Line breaks and tabs are kept.
func Visible(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && steerless.Steers(r) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

// Shorten shortens text to n characters, with an ellipsis if it was cut.
func Shorten(s string, n int) string {
	return text.Clip(Clean(s), n)
}

// Printable puts the text of a model or a page on one line, and replaces each control character with a visible
// one. It also changes text that a CI system would read as a command.
func Printable(s string) string { return uncommanding(strings.ReplaceAll(Visible(s), "\n", " ")) }

// PrintableLines does the same as Printable for each line of a text.
func PrintableLines(s string) string { return uncommanding(Visible(s)) }

// uncommanding breaks the sequence ##[, with which GitHub's runners accept a command anywhere in a line. The
// other form, ::, is accepted only at the beginning of a line, where this program never prints quoted text.
func uncommanding(s string) string { return strings.ReplaceAll(s, "##[", "## [") }

var plainNumber = lazy.Compile(`^[-+]?\d+(\.\d+)?$`)

// SheetCell makes text from other sources safe for a terminal and for a spreadsheet, which could run it as a
// formula. Numbers are unchanged.
func SheetCell(text string) string {
	if plainNumber.MatchString(text) {
		return text
	}
	start, _ := utf8.DecodeRuneInString(strings.TrimLeft(text, " \n"))
	if strings.ContainsRune("=+-@\t\r＝＋－＠", start) {
		text = "'" + text
	}
	return Printable(text)
}

// Fence quotes text in a code block that the text cannot end. Characters that could control a terminal are
// shown as �.
func Fence(text string) string { return fenceAs("text", text) }

// fenceAs is Fence with the name of a language, by which a page may colour the text.
func fenceAs(language, text string) string {
	text = Visible(text)
	ticks := backticks(text, 3)
	return ticks + language + "\n" + strings.TrimRight(text, "\n") + "\n" + ticks + "\n"
}
