package answer

import (
	"strings"

	"github.com/seed-5817661a/concur/internal/text"
)

// maxSentenceBytes is the longest sentence that is looked at as a refusal.
const maxSentenceBytes = 600

// intent recognises a folded sentence in which the writer refuses or abstains. It must say so of itself at its start,
// so that a quoted or reported refusal is none, and must not go on to give the answer.
func intent(sentence string) Kind {
	if len(sentence) > maxSentenceBytes {
		return None
	}
	if kind, rest := opening(stripOpeners(sentence)); !givesAnswer(rest) {
		return kind
	}
	return None
}

// opening matches the start of a sentence and returns what follows.
func opening(s string) (Kind, string) {
	w := vocabulary()
	for _, role := range []string{"refuse", "abstain", "unable", "failed"} {
		rest, ok := cutAny(s, w[role])
		kind, known := map[string]Kind{"refuse": Refused, "abstain": Abstained}[role]
		switch {
		case ok && known:
			return kind, rest
		case ok:
			return verbIntent(rest, role == "failed")
		}
	}
	return None, ""
}

// cutAny cuts the first of several phrases that starts s as words of its own.
func cutAny(s string, phrases []string) (rest string, ok bool) {
	for _, phrase := range phrases {
		if rest, ok := text.CutWord(s, phrase); ok {
			return rest, true
		}
	}
	return s, false
}

// verbIntent tells "I can't help" from "I can't find". What tells of a search that failed,
// or of what cannot be done at all, is never a refusal.
func verbIntent(s string, failed bool) (Kind, string) {
	w := vocabulary()
	s, _ = cutAny(s, w["adverb"])
	verb, rest := text.FirstWord(s)
	next, _ := text.FirstWord(strings.TrimPrefix(rest, " "))
	switch {
	case w.has("abstaining", verb):
		return Abstained, rest
	case failed:
		return None, ""
	case verb == "" || w.has("refusing", verb):
		return Refused, rest
	case verb == "help" && (next == "" || w.has("helped", next)): // "I can't help myself" is no refusal
		return Refused, rest
	}
	return None, ""
}

// stripOpeners removes apologies and the like before the sentence proper.
func stripOpeners(s string) string {
	for range 4 {
		rest, ok := cutAny(s, vocabulary()["opener"])
		if !ok {
			break
		}
		s = strings.TrimLeft(rest, " ,;:-.!")
	}
	return s
}

// contrast may lead back to an answer.
var contrast = phrases("contrast")

// givesAnswer looks for a contrast that leads back to an answer: "but it was
// 1969" does, "but I can tell you more about it" does not.
func givesAnswer(s string) bool {
	for _, at := range contrast().FindAllStringIndex(s, -1) {
		word, _ := text.FirstWord(strings.TrimLeft(s[at[1]:], " ,"))
		if word != "" && !vocabulary().has("offer", word) {
			return true
		}
	}
	return false
}
