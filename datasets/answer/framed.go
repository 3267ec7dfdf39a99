package answer

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/text"
)

// framed reads a name by the frame of a sentence in another language than English: the place in "se trouve à Lyon",
// where the question asks for a place, and the person in "wurde von Theodor Fontane geschrieben", where it asks who
// wrote something. The sentence must have a word of the question, or only a pronoun before the verb.
func (m *final) framed() string {
	w, asked := m.words(), m.question()
	if m.as != Entity || w.language == "en" || !asked.place && !asked.person {
		return ""
	}
	for _, at := range slices.Backward(m.sentences()) {
		s, folded := at.Of(m.text), at.folded
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

// isPassive reports whether what a copula joins is a participle with who did it, which [final.framed] reads where it
// is of the verb that the question has: restauré par Jean Petit.
func (m *final) isPassive(rest string) bool {
	return m.question().person && !startsUpper(rest) && m.words().contains("done by", text.Fold(rest))
}

// leadingName is the run of words with capitals that a text begins with, with the small words that names have.
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

// deedBytes is how many letters at the start of a participle tell the verb of a question: écr of écrit and a écrit, and
// schr of geschrieben and schrieb.
const deedBytes = 3

// isDeed reports whether the participle of a passive is of a verb that the question has. It ends the clause in German,
// and precedes the word for "by" elsewhere.
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
