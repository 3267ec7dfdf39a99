package datasets

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/seed-5817661a/concur/datasets/answer"
)

// pairs looks for keywords that must both stand in a message although they are ways
// to say the same.
func (l *linter) pairs() {
	groups := l.record.Gold.AllOf
	for j, later := range groups {
		for _, earlier := range groups[:j] {
			for _, b := range later.words {
				for _, a := range earlier.words {
					if how := alike(a.text, b.text); how != "" {
						l.report(b.at, AndList, "all_of asks for both %.60q and %.60q, %s; if either will do, write [[%q, %q]], else drop one",
							a.text, b.text, how, a.text, b.text)
					}
				}
			}
		}
	}
}

// alike says how two keywords are alike, and nothing where they are not.
func alike(a, b string) string {
	switch {
	case answer.ContainsTokens(a, b) && answer.ContainsTokens(b, a):
		return "which are the same"
	case answer.ContainsTokens(a, b) || answer.ContainsTokens(b, a):
		return "one of which contains the other"
	case sameValue(a, b):
		return "which are the same value"
	case sameSpelling(a, b):
		return "which look like two spellings"
	}
	return ""
}

// sameValue tells that some type reads both, with nothing left over, as one value.
func sameValue(a, b string) bool {
	return slices.ContainsFunc(answer.Types(), func(t answer.Type) bool {
		x, errX := answer.Normalize(a, t, answer.Options{})
		y, errY := answer.Normalize(b, t, answer.Options{})
		return errX == nil && errY == nil && x.Key == y.Key &&
			x.Confidence == answer.Exact && len(x.Flags)+len(y.Flags) == 0
	})
}

// sameSpelling tells that two names differ in nothing but case, accents, spaces and
// punctuation, or besides in one vowel or doubled letter, as Dostoevsky and
// Dostoyevsky do. A vowel counts only in names with at least three consonants: Oslo
// and Isla are two. In figures every sign counts.
func sameSpelling(a, b string) bool {
	if strings.ContainsFunc(a+b, unicode.IsDigit) {
		return false
	}
	x, y := skeleton(a), skeleton(b)
	if x.letters == "" || y.letters == "" {
		return false
	}
	if x.letters == y.letters {
		return true
	}
	apart := len(x.letters) - len(y.letters)
	return x.consonants == y.consonants && len(x.consonants) >= 3 && x.letters[0] == y.letters[0] && -1 <= apart && apart <= 1
}

// bones are what is left of a name: letters without accents and signs such as those
// of C++ and C#, and of these all but the vowels, doubled ones once.
type bones struct {
	letters, consonants string
}

func skeleton(name string) bones {
	var letters, consonants strings.Builder
	last := rune(0)
	plain := strings.NewReplacer("ø", "o", "æ", "ae", "œ", "oe", "ß", "ss", "ł", "l", "đ", "d", "ı", "i").Replace(strings.ToLower(name))
	for _, r := range norm.NFKD.String(plain) {
		if !unicode.IsLetter(r) && !unicode.IsSymbol(r) && !strings.ContainsRune("#&%@*/", r) {
			continue
		}
		letters.WriteRune(r)
		if r != last && !strings.ContainsRune("aeiouy", r) {
			consonants.WriteRune(r)
		}
		last = r
	}
	return bones{letters.String(), consonants.String()}
}
