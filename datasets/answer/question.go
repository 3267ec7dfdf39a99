package answer

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/internal/value"
)

// repeatable is what an answer may repeat of its question.
type repeatable struct {
	words, stems map[string]bool
	meaning      []string // the words that say something, in order
	values       func() []value.Value
	agent        bool     // it asks who did something: who, whom, or a verb without an auxiliary
	asksClock    bool     // it asks for a time of day
	place        bool     // it asks for a place, in another language than English
	when, where  bool     // it begins with that word, in English
	person       bool     // it asks who did something, in another language than English
	open         bool     // it asks who, what or how, so that yes is no answer
	who          bool     // it asks for a person
	counter      string   // the word in which it counts, where words have no spaces: 条 of 多少条船
	auxiliary    int      // 1 if it has do, does or did: a word of it alone is not what is asked for
	deed         string   // the verb of what a person did, where it asks for the person
	options      []string // the texts of options A, B and so on that it offers
}

func inQuestion(question string) *repeatable {
	r := &repeatable{words: map[string]bool{}, stems: map[string]bool{}, options: questionOptions(question)}
	r.values = sync.OnceValue(func() []value.Value { return value.Find(question, maxAsked) })
	w := vocabulary()
	for _, t := range text.Tokens(question, text.DropMarks) {
		r.words[t.Folded], r.stems[stem(t.Folded)] = true, true
		r.open = r.open || w.has("interrogative", t.Folded)
		if says(t.Folded) && !w.has("finite", t.Folded) {
			r.meaning = append(r.meaning, t.Folded)
		}
	}
	folded := text.Fold(question)
	first, _ := text.FirstWord(folded)
	r.when, r.where = first == "when", first == "where"
	spoken := tables()[languageOf(folded)]
	r.asksClock = spoken.contains("asks clock", folded)
	r.place, r.person = spoken.contains("asks place", folded), spoken.contains("asks person", folded)
	if _, end := spoken.next("asks count", folded, 0); end > 0 {
		if word, _ := utf8.DecodeRuneInString(strings.TrimLeft(folded[end:], " ")); unicode.IsLetter(word) {
			r.counter = string(word)
		}
	}
	isAny := func(role string) bool {
		return slices.ContainsFunc(w.rows[role], func(word string) bool { return r.words[word] })
	}
	r.who = isAny("agent")
	r.agent = r.who || !isAny("copula") && !isAny("finite")
	if r.words["do"] || r.words["does"] || r.words["did"] {
		r.auxiliary = 1
	}
	if i := slices.IndexFunc(r.meaning, isPast); r.who && i >= 0 {
		r.deed = r.meaning[i]
	}
	return r
}

// isPast reports whether a folded word may be a past tense: wrote, painted.
func isPast(word string) bool { return vocabulary().has("past", word) || isParticiple(word) }

// says reports whether a folded word says something of what is asked.
func says(word string) bool { return !silent()[word] }

// silent holds the words that say nothing of what is asked.
var silent = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for _, role := range []string{"small", "copula"} {
		maps.Copy(words, vocabulary().is[role])
	}
	return words
})

// stemBytes is the length from which words that begin alike are taken for the same: inventor and invented.
const stemBytes = 6

func stem(word string) string { return word[:min(len(word), stemBytes)] }

// has reports whether the question has a folded word, or another of its stem.
func (r *repeatable) has(word string) bool {
	return r.stems[stem(word)] || r.words[strings.TrimSuffix(word, "'s")]
}

// mayShare reports whether a folded sentence may have a word of the question, or another of its stem.
func (r *repeatable) mayShare(folded string) bool {
	return slices.ContainsFunc(r.meaning, func(word string) bool { return strings.Contains(folded, stem(word)) })
}

// repeats counts the words of a text that the question has too.
func (m *final) repeats(s string) int {
	n := 0
	for _, t := range m.tokens(s) {
		if says(t.Folded) && m.question().has(t.Folded) {
			n++
		}
	}
	return n
}
