package answer

import (
	"regexp"
	"slices"
	"strings"
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
	at := article().FindStringSubmatchIndex(s)
	if at == nil || vocabulary().has("article", s[at[2]:at[3]]) || strings.HasPrefix(s[at[2]:], "l'") {
		return s
	}
	return s[at[2]:]
}

// article is one at the start, with the first of several words behind it.
var article = expression(`^(?:l'|`, ` )([\pL\pM\p{Nd}][^ ]*) `, "article")

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
