package answer

import (
	"strings"

	"github.com/seed-5817661a/concur/internal/text"
)

// isSentence reports whether a line of several words says something: it has a finite verb
// in small letters. In names verbs have capitals: Life Is Beautiful.
func isSentence(s string) bool {
	w := proseWords()
	words := strings.Fields(s)
	for i, word := range words {
		if i > 0 && i+1 < len(words) && (w.has("copula", word) || w.has("finite", word)) {
			return true
		}
	}
	return false
}

// newInMessage returns what is new in the sentence that repeats most words of the question.
func (m final) newInMessage() string {
	short, most := "", 0
	for _, at := range text.Sentences(m.text) {
		if rest, n := m.joined(at.Of(m.text)); n >= most && rest != "" {
			short, most = rest, n
		}
	}
	return short
}

// newIn returns what a sentence adds to the words of the question.
func (m final) newIn(sentence string) string {
	rest, _ := m.joined(sentence)
	return rest
}

// joined reads a sentence that joins words of the question to something else by a copula:
// of "The capital of France is Paris." it returns Paris, and how many words it repeats.
func (m final) joined(sentence string) (rest string, repeated int) {
	asked := m.question().words
	if len(asked) == 0 || isQuestion(sentence) || supposes(strings.ToLower(sentence)) {
		return "", 0
	}
	sentence = strings.TrimLeft(blankCitations(sentence), decoration)
	tokens := text.Tokens(sentence, text.DropMarks)
	// old and new are the words of the sentence up to a token that the question has and has not.
	old, fresh := make([]int, len(tokens)+1), make([]int, len(tokens)+1)
	w := proseWords()
	for i, t := range tokens {
		old[i+1], fresh[i+1] = old[i], fresh[i]
		switch {
		case w.has("small", t.Folded) || w.has("copula", t.Folded):
		case asked[t.Folded] || asked[strings.TrimSuffix(t.Folded, "'s")]:
			old[i+1]++
		default:
			fresh[i+1]++
		}
	}
	last := len(tokens)
	for i, t := range tokens {
		if !w.has("copula", t.Folded) {
			continue
		}
		n := old[i]
		switch {
		case fresh[i] == 0 && n > 0 && fresh[last] > 0:
			rest = sentence[t.End:]
		case fresh[i] > 0 && fresh[last] == fresh[i] && old[last] > old[i]:
			rest, n = sentence[:t.Start], old[last]-old[i]
		default:
			continue
		}
		rest = undress(cutStops(m.clause(strings.TrimSpace(rest))))
		folded := text.Fold(rest)
		word, _ := text.FirstWord(folded)
		if w.has("never", word) || len(strings.Fields(rest)) > maxLineWords || strings.ContainsAny(rest, "\r\n") {
			return "", 0
		}
		return rest, n
	}
	return "", 0
}
