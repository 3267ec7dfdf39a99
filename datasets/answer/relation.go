package answer

import (
	"strings"
	"unicode/utf8"
)

// relation is what stands between an answer and its number.
type relation string

const (
	equal   relation = ""
	approx  relation = "~"
	less    relation = "<"
	atMost  relation = "≤"
	more    relation = ">"
	atLeast relation = "≥"
	between relation = ".."
)

// tag is the tag of the key of a number under the relation.
func (r relation) tag() string {
	switch r {
	case approx:
		return tagApprox
	case less:
		return "lt"
	case atMost:
		return "le"
	case more:
		return "gt"
	case atLeast:
		return "ge"
	case between:
		return "range"
	}
	return tagRational
}

// cutRelation cuts a relation off the front of s. Words count only as words.
func cutRelation(s string) (relation, string) {
	for _, sign := range []struct {
		text string
		is   relation
	}{
		{"<=", atMost}, {">=", atLeast}, {"=<", atMost}, {"=>", atLeast},
		{"≤", atMost}, {"≥", atLeast}, {"⩽", atMost}, {"⩾", atLeast},
		{"<", less}, {">", more}, {"~", approx}, {"≈", approx}, {"≃", approx},
		{"≅", approx}, {"∼", approx}, {"=", equal},
	} {
		if rest, ok := strings.CutPrefix(s, sign.text); ok {
			return sign.is, strings.TrimPrefix(rest, " ")
		}
	}
	for _, phrase := range []struct {
		text string
		is   relation
	}{
		{"no more than", atMost}, {"not more than", atMost}, {"no less than", atLeast},
		{"no fewer than", atLeast}, {"not less than", atLeast}, {"less than", less},
		{"fewer than", less}, {"lower than", less}, {"more than", more},
		{"greater than", more}, {"higher than", more}, {"larger than", more},
		{"at least", atLeast}, {"at most", atMost}, {"up to", atMost},
		{"under", less}, {"below", less}, {"over", more}, {"above", more},
		{"exactly", equal}, {"precisely", equal}, {"between", between}, {"from", between},
	} {
		if rest, ok := cutWord(s, phrase.text); ok {
			return phrase.is, rest
		}
	}
	return cutApproximately(s)
}

// cutApproximately cuts a word such as "about" off the front of s.
func cutApproximately(s string) (relation, string) {
	if rest, ok := strings.CutPrefix(s, "~"); ok {
		return approx, strings.TrimPrefix(rest, " ")
	}
	if rest, ok := strings.CutPrefix(s, "≈"); ok {
		return approx, strings.TrimPrefix(rest, " ")
	}
	word := s
	if i := strings.IndexByte(s, ' '); i >= 0 {
		word = s[:i]
	}
	switch trimmed := strings.TrimSuffix(word, "."); {
	case isApproximately(trimmed), trimmed == "c", trimmed == "ca", trimmed == "some":
		return approx, strings.TrimPrefix(s[len(word):], " ")
	}
	// "ca.44" and "c.1969"
	for _, short := range []string{"ca.", "c."} {
		if rest, ok := strings.CutPrefix(s, short); ok && rest != "" && isDigit(rest[0]) {
			return approx, rest
		}
	}
	return equal, s
}

func isApproximately(word string) bool {
	switch word {
	case "about", "approximately", "approx", "around", "roughly", "circa", "nearly", "almost",
		"estimated", "probably", "perhaps", "maybe", "ungefähr", "etwa", "environ",
		"aproximadamente", "约", "大约", "約":
		return true
	}
	return false
}

// cutTrailingRelation reads "+", "or more" and the like after a number. It must
// take all of s.
func cutTrailingRelation(s string) (relation, bool) {
	switch strings.TrimPrefix(s, " ") {
	case "+", "or more", "or greater", "or above", "or over", "and above", "and over", "and up", "plus", "at least":
		return atLeast, true
	case "or less", "or fewer", "or below", "or under", "and below", "and under", "at most":
		return atMost, true
	case "approximately", "approx", "or so", "roughly", "more or less", "give or take":
		return approx, true
	}
	return equal, false
}

// cutWord cuts a word or phrase and the spaces after it off the front of s.
func cutWord(s, word string) (string, bool) {
	rest, ok := strings.CutPrefix(s, word)
	if !ok {
		return s, false
	}
	if r, _ := utf8.DecodeRuneInString(rest); rest != "" && isWord(r) {
		return s, false
	}
	return strings.TrimPrefix(rest, " "), true
}
