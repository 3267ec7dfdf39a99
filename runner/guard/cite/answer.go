package cite

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/value"
)

// answerNames lists the names of an answer line. A short form or symbol (W, GSI) and words
// that any answer may use are none.
func answerNames(answer string) []string {
	out := katakana.FindAllString(answer, maxNames)
	for _, n := range capitalised(answer, true) {
		plain := func(w string) bool {
			w = strings.ToLower(strings.TrimRight(w, ".,"))
			return is("plain", w) || value.IsNumberWord(w)
		}
		words := strings.Fields(n.text)
		symbol := len(words) == 1 && (utf8.RuneCountInString(n.text) < 3 || strings.ToUpper(n.text) == n.text)
		if !symbol && slices.ContainsFunc(words, func(w string) bool { return !plain(w) }) {
			out = append(out, n.text)
		}
	}
	return out
}

// checkAnswerNames is C6 of the answer line: a name that no cited document has is an error.
func (a *audit) checkAnswerNames(c *claim) {
	if len(a.allCited) == 0 {
		return // C1 or C9 has said so
	}
	sources := append([]*source{a.query}, c.sources...)
	for _, text := range c.answers {
		n := name{text: text}
		w, missing := a.lacks(n, sources)
		whole := len(missing) == len(w.tokens)
		if len(missing) == 0 || !whole && !a.replaces(c, w, missing) || a.otherLanguage(c, text) {
			continue
		}
		hint := a.elsewhere(c, func(s *source) bool {
			_, missing := a.lacks(n, []*source{s})
			return len(missing) == 0
		})
		a.problem(c, CheckName, Error, "the answer "+quoted(text)+" is not "+in(c)+hint)
		return
	}
	a.checkNames(c)
}

// otherLanguage reports whether a message is written in another language or script than
// what it cites. Names are translated, then: Donau and Wien are in no English document.
func (a *audit) otherLanguage(c *claim, name string) bool {
	const enough, shared = 5, 0.15
	has := func(token string) bool {
		return slices.ContainsFunc(c.sources, func(s *source) bool { return s.stems[stem(token)] })
	}
	found := 0
	for _, token := range a.tokens {
		if has(token) {
			found++
		}
	}
	if n := len(a.tokens); n >= enough && float64(found) < shared*float64(n) {
		return true
	}
	for _, script := range []*unicode.RangeTable{unicode.Latin, unicode.Cyrillic, unicode.Greek, unicode.Katakana} {
		if unicode.Is(script, firstRune(name)) {
			return !slices.ContainsFunc(c.sources, func(s *source) bool {
				return strings.IndexFunc(s.text, func(r rune) bool { return unicode.Is(script, r) }) >= 0
			})
		}
	}
	return false
}
