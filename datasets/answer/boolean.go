package answer

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/internal/text"
)

// readBoolean reads yes or no. The first word decides. If a later part reverses it, as in "no, it is" and "yes,
// but actually no", there is no answer. There is also none for "not true", because its first word is neither
// yes nor no.
func readBoolean(answer string) (Key, error) {
	first, rest := text.FirstWord(answer)
	polarity, known := truth(first)
	if !known {
		return Key{}, errors.New(quote(answer) + " does not start with yes or no")
	}
	if !standsAlone().MatchString(rest) && !(first == "yes" && strings.HasPrefix(rest, " ")) {
		return Key{}, errors.New(quote(answer) + ": " + quote(first) + " is part of a phrase")
	}
	if takenBack(polarity, rest) {
		return Key{}, errors.New(quote(answer) + " reverses its first word")
	}
	return exactly("bool", strconv.FormatBool(polarity)), nil
}

// truth returns the value of a word for yes or no; known is false for other words.
func truth(word string) (value, known bool) {
	value = vocabulary().has("true", word)
	return value, value || vocabulary().has("false", word)
}

func yesOrNo(value bool) string {
	if value {
		return "yes"
	}
	return "no"
}

// standsAlone matches the text after a word for yes or no if the word is an answer of its own: punctuation or a
// new clause must follow. So it distinguishes "no" from "no one", and "true" from "true north".
var standsAlone = expression(`^(?:$|[,.;:!?()"*。、]| (?:$|[^\pL\pM\p{Nd}]|because\b|`, `\b))`, "pronoun")

// takenBack reports whether rest, the text after the first word, reverses that word, as in "no, it is".
func takenBack(polarity bool, rest string) bool {
	v := vocabulary()
	words := strings.FieldsFunc(rest, func(r rune) bool { return r != '\'' && !text.IsWord(r) })
	negated, affirmed := false, len(words) == 2 && v.has("pronoun", words[0]) && v.has("turn", words[1])
	for _, w := range words {
		if v.has("reversal", w) {
			return true
		}
		is, known := truth(w)
		negated = negated || v.has("negation", w) || strings.HasSuffix(w, "n't") || known && !is
		affirmed = affirmed || is
	}
	if polarity {
		return negated
	}
	return affirmed && !negated
}

// truthIn reads yes or no in a text at the place of the answer. The word may be at the beginning of the text,
// or anywhere in its first clause, as in "I would say no". In the second case the clause must have no word for
// the opposite.
func (m *final) truthIn(s string) (short, why string) {
	_, err := Normalize(s, Boolean, Options{})
	if err == nil {
		return s, ""
	}
	denied := strings.TrimRight(m.withoutDenied(s), " .,;") // no, not yes
	for _, part := range []string{m.withoutLead(s), m.withoutLead(denied),
		m.withoutLead(cutStops(text.Head(s, maxSentenceBytes)))} {
		if _, failed := Normalize(part, Boolean, Options{}); failed == nil {
			return part, ""
		}
	}
	if stated := m.statedTruth([]string{text.Fold(s)}); stated != "" {
		return stated, ""
	}
	folded := text.Fold(text.Head(s, maxSentenceBytes))
	if at := strings.LastIndexAny(folded, ",;:"); at >= 0 {
		last := m.withoutLead(strings.TrimSpace(folded[at+1:]))
		if k, failed := Normalize(last, Boolean, Options{}); failed == nil && len(strings.Fields(last)) == 1 {
			return yesOrNo(k.Key == "bool:true"), ""
		}
		if between := m.loneTruth(folded); between != "" {
			return between, ""
		}
	}
	if vocabulary().contains("untrue", folded[:m.words().clauseEnd(folded, 0, "reason")]) {
		return "no", ""
	}
	clause := folded[:m.words().clauseEnd(folded, 0, "reason")]
	found := ""
	for word := range strings.FieldsFuncSeq(clause, func(r rune) bool { return r != '\'' && !text.IsWord(r) }) {
		is, known := truth(word)
		switch {
		case vocabulary().isAny(word, "negation", "reversal", "condition", "or") || strings.HasSuffix(word, "n't"):
			return "", err.Error()
		case !known || len(word) == 1:
		case found != "" && found != yesOrNo(is):
			return "", err.Error()
		default:
			found = yesOrNo(is)
		}
	}
	first, _ := text.FirstWord(folded)
	if _, known := truth(first); known { // "no one", or an answer that reverses its first word
		return "", err.Error()
	}
	if found == "" {
		return "", err.Error()
	}
	return found, ""
}

// loneTruth returns yes or no if it is the whole text between two commas: "as far as I know, yes, it is". Words such as
// "so" may precede it: "5 is less than 6, so no, it is not". It returns "" for other texts, and if the text has both,
// or a word such as "but".
func (m *final) loneTruth(folded string) (found string) {
	words := strings.FieldsFunc(folded, func(r rune) bool { return !text.IsWord(r) })
	if slices.Contains(words, "yes") && slices.Contains(words, "no") ||
		slices.ContainsFunc(words, func(word string) bool { return vocabulary().has("reversal", word) }) {
		return ""
	}
	for part := range strings.SplitSeq(folded, ",") {
		part = m.withoutLead(strings.TrimSpace(part)) // so yes
		if part == "yes" || part == "no" {
			found = part
		}
	}
	return found
}

// deniesAll reports whether a message that begins with no contains a second denial, about the subject of the
// question, in a separate clause: "they did not". Such a message is an answer and not a refusal, even if it
// also says that something could not be found.
func (m *final) deniesAll() bool {
	said := m.statements()
	if len(said) == 0 {
		return false
	}
	first, _ := text.FirstWord(said[0])
	is, known := truth(first)
	return known && !is && slices.ContainsFunc(said, bareDenial().MatchString)
}

// bareDenial matches a clause that has only a pronoun, a verb and the word not.
var bareDenial = sync.OnceValue(func() *regexp.Regexp {
	v := vocabulary()
	return regexp.MustCompile(`(?:^|[,;:] )` + v.pattern("pronoun") + ` ` + v.pattern("turn") + `(?: not|n't)(?:$|[.,;!])`)
})
