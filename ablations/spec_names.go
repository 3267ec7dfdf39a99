package ablations

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// The longest texts, in characters. A cell's name is made of keys and values, which its
// author cannot shorten.
const (
	maxName = 80
	maxCell = 200
	maxNote = 200
)

// misnamed says what is wrong with a name, "" if nothing is.
func misnamed(name string, most int) string {
	switch {
	case strings.TrimSpace(name) == "":
		return "the name is empty: give one"
	case !strings.ContainsFunc(name, visible) && unprintable(name, most) == "":
		return fmt.Sprintf("the name %+q shows nothing: give one that can be seen", name)
	case strings.TrimSpace(name) != name:
		return fmt.Sprintf("the name %q begins or ends with a space: take it away", name)
	}
	return unprintable(name, most)
}

// SameName reports whether two names of configurations are one: an é may be written as one
// character or as two, and looks the same.
func SameName(a, b string) bool { return norm.NFC.String(a) == norm.NFC.String(b) }

// visible reports whether a character leaves ink. Fillers of Hangul are letters, and the
// blank of Braille a symbol, by their category alone.
func visible(r rune) bool {
	const blankBraille = '\u2800'
	return unicode.IsGraphic(r) && !unicode.IsSpace(r) && r != blankBraille &&
		!unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// unprintable says why a text cannot stand in a table, "" if it can.
func unprintable(text string, most int) string {
	if n := utf8.RuneCountInString(text); n > most {
		return fmt.Sprintf("a text of %d characters: give at most %d", n, most)
	}
	for _, r := range text {
		if !unicode.IsGraphic(r) {
			return fmt.Sprintf("%q holds the control character %U: take it away", text, r)
		}
	}
	return ""
}
