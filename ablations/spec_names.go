package ablations

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// The longest texts, in characters. A cell's name consists of keys and values, which the
// author of a spec cannot shorten.
const (
	maxName = 80
	maxCell = 200
	maxNote = 200
)

// nameProblem describes what is wrong with a name; "" if nothing is.
func nameProblem(name string, most int) string {
	switch {
	case strings.TrimSpace(name) == "":
		return "the name is empty: give one"
	case !strings.ContainsFunc(name, visible) && textProblem(name, most) == "":
		return fmt.Sprintf("the name %+q shows nothing: give one that can be seen", name)
	case strings.TrimSpace(name) != name:
		return fmt.Sprintf("the name %q begins or ends with a space: remove it", name)
	}
	return textProblem(name, most)
}

// SameName reports whether two names are equal after Unicode normalisation: é may be
// written as one character or as two.
func SameName(a, b string) bool { return norm.NFC.String(a) == norm.NFC.String(b) }

// visible reports whether a character can be seen. By their category alone, the Hangul
// fillers would be letters and the Braille blank a symbol.
func visible(r rune) bool {
	const blankBraille = '\u2800'
	return unicode.IsGraphic(r) && !unicode.IsSpace(r) && r != blankBraille &&
		!unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// textProblem describes why a text cannot be shown in a table; "" if it can.
func textProblem(text string, most int) string {
	if n := utf8.RuneCountInString(text); n > most {
		return fmt.Sprintf("a text of %d characters: give at most %d", n, most)
	}
	for _, r := range text {
		if !unicode.IsGraphic(r) {
			return fmt.Sprintf("%q contains the control character %U: remove it", text, r)
		}
	}
	return ""
}
