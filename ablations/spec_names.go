package ablations

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
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
	case strings.TrimSpace(name) != name:
		return fmt.Sprintf("the name %q begins or ends with a space: take it away", name)
	}
	return unprintable(name, most)
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
