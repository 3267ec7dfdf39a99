package answer

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/internal/value"
)

// repeatable has the words and properties of the question that are needed to find an answer in a sentence that
// repeats words of the question.
type repeatable struct {
	words, stems map[string]bool
	meaning      []string // the significant words, in order
	values       func() []value.Value
	agent        bool     // the question asks who did something: who, whom, or a verb without an auxiliary
	asksClock    bool     // the question asks for a time of day
	difference   bool     // the question asks for the difference of two values
	place        bool     // the question asks for a place, in a language other than English
	when, where  bool     // the question begins with this word, in English
	person       bool     // the question asks who did something, in a language other than English
	open         bool     // the question asks who, what or how, so that yes is not an answer
	who          bool     // the question asks for a person
	counter      string   // the counting word, in a language without spaces: 条 in 多少条船
	auxiliary    int      // 1 if the question has do, does or did, which is not significant by itself
	deed         string   // the verb, if the question asks who did something
	options      []string // the texts of the offered options, from A on
}

func inQuestion(question string) *repeatable {
	whole := text.Map(question, 0)
	tokens := whole.Tokens()
	if !text.IsASCII(question) {
		tokens = text.Tokens(question, text.DropMarks)
	}
	r := &repeatable{words: make(map[string]bool, len(tokens)), stems: make(map[string]bool, len(tokens)),
		options: questionOptions(question)}
	r.values = sync.OnceValue(func() []value.Value { return value.Find(question, maxAsked) })
	w, isVerbal := vocabulary(), false // isVerbal: the question has a copula or an auxiliary
	for _, t := range tokens {
		r.words[t.Folded], r.stems[stem(t.Folded)] = true, true
		r.open = r.open || w.has("interrogative", t.Folded)
		r.who = r.who || w.has("agent", t.Folded)
		isVerbal = isVerbal || w.isAny(t.Folded, "copula", "finite")
		if says(t.Folded) && !w.has("finite", t.Folded) {
			r.meaning = append(r.meaning, t.Folded)
		}
	}
	folded := whole.String
	if w.begins("asks truth", folded) > 0 && len(r.meaning) > 1 {
		r.meaning = slices.DeleteFunc(r.meaning[1:], func(word string) bool { return word == "that" }) // what follows
	}
	first, _ := text.FirstWord(folded)
	r.difference = w.contains("asks difference", folded)
	r.when, r.where = first == "when", first == "where"
	if rest, ok := cutWhich(folded); ok && w.has("place noun", rest) {
		r.where = true
		r.meaning = slices.DeleteFunc(r.meaning, func(word string) bool { return word == rest })
	}
	spoken := tables()[languageOf(folded)]()
	r.asksClock = spoken.contains("asks clock", folded)
	r.place, r.person = spoken.contains("asks place", folded), spoken.contains("asks person", folded)
	if _, end := spoken.next("asks count", folded, 0); end > 0 {
		if word, _ := utf8.DecodeRuneInString(strings.TrimLeft(folded[end:], " ")); unicode.IsLetter(word) {
			r.counter = string(word)
		}
	}
	r.agent = r.who || !isVerbal
	if r.words["do"] || r.words["does"] || r.words["did"] {
		r.auxiliary = 1
	}
	if i := slices.IndexFunc(r.meaning, isPast); r.who && i >= 0 {
		r.deed = r.meaning[i]
	}
	return r
}

// cutWhich returns the noun of a folded question that begins with "in which" or "at what".
func cutWhich(folded string) (noun string, ok bool) {
	words := strings.Fields(folded)
	if len(words) < 3 || !slices.Contains([]string{"in", "at", "on", "near"}, words[0]) ||
		words[1] != "which" && words[1] != "what" {
		return "", false
	}
	return words[2], true
}

// isPast reports whether a folded word may be a past tense: wrote, painted.
func isPast(word string) bool { return vocabulary().has("past", word) || isParticiple(word) }

// says reports whether a folded word is significant: it is not one of the words in silent.
func says(word string) bool { return !silent()[word] }

// silent has the words without a meaning for the question.
var silent = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for _, role := range []string{"small", "copula"} {
		maps.Copy(words, vocabulary().is[role])
	}
	return words
})

// stemBytes is the number of bytes that two words must have in common at their beginning to count as forms of
// the same word: inventor and invented.
const stemBytes = 6

func stem(word string) string { return word[:min(len(word), stemBytes)] }

// has reports whether the question has a folded word, or another word with the same stem.
func (r *repeatable) has(word string) bool {
	return r.stems[stem(word)] || r.words[strings.TrimSuffix(word, "'s")]
}

// mayShare reports whether a folded sentence may have a word of the question, or a word with the same stem.
func (r *repeatable) mayShare(folded string) bool {
	return slices.ContainsFunc(r.meaning, func(word string) bool { return strings.Contains(folded, stem(word)) })
}

// repeats counts the words of a text that also occur in the question.
func (m *final) repeats(s string) int {
	n := 0
	for _, t := range m.tokens(s) {
		if says(t.Folded) && m.question().has(t.Folded) {
			n++
		}
	}
	return n
}

// restated reads the text that follows the subject and the verb of the question in a sentence that repeats
// them. For "When does the shop open?" it reads the time in "The shop opens at 9:00.", and for "Where is the
// bridge?" the place in "The bridge is in Lyon." If two sentences have different texts there, it returns "" and
// the reason.
func (m *final) restated() (short, why string) {
	asked := m.question()
	read := m.placeBehind
	if m.as == Date {
		read = m.clockBehind
	}
	if len(asked.meaning) == 0 || m.as == Date && !asked.when || m.as == Entity && !asked.where {
		return "", ""
	}
	for _, at := range m.sentences() {
		live := m.withoutDenied(at.Of(m.text))
		behind := m.behindVerb(live)
		if behind < 0 {
			continue
		}
		found := read(live[behind:])
		switch {
		case found == "":
		case short != "" && !strings.EqualFold(short, found):
			return "", fmt.Sprintf("%s and %s are both possible: two sentences say the same of both",
				quote(short), quote(found))
		default:
			short = found
		}
	}
	return short, ""
}

// behindVerb returns the place in a sentence after the words of the question. The sentence must repeat these
// words in order, or have a pronoun and the last of these words. If the message is one sentence, a pronoun
// alone is enough. The clause must have no other significant word before this place. For any other sentence,
// and for a sentence that denies or supposes something, the result is -1.
func (m *final) behindVerb(s string) int {
	folded := m.fold(s).String
	v, asked := vocabulary(), m.question()
	isCondition := func(word string) bool { return v.has("condition", strings.Trim(word, ",")) }
	if len(s) > maxSentenceBytes || slices.ContainsFunc(strings.Fields(folded), isCondition) ||
		strings.Contains(folded, "n't") || v.contains("against", folded) || strings.HasSuffix(folded, "?") {
		return -1
	}
	next, fresh, pronoun, before := 0, false, false, 0
	tokens := m.tokens(s)
	for i, t := range tokens {
		between := s[min(before, t.Start):t.Start]
		before = t.End
		isJoint := t.Folded == "and" || strings.ContainsAny(between, clauseEnds)
		if isJoint && (next > 0 || !pronoun) {
			fresh = false // a new clause may have the same subject: "opens at 9 and closes at 18"
		}
		last := len(asked.meaning) - 1
		switch {
		case i == 0 && (m.placed || len(m.sentences()) == 1) && v.has("pronoun", t.Folded):
			pronoun = true
			if last > 0 {
				next = last
			}
		case pronoun && last == 0 && i == 1 && v.has("copula", t.Folded) &&
			!(i+1 < len(tokens) && isSameWord(asked.meaning[0], tokens[i+1].Folded)): // "it is in Lyon"
			return t.End
		case isSameWord(asked.meaning[next], t.Folded):
			if fresh && (next == last && last > 0 || m.as != Date) {
				return -1
			}
			if fresh = false; next == last {
				return t.End
			}
			next++
		case says(t.Folded) && !v.has("finite", t.Folded):
			fresh = true
		}
	}
	return -1
}

// isSameWord reports whether a word of a statement is a word of the question, or another form of it: opens,
// started, took.
func isSameWord(asked, said string) bool {
	rest, longer := strings.CutPrefix(said, strings.TrimSuffix(asked, "e"))
	isForm := longer && slices.Contains([]string{"", "e", "s", "es", "d", "ed"}, rest)
	return asked == said || isForm || vocabulary().has("past", said) && said[0] == asked[0]
}
