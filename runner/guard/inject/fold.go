package inject

import (
	_ "embed"
	"html"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// normalise brings a text to the letters that a reader sees: HTML entities
// resolved, invisible characters removed (text hidden in Unicode tags appended
// in clear), compatibility forms and look-alikes replaced by plain letters,
// accents dropped, case folded. It counts the invisible characters.
func normalise(text string) (folded string, invisible int) {
	text = html.UnescapeString(strings.ToValidUTF8(text, "\uFFFD"))
	visible, hidden, invisible := stripInvisible(text)
	if hidden != "" {
		visible += "\n" + hidden
	}
	return foldLetters(visible), invisible
}

func foldLetters(s string) string {
	return norm.NFC.String(cases.Fold().String(strings.Map(plainLetter, norm.NFKD.String(s))))
}

//go:embed confusables.tsv
var confusableTable string

// lookAlikes gives the plain character that another imitates.
var lookAlikes = sync.OnceValue(func() map[rune]rune {
	table := map[rune]rune{'\u2028': '\n', '\u2029': '\n', '\u0085': '\n'}
	for line := range strings.Lines(confusableTable) {
		imitations, plain, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		originals := []rune(plain)
		for i, r := range []rune(imitations) {
			if i < len(originals) {
				table[r] = originals[i]
			}
		}
	}
	return table
})

// plainLetter drops combining marks and replaces look-alikes.
func plainLetter(r rune) rune {
	switch {
	case r < unicode.MaxASCII:
		return r
	case unicode.Is(unicode.Mn, r):
		return -1
	}
	if plain, ok := lookAlikes()[r]; ok {
		return plain
	}
	return r
}

// squeeze replaces every run of white space by one space, none at the ends.
func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }

func isASCIISpace(b byte) bool { return b == ' ' || b >= '\t' && b <= '\r' }
