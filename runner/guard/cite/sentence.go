package cite

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/seed-5817661a/concur/internal/text"
)

// unstated is a heading, a list mark alone or the rule of a table.
var unstated = regexp.MustCompile(`^\s*(?:#{1,6}\s|\(?\d{1,2}[.)]\s*$)|^[\s|:-]+$`)

// sentences divides an explanation into claims. Headings without a citation are not claims. A
// citation that follows the stop of a sentence, also on a line of its own, belongs to that
// sentence: "… in 1990. [corpus_1]".
func sentences(body string, known backends) []sentence {
	var spans []text.Span
	for _, s := range text.Sentences(body) {
		if n := len(spans); n > 0 {
			if led := leadingCitations(s.Of(body), known); led > 0 {
				s.Start += led
				spans[n-1].End = s.Start
			}
		}
		if s.Start < s.End {
			spans = append(spans, s)
		}
	}
	var out []sentence
	for _, s := range spans {
		if claim := newSentence(s.Of(body), known); len(claim.cites) > 0 || !unstated.MatchString(claim.text) && hasWord(claim.text) {
			out = append(out, claim)
		}
	}
	return out
}

// leadingCitations is the length of the citations that a sentence begins with, if they are
// those of the sentence before: a bracket that a small letter follows is the subject of
// its own sentence.
func leadingCitations(s string, known backends) int {
	end := 0
	for _, m := range mentions(s, known) {
		if hasWord(s[end:m.Start]) {
			break
		}
		end = m.End
	}
	switch rest := s[end:]; {
	case end == 0:
		return 0
	case !hasWord(rest):
		return len(s)
	case unicode.IsLower(firstRune(strings.TrimLeft(rest, " \t"))):
		return 0
	default:
		return len(s) - len(strings.TrimLeft(rest, ".!?"))
	}
}

func hasWord(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) >= 0
}
