package inject

import (
	"html"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// normalise brings a text to the letters that a reader sees: HTML entities
// resolved, invisible characters removed (text hidden in Unicode tags appended
// in clear), compatibility forms and look-alikes replaced by plain letters,
// accents dropped, case folded. It counts the invisible characters.
func normalise(text string) (folded string, invisible int) {
	visible, hidden, invisible := stripInvisible(html.UnescapeString(strings.ToValidUTF8(text, "\uFFFD")))
	if hidden != "" {
		visible += "\n" + hidden
	}
	folded = strings.Map(plainLetter, norm.NFKD.String(visible))
	return norm.NFC.String(cases.Fold().String(folded)), invisible
}

// plainLetter drops combining marks and replaces look-alikes.
func plainLetter(r rune) rune {
	if r < unicode.MaxASCII {
		return r
	}
	if unicode.Is(unicode.Mn, r) {
		return -1
	}
	return lookAlike(r)
}

// squeeze replaces every run of white space by one space.
func squeeze(s string) string {
	return strings.Join(strings.Fields(s), " ")
}
