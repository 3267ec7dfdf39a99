package premise

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/text"
)

// Limits of what is read, in bytes: of the message, of the question and of a sentence.
const (
	maxMessage  = 16 << 10
	maxQuestion = 4 << 10
	maxSentence = 600
)

// Limits of a denial, in words: between a nominal phrase and the thing that it denies, and after a final phrase.
const (
	maxBetween = 4
	maxAfter   = 2
)

// Denial returns the first sentence of a message that denies the premise of the question, as the message spells
// it; "" if no sentence does. A sentence denies the premise if it says one of these:
//
//   - the thing of the question does not exist;
//   - a statement of the question about the thing is not true;
//   - the question assumes something false.
//
// Questions, reports of what others say, suppositions and concessions do not count.
func Denial(message, question string) string {
	message, question = text.Head(message, maxMessage), text.Head(question, maxQuestion)
	a := topicOf(question, tableOf(message, question))
	for _, at := range text.Sentences(message) {
		s := strings.TrimSpace(at.Of(message))
		if s != "" && len(s) <= maxSentence && a.denied(text.Fold(s)) {
			return s
		}
	}
	return ""
}

// topic is a question with the phrases of the language of its answer.
type topic struct {
	table
	words []string // those that say something
	text  string   // folded
}

func topicOf(question string, t table) topic {
	folded := text.Map(question, 0)
	a := topic{table: t, text: folded.String}
	for _, token := range folded.Tokens() {
		if t.says(token.Folded) {
			a.words = append(a.words, token.Folded)
		}
	}
	return a
}

// has reports whether the question has a folded word, or another form of it.
func (a topic) has(word string) bool {
	return a.says(word) && slices.ContainsFunc(a.words, func(asked string) bool { return isSame(asked, word) })
}

// in counts the words of a folded text that the question has.
func (a topic) in(s string) int {
	n := 0
	for _, t := range text.Tokens(s, 0) {
		if a.has(t.Folded) {
			n++
		}
	}
	return n
}

// leastStem is the length in letters from which words with the same beginning count as forms of one word.
const leastStem = 3

// isSame reports whether two folded words are forms of one word: king and kings, король and короля. They
// may differ in the last letter of the shorter word, and in up to three more letters of the longer one.
func isSame(a, b string) bool {
	if a == b {
		return true
	}
	x, y := []rune(withoutArticle(a)), []rune(withoutArticle(b))
	if len(x) > len(y) {
		x, y = y, x
	}
	if len(x) < leastStem || len(y)-len(x) > 3 || unicode.IsDigit(x[0]) {
		return string(x) == string(y)
	}
	common := 0
	for common < len(x) && x[common] == y[common] {
		common++
	}
	return common >= max(leastStem, len(x)-1)
}

// withoutArticle cuts off the Arabic article and the prepositions that are written with it.
func withoutArticle(word string) string {
	for _, prefix := range []string{"وال", "بال", "ال", "لل", "ل", "ب"} {
		if rest, cut := strings.CutPrefix(word, prefix); cut && utf8.RuneCountInString(rest) >= 2 {
			return rest
		}
	}
	return word
}

// denied reports whether a folded sentence denies the premise of the question.
func (a topic) denied(s string) bool {
	s = strings.TrimLeft(s, "*_#>-\"'“”([ ")
	if strings.ContainsAny(s, "?？؟") {
		return false
	}
	if a.begins(concession, s) {
		at := strings.IndexAny(s, commas)
		if at < 0 {
			return false
		}
		s = strings.TrimLeft(s[at:], commas+" ")
	}
	if start, end := a.next(assumes, s, 0); start >= 0 && !a.contains(reported, s[:start]) && a.rejected(s[end:]) {
		return true
	}
	each := func(role string, holds func(before, after string) bool) bool {
		for start, end := a.next(role, s, 0); start >= 0; start, end = a.next(role, s, end) {
			if !a.contains(reported, s[:start]) && !a.repeats(s[start:end]) && holds(clauseUpTo(s, start), clauseFrom(s, end)) {
				return true
			}
		}
		return false
	}
	return each(plain, func(string, string) bool { return true }) ||
		each(denial, func(string, string) bool { return a.in(s) > 0 || a.begins(pronoun, s) }) ||
		each(nominal, func(_, after string) bool { return a.follows(after) }) ||
		each(behind, func(before, _ string) bool { return a.precedes(before) }) ||
		each(verbal, a.negated) ||
		each(final, a.closed)
}

// repeats reports whether the question has the words of a denial: "It is never cold in Lima" says what "Is it never
// cold in Lima?" asks.
func (a topic) repeats(phrase string) bool {
	at := strings.Index(a.text, strings.TrimSpace(phrase))
	if at < 0 {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(a.text[:at])
	after, _ := utf8.DecodeRuneInString(a.text[at+len(strings.TrimSpace(phrase)):])
	return !text.IsWord(before) && !text.IsWord(after)
}

// rejected reports whether a sentence that names an assumption of the question also rejects it. rest is the
// sentence from the assumption on: "that Berne has a port, which is wrong", "that Berne has a port, but it has
// none". A contrast with a number that the question does not have is not enough, because this number may be an
// answer.
func (a topic) rejected(rest string) bool {
	return a.contains(rejects, rest) ||
		a.contains(contrast, rest) && !a.contains(affirms, rest) && a.in(rest) > 0 && !a.hasNewNumber(rest)
}

// commas separate a concession from the statement. clauseMarks separate clauses.
const (
	commas      = ",，、،"
	clauseMarks = commas + ";:()—–；：؛"
)

// clauseFrom returns the rest of the clause of a sentence from a place.
func clauseFrom(s string, from int) string {
	if end := strings.IndexAny(s[from:], clauseMarks); end >= 0 {
		return s[from : from+end]
	}
	return s[from:]
}

// clauseUpTo returns the beginning of the clause of a sentence up to a place.
func clauseUpTo(s string, end int) string {
	at := strings.LastIndexAny(s[:end], clauseMarks)
	if at < 0 {
		return s[:end]
	}
	_, size := utf8.DecodeRuneInString(s[at:])
	return s[at+size : end]
}

// follows reports whether a clause begins with a thing of the question: "reigning king", but not "record of a king".
func (a topic) follows(clause string) bool {
	seen := 0
	for _, t := range text.Tokens(clause, 0) {
		switch {
		case a.has(t.Folded):
			return true
		case a.small[t.Folded] && seen > 0, seen == maxBetween:
			return false
		case a.says(t.Folded):
			seen++
		}
	}
	return false
}

// precedes reports whether a clause in a script without spaces ends in a thing of the question: in two characters that
// the question has side by side, or in one Chinese character after a particle. In Korean, a particle may follow.
func (a topic) precedes(clause string) bool {
	letters := []rune(strings.TrimRight(clause, " "))
	n := len(letters)
	isAsked := func(from, to int) bool {
		part := string(letters[max(0, from):max(0, to)])
		return from >= 0 && !strings.Contains(part, " ") && strings.Contains(a.text, part) && a.says(part)
	}
	switch {
	case n == 0:
		return false
	case unicode.Is(unicode.Hangul, letters[n-1]):
		return isAsked(n-2, n) || isAsked(n-3, n-1)
	case unicode.Is(unicode.Han, letters[n-1]) && (n == 1 || !unicode.Is(unicode.Han, letters[n-2])):
		return isAsked(n-1, n)
	}
	return isAsked(n-2, n)
}

// negated reports whether a negation is before what the question says of its subject: "won the Fields Medal". The
// subject is before it, or else the clause repeats more of the question. A time, a restriction or a number that the
// question does not have makes the clause an answer.
func (a topic) negated(before, after string) bool {
	least := 2
	if a.in(before) > 0 {
		least = 1
	}
	return a.in(after) >= least && !a.contains(other, after) && !a.hasNewNumber(before+" "+after)
}

// closed reports whether a clause with a negation at its end repeats the question. In a script without spaces each
// character is a word.
func (a topic) closed(before, after string) bool {
	least := 2
	if strings.ContainsFunc(before, text.IsUnspaced) {
		least = 4
	}
	return len(text.Tokens(after, 0)) <= maxAfter && a.in(before) >= least &&
		!a.contains(other, before+" "+after) && !a.hasNewNumber(before)
}

// hasNewNumber reports whether a folded text has a number that the question does not have.
func (a topic) hasNewNumber(s string) bool {
	return slices.ContainsFunc(text.Tokens(s, 0), func(t text.Token) bool {
		return strings.ContainsFunc(t.Folded, unicode.IsDigit) && !a.has(t.Folded)
	})
}
