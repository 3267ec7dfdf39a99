package cite

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// hasWord reports whether a source has a word of a name. The word may be inflected, in another spelling, or an
// alias. When the budget of the audit is used up, other spellings are no longer looked for.
func (a *audit) hasWord(s *source, token string) bool {
	if s.stems[stem(token)] || holdsAlias(s, token) {
		return true
	}
	has, known := s.other[token]
	const letters = 8 // number of letters that are compared
	if !known && a.spend(letters*len(s.words.tokens)) {
		has = s.words.spells(token) || s.hasKin(token)
		for _, ending := range []string{"man", "men", "woman", "women"} { // for example Irishman
			people, ok := strings.CutSuffix(token, ending)
			has = has || ok && len(people) > 3 && (s.stems[stem(people)] || holdsAlias(s, people))
		}
		s.other[token] = has
	}
	return has
}

// holdsAlias reports whether a source has another form of a name, from the list of aliases.
func holdsAlias(s *source, name string) bool {
	return slices.ContainsFunc(knowledge().aliases[name], func(other string) bool { return s.words.holds(fold(other)) })
}

// spells reports whether consecutive names begin with the letters of a short form, such as MIT for
// Massachusetts Institute of Technology, or mm for M. M. A small word such as "of" may have a letter in the
// short form, or none.
func (w words) spells(short string) bool {
	if len(short) < 2 || len(short) > maxShort {
		return false
	}
	for at, upper := range w.upper {
		n := 0
		for i := at; upper && n < len(short) && (i == at || i < len(w.tokens) && w.joins[i]); i++ {
			if same := w.tokens[i][0] == short[n]; same {
				n++
			} else if !inClass("particle", w.tokens[i]) {
				break
			}
		}
		if n == len(short) {
			return true
		}
	}
	return false
}

// hasKin reports whether a source has a word with the same stem, such as Norway for Norwegian.
func (s *source) hasKin(token string) bool {
	const root = 4
	n := utf8.RuneCountInString(token)
	if n > maxKin || n < root {
		return false
	}
	for t := range s.stems {
		same := 0
		for p, q := []rune(token), []rune(t); same < min(len(p), len(q)) && p[same] == q[same]; same++ {
		}
		if same >= root && 2*same >= min(n, utf8.RuneCountInString(t)) {
			return true
		}
	}
	return false
}

// maxKin limits two numbers: the names of an answer for which other spellings are looked for, and the
// characters of such a word.
const maxKin = 40

// edits returns the Levenshtein distance of two words.
func edits(a, b string) int {
	p := []rune(a)
	column := make([]int, len(p)+1)
	for i := range column {
		column[i] = i
	}
	for _, r := range b {
		diagonal := column[0]
		column[0]++
		for i := 1; i <= len(p); i++ {
			cost := diagonal
			if p[i-1] != r {
				cost++
			}
			diagonal = column[i]
			column[i] = min(cost, column[i]+1, column[i-1]+1)
		}
	}
	return column[len(p)]
}
