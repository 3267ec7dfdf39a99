package search

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"
)

// Terms is the analysis of text that index, queries and relevance score share: runs of
// letters and digits, with case and diacritics folded and English endings removed by the
// Porter2 stemmer.
func Terms(text string) []string {
	fields := strings.FieldsFunc(fold(text), notInWord)
	for i, f := range fields {
		fields[i] = english.Stem(f, false)
	}
	return fields
}

func notInWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// possessives do not count as words.
var possessives = strings.NewReplacer("'s", "", "’s", "")

func fold(text string) string {
	if !isASCII(text) {
		stripped, _, err := transform.String(transform.Chain(norm.NFKD, runes.Remove(runes.In(unicode.Mn)), norm.NFC), text)
		if err == nil { // should not happen; unfolded text still matches itself
			text = stripped
		}
	}
	return possessives.Replace(strings.ToLower(text))
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
