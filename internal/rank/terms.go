package rank

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"
)

// Terms is the analysis of text that indexes, queries and relevance scores share: runs of letters and digits, with
// case and diacritics folded and English endings removed by the Porter2 stemmer.
func Terms(text string) []string {
	fields := strings.FieldsFunc(fold(text), notInWord)
	stems.Lock()
	defer stems.Unlock()
	for i, f := range fields {
		stem, known := stems.of[f]
		if !known {
			if len(stems.of) >= maxStems {
				clear(stems.of)
			}
			stem = english.Stem(f, false)
			stems.of[strings.Clone(f)] = stem
		}
		fields[i] = stem
	}
	return fields
}

// stems remembers the stems of words: the same pages are read again and again, and stemming takes
// most of the time. After maxStems words, a few megabytes, it begins again.
var stems = struct {
	sync.Mutex
	of map[string]string
}{of: map[string]string{}}

const maxStems = 1 << 16

// Words are the runs of letters and digits of a text as written, with their marks and without possessive endings.
func Words(text string) []string {
	return strings.FieldsFunc(possessives.Replace(text), func(r rune) bool { return notInWord(r) && !unicode.IsMark(r) })
}

func notInWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// possessives do not count as words.
var possessives = strings.NewReplacer("'s", "", "’s", "")

func fold(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) {
		stripped, _, err := transform.String(transform.Chain(norm.NFKD, runes.Remove(runes.In(unicode.Mn)), norm.NFC), text)
		if err == nil { // should not happen; unfolded text still matches itself
			text = stripped
		}
	}
	return possessives.Replace(strings.ToLower(text))
}
