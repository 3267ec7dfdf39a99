package answer

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/text"
)

// maxNameWords is the most words with a meaning of their own in a name that ends in a full
// stop and is partly in small letters: none of 578 recorded gold answers has more.
const maxNameWords = 4

// isSentence reports whether a line says something: it has a finite verb in small letters,
// which in names have capitals (Life Is Beautiful). Before a full stop a participle
// that no article precedes, or many words, are enough.
func isSentence(s string) bool {
	w := vocabulary()
	bare := strings.TrimSuffix(s, ".")
	stop := bare != s && !text.IsAbbreviation(bare, 0)
	words := strings.Fields(bare)
	small, meaning := false, 0
	for i, word := range words {
		word = strings.Trim(word, ",\"'“”()*_")
		if i > 0 && (stop || i+1 < len(words)) && (w.has("copula", word) || w.has("finite", word) || w.has("past", word)) ||
			i > 0 && stop && isParticiple(word) && !w.has("article", strings.ToLower(words[i-1])) {
			return true
		}
		if !w.has("small", strings.ToLower(word)) && !w.has("particle", strings.ToLower(word)) {
			meaning++
			initial, _ := utf8.DecodeRuneInString(word)
			small = small || i > 0 && unicode.IsLower(initial)
		}
	}
	return stop && small && meaning > maxNameWords
}

// isParticiple knows words such as written and directed, which are also past tenses.
func isParticiple(word string) bool {
	stem, regular := strings.CutSuffix(word, "ed")
	return vocabulary().has("participle", word) || regular && len(stem) > 2 && stem == strings.ToLower(stem) && !strings.HasSuffix(stem, "e")
}

// agent reads what follows the copula of a passive: of "written by William Shakespeare" the
// name, where the question asks who did it. Any other participle with a phrase behind it is
// no name.
func (m final) agent(rest string) string {
	w := vocabulary()
	words := strings.Fields(rest)
	by := slices.Index(words, "by")
	switch {
	case by > 0 && !w.has("small", words[0]) && isParticiple(words[by-1]):
		if !m.question().agent {
			return ""
		}
		words = words[by+1:]
		if end := slices.IndexFunc(words, func(word string) bool { return w.has("phrase", word) }); end >= 0 {
			words = words[:end]
		}
		return strings.TrimRight(strings.Join(words, " "), stops)
	case len(words) > 1 && isParticiple(words[0]) && w.has("small", words[1]):
		return ""
	}
	return rest
}

// newInMessage returns what is new in the sentence that repeats most words of the question.
func (m final) newInMessage() string {
	short, most := "", 0
	for _, at := range m.sentences() {
		if rest, n := m.joined(at.Of(m.text)); n >= most && rest != "" {
			short, most = rest, n
		}
	}
	return short
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
	w := vocabulary()
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
		rest = undress(m.agent(cutStops(m.clause(strings.TrimSpace(rest)))))
		folded := text.Fold(rest)
		word, _ := text.FirstWord(folded)
		if w.has("never", word) || len(strings.Fields(rest)) > maxLineWords || strings.ContainsAny(rest, "\r\n") {
			return "", 0
		}
		return rest, n
	}
	return "", 0
}
