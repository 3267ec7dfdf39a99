package cite

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/value"
)

var (
	answerLead = regexp.MustCompile(`(?i)^(?:(?:the |my |final )*answer(?: is|:)|it(?: is| was|'s)|that(?: is| was)|they (?:are|were)) +`)
	answerJoin = regexp.MustCompile(`[,;/&、，；]|\s(?:and|or|und|oder|et|ou|y|e|o)\s`)
)

const aroundAnswer = " \t\r.!;:\"'“”‘’。"

// answerNames lists the parts of an answer line, taken apart at its commas and conjunctions,
// that are names and nothing else.
func answerNames(answer string) []string {
	answer = strings.Trim(answer, aroundAnswer)
	var out []string
	for _, part := range answerJoin.Split(answerLead.ReplaceAllString(answer, ""), maxKin) {
		part = strings.Trim(part, aroundAnswer)
		part = strings.TrimPrefix(strings.TrimPrefix(part, "The "), "the ")
		if isWholeName(part) {
			out = append(out, part)
		}
	}
	return out
}

// isWholeName tells a name from another answer: all its words are capitalised, and it is
// neither a short form or symbol (W, GSI) nor of words that any answer may use.
func isWholeName(part string) bool {
	if katakana.FindString(part) == part {
		return true
	}
	words := strings.Fields(part)
	if len(words) > maxNameWords || len(words) == 0 || unicode.IsDigit(firstRune(part)) {
		return false
	}
	for i, w := range words {
		w = strings.TrimRight(w, ".,")
		small := strings.ToLower(w)
		switch {
		case i > 0 && isParticle(w), i > 0 && hasDigit(w):
		case !unicode.IsUpper(firstRune(w)), isStopWord(small), knowledge().class["plain"][small], value.IsCalendarWord(w), value.IsNumberWord(small):
			return false
		}
	}
	return len(words) > 1 || utf8.RuneCountInString(part) > 2 && !hasDigit(part) && strings.ToUpper(part) != part
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
		hint := a.elsewhere(c, func(s *source) bool { return a.names(s, n) })
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
	for _, token := range a.said {
		if has(token) {
			found++
		}
	}
	if n := len(a.said); n >= enough && float64(found) < shared*float64(n) {
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
