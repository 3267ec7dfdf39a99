package answer

import (
	"strings"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/text"
)

// maxSentenceBytes is the longest sentence that is looked at as a refusal.
const maxSentenceBytes = 600

// intent recognises a folded sentence in which the writer refuses or abstains. It must
// say so of itself at its start, so that a quoted or reported refusal is none,
// and must not go on to give the answer. next is the sentence after it.
func intent(sentence, next string) Kind {
	if len(sentence) > maxSentenceBytes {
		return None
	}
	kind, rest := opening(stripOpeners(sentence))
	word, _ := text.FirstWord(next)
	if kind == None || givesAnswer(rest) || (word == "but" || word == "however") && givesAnswer(next) {
		return None
	}
	return kind
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

// givesAnswer looks for a contrast that leads back to an answer: "but it was
// 1969" does, "but I can tell you more about it" does not.
func givesAnswer(s string) bool {
	w := vocabulary()
	for _, contrast := range w["contrast"] {
		at := indexPhrase(s, contrast)
		if at < 0 {
			continue
		}
		word, _ := text.FirstWord(strings.TrimLeft(s[at+len(contrast):], " ,"))
		if word != "" && !w.has("offer", word) {
			return true
		}
	}
	return false
}

// indexPhrase finds a phrase whose words stand as words of their own, behind a space or a
// comma.
func indexPhrase(s, phrase string) int {
	last, _ := utf8.DecodeLastRuneInString(phrase)
	for from := 0; ; {
		i := strings.Index(s[from:], phrase)
		if i < 0 {
			return -1
		}
		at := from + i
		from = at + len(phrase)
		begins := at == 0 || s[at-1] == ' ' || s[at-1] == ',' || phrase[0] == ','
		if begins && !(text.IsWord(last) && text.StartsWord(s[from:])) {
			return at
		}
	}
}
