package cite

import (
	"regexp"
	"slices"
	"sort"
	"strings"
	"unicode"

	"github.com/seed-5817661a/concur/internal/text"
)

// unstated is a heading, a list mark alone or the rule of a table.
var unstated = regexp.MustCompile(`^\s*(?:#{1,6}\s|\(?\d{1,2}[.)]\s*$)|^[\s|:-]+$`)

// sentences divides an explanation into claims. Headings without a citation are none.
func sentences(body string, known backends) []sentence {
	cites := mentions(body, known)
	// A citation that follows the stop of a sentence, also on a line of its own, belongs
	// to that sentence: "… in 1990. [corpus_1]".
	var spans []text.Span
	for _, s := range text.Sentences(body) {
		if n := len(spans); n > 0 {
			if end := leadingCitations(body, s, cites); end > s.Start {
				spans[n-1].End, s.Start = end, end
			}
		}
		if s.Start < s.End {
			spans = append(spans, s)
		}
	}
	var out []sentence
	for _, s := range spans {
		claim := s.Of(body)
		within := slices.Clone(mentionsIn(cites, s))
		if len(within) == 0 && (unstated.MatchString(claim) || !hasWord(claim)) {
			continue
		}
		for i := range within {
			within[i].Start -= s.Start
			within[i].End -= s.Start
		}
		out = append(out, newSentence(claim, within, false))
	}
	return out
}

// leadingCitations is the end of the citations that a sentence begins with, if they are
// those of the sentence before: a bracket that a small letter follows is the subject of
// its own sentence.
func leadingCitations(body string, s text.Span, cites []mention) int {
	within := mentionsIn(cites, s)
	end := s.Start
	for _, m := range within {
		if hasWord(body[end:m.Start]) {
			break
		}
		end = m.End
	}
	if end == s.Start {
		return end
	}
	rest := body[end:s.End]
	if !hasWord(rest) {
		return s.End
	}
	if unicode.IsLower(firstRune(strings.TrimLeft(rest, " \t"))) {
		return s.Start
	}
	return s.End - len(strings.TrimLeft(rest, ".!?"))
}

func hasWord(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) >= 0
}

// mentionsIn gives the citations that begin within a span.
func mentionsIn(cites []mention, s text.Span) []mention {
	from := sort.Search(len(cites), func(i int) bool { return cites[i].Start >= s.Start })
	to := sort.Search(len(cites), func(i int) bool { return cites[i].Start >= s.End })
	return cites[from:to]
}
