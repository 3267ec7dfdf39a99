package answer

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/text"
)

// framed reads a name from the form of a sentence in a language other than English: if the question asks for a
// place, the place in "se trouve à Lyon"; if it asks who wrote something, the person in "wurde von Theodor
// Fontane geschrieben". The sentence must have a word of the question; or the text before its verb must be only
// a pronoun.
func (m *final) framed() string {
	w, asked := m.words(), m.question()
	if m.as != Entity || w.language == "en" || !asked.place && !asked.person {
		return ""
	}
	for _, at := range slices.Backward(m.sentences()) {
		s, folded := at.Of(m.text), at.folded()
		if len(s) > maxSentenceBytes || w.contains("against", folded.String) {
			continue
		}
		for _, role := range []string{"placed", "done by"} {
			start, end := w.next(role, folded.String, 0)
			wanted := role == "placed" && asked.place || role == "done by" && asked.person
			if !wanted || start < 0 || end >= len(folded.String) {
				continue
			}
			from, _ := folded.Source(end, len(folded.String))
			name := leadingName(s[from:])
			before := folded.String[:start]
			switch {
			case name == "":
			case role == "placed" && (m.repeats(before) > 0 || len(strings.Fields(before)) == 1):
				return name
			case role == "done by" && m.repeats(before) > 0 && m.isDeed(before, s[from:][len(name):]):
				return name
			}
		}
	}
	return ""
}

// isPassive reports whether a participle and the person who did it follow a copula: restauré par Jean Petit. If
// the verb is the verb of the question, [final.framed] reads the person.
func (m *final) isPassive(rest string) bool {
	return m.question().person && !startsUpper(rest) && m.words().contains("done by", text.Fold(rest))
}

// leadingName returns the name at the beginning of a text: words with capitals, and the small words that names
// have between them.
func leadingName(s string) string {
	end, at := 0, 0
	for at < len(s) {
		rest := strings.TrimLeft(s[at:], " ")
		word, _, _ := strings.Cut(rest, " ")
		bare := strings.TrimRight(word, stops+")")
		initial, _ := utf8.DecodeRuneInString(bare)
		at = len(s) - len(rest) + len(word)
		switch {
		case bare != "" && unicode.IsUpper(initial):
			end = at - len(word) + len(bare)
			if bare != word && !text.IsAbbreviation(bare, 0) {
				return strings.TrimLeft(s[:end], " ")
			}
		case end == 0 || bare != word || !vocabulary().has("particle", bare):
			return strings.TrimLeft(s[:end], " ")
		}
	}
	return strings.TrimLeft(s[:end], " ")
}

// deedBytes is the number of letters at the beginning of a participle by which it is compared with the verb of
// the question: écr for écrit and a écrit, and schr for geschrieben and schrieb.
const deedBytes = 3

// isDeed reports whether the participle of a passive has the same verb as the question. In German the
// participle ends the clause; in other languages it precedes the word for "by".
func (m *final) isDeed(before, behind string) bool {
	clause := behind
	if m.words().language != "de" {
		clause = before
	} else if end := strings.IndexAny(clause, clauseEnds+".!?"); end >= 0 {
		clause = clause[:end]
	}
	words := strings.Fields(text.Map(clause, text.DropMarks).String)
	if len(words) == 0 {
		return false
	}
	verb := func(word string) string { return strings.TrimPrefix(word, "ge") }
	last := verb(words[len(words)-1])
	return len(last) >= deedBytes && slices.ContainsFunc(m.question().meaning, func(word string) bool {
		return strings.HasPrefix(verb(word), last[:deedBytes])
	})
}

// maxListedWords is the maximum number of words of an element in a sentence with a list. maxSubjectWords is the
// maximum number of words before the list.
const (
	maxListedWords  = 3
	maxSubjectWords = 8
)

// listed returns the elements that a sentence lists after words that announce a list: the colours in "It comes
// in black, silver and green." It returns "" for any other sentence, and for a sentence that denies or supposes
// something.
func (m *final) listed(sentence string) string {
	if len(sentence) > maxSentenceBytes {
		return ""
	}
	w := m.words()
	folded := m.fold(sentence)
	f := cutStops(folded.String)
	until := len(f)
	for _, ending := range w.rows["list end"] {
		if head, ok := strings.CutSuffix(f, ending); ok && len(head) < until {
			until = len(head)
		}
	}
	from := 0
	if at, end := w.next("list link", f, 0); at >= 0 {
		from = end
		if head := f[:at]; len(strings.Fields(head)) > maxSubjectWords || strings.ContainsAny(head, ",;:?") ||
			supposes(head) || w.contains("against", head) || strings.Contains(head, "n't") {
			return ""
		}
	} else if until == len(f) {
		return ""
	}
	if from >= until {
		return ""
	}
	start, end := folded.Source(from, until)
	list := m.withoutAfterthought(m.cutReason(m.withoutDenied(strings.TrimLeft(sentence[start:end], " :"))))
	list = strings.TrimRight(cutStops(list), " ,;:(–—")
	isLoose := len(splitList(list)) == 2 && len(m.sentences()) > 1 && m.repeats(sentence) == 0
	if isLoose || !m.isListing(list) {
		return ""
	}
	return list
}

// isListing reports whether a text consists of several elements that have few words and are not clauses. If
// there are two elements, an "and" must be between them.
func (m *final) isListing(s string) bool {
	if len(s) > maxSentenceBytes || !isEnumeration(s) || strings.ContainsAny(s, ":?!\r\n") {
		return false
	}
	parts := splitList(s)
	if len(parts) == 2 && strings.ContainsAny(s, ",;") {
		return false
	}
	return !slices.ContainsFunc(parts, m.isClause)
}

// isClause reports whether an element of a list is a clause, or is too long for a name.
func (m *final) isClause(element string) bool {
	w := m.words()
	words := strings.Fields(cutStops(element))
	if len(words) == 0 || len(words) > maxListedWords {
		return true
	}
	folded := text.Fold(strings.Join(words, " "))
	if w.begins("lead", folded) > 0 || w.begins("hedge", folded) > 0 || w.begins("against", folded) > 0 {
		return true
	}
	for i, word := range words {
		if strings.ToLower(word) != word {
			continue // part of a name
		}
		isFunction := i > 0 && w.language != "en" && w.has("function", word)
		if isFunction || w.isAny(word, "copula", "finite", "pronoun", "interrogative") {
			return true
		}
	}
	return false
}

// listedInMessage returns the list of the only sentence that has a list. If several sentences have lists, it
// takes the sentence that repeats most words of the question; it returns "" if two repeat equally many.
func (m *final) listedInMessage() string {
	best, most, several := "", -1, false
	for _, at := range m.sentences() {
		list := m.listed(at.Of(m.text))
		if list == "" {
			continue
		}
		switch n := m.repeats(at.Of(m.text)); {
		case n > most:
			best, most, several = list, n, false
		case n == most:
			several = true
		}
	}
	if several {
		return ""
	}
	return best
}

// speaks reports whether an element of a list begins with a pronoun and so is a clause: "I like it".
func (m *final) speaks(list string) bool {
	return slices.ContainsFunc(splitList(list), func(element string) bool {
		word, _ := text.FirstWord(text.Fold(element))
		return word != "" && len(strings.Fields(element)) > 1 && m.words().has("pronoun", word)
	})
}
