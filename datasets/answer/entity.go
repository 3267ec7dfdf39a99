package answer

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/text"
)

// entityName takes what does not tell names apart from one: initialisms lose their
// points, a leading article goes when more than one word remains. All other punctuation
// inside stays, so that C, C# and C++ are three names. It is empty for marks alone.
func entityName(s string) string {
	name := s
	for range maxPasses {
		// Removing points can join letters that Unicode composes.
		next, _ := clean(dropArticle(collapseInitialisms(name)))
		if next == name {
			break
		}
		name = next
	}
	if strings.Trim(name, " .,;:!?\"'*_`()[]{}。、") == "" {
		return ""
	}
	return name
}

// dropArticle removes a leading article. It leaves the first of two ("a a milne",
// "la la land") and a lone word after one ("the who"), which are more likely part
// of the name.
func dropArticle(s string) string {
	rest, found := strings.CutPrefix(s, "l'")
	if !found {
		var first string
		first, rest, found = strings.Cut(s, " ")
		if !found || !vocabulary().has("article", first) {
			return s
		}
	}
	second, _, more := strings.Cut(rest, " ")
	initial, _ := utf8.DecodeRuneInString(rest)
	if !more || vocabulary().has("article", second) || strings.HasPrefix(rest, "l'") || !text.IsWord(initial) {
		return s
	}
	return rest
}

// initials is a run of single letters, each but the last followed by a point, that stands
// apart: u.s. and j. r. r. tolkien, but not a.name.
var initials = regexp.MustCompile(`(^|[^\pL\pM\p{Nd}'])(\pL\.(?: ?\pL\.)*(?: ?\pL)?)($|[^\pL\pM\p{Nd}'.])`)

// collapseInitialisms turns "u.s." into "us" and "j. r. r. tolkien" into "jrr tolkien".
func collapseInitialisms(s string) string {
	for _, at := range slices.Backward(initials.FindAllStringSubmatchIndex(s, -1)) {
		s = s[:at[4]] + strings.NewReplacer(".", "", " ", "").Replace(s[at[4]:at[5]]) + s[at[5]:]
	}
	return s
}
