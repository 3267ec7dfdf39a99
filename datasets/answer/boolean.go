package answer

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/text"
)

// readBoolean reads yes or no. The first word decides, and only when nothing
// after it takes the decision back: "no, it is" and "yes, but actually no" are
// refused, as is "not true", whose first word is neither.
func readBoolean(answer string) (Key, error) {
	first, rest := text.FirstWord(answer)
	polarity, known := truth(first)
	if !known {
		return Key{}, errors.New(quote(answer) + " does not start with yes or no")
	}
	if !standsAlone(first, rest) {
		return Key{}, errors.New(quote(answer) + ": " + quote(first) + " is part of a phrase")
	}
	if takenBack(polarity, rest) {
		return Key{}, errors.New(quote(answer) + " takes its first word back")
	}
	if polarity {
		return exactly(tagBoolean, "true"), nil
	}
	return exactly(tagBoolean, "false"), nil
}

// truth knows the words for yes and no.
func truth(word string) (value, known bool) {
	switch word {
	case "yes", "y", "yeah", "yep", "true", "correct", "是", "是的", "对", "对的", "はい",
		"예", "네", "да", "sí", "si", "sì", "oui", "ja", "sim", "نعم":
		return true, true
	case "no", "n", "nope", "false", "incorrect", "wrong", "否", "不", "不是", "不对", "いいえ",
		"아니요", "아니오", "нет", "non", "nein", "não", "لا":
		return false, true
	}
	return false, false
}

// standsAlone tells "no" from "no one" and "true" from "true north": punctuation
// or a new clause must follow.
func standsAlone(first, rest string) bool {
	next, spaced := strings.CutPrefix(rest, " ")
	if rest == "" {
		return true
	}
	if !spaced {
		mark, _ := utf8.DecodeRuneInString(rest)
		return strings.ContainsRune(",.;:!?()\"*。、", mark)
	}
	word, _ := text.FirstWord(next)
	return word == "" || first == "yes" || isPronoun(word) || word == "because"
}

func isPronoun(word string) bool {
	switch word {
	case "it", "he", "she", "they", "we", "i", "you", "this", "that", "there", "these", "those":
		return true
	}
	return false
}

// takenBack looks for a later reversal of the first word.
func takenBack(polarity bool, rest string) bool {
	words := wordsOf(rest)
	negated := false
	affirmed := false
	for _, w := range words {
		switch w {
		case "but", "however", "although", "though", "actually", "except", "unless", "wait", "maybe", "perhaps":
			return true
		case "not", "never", "neither", "nor", "cannot", "none":
			negated = true
			continue
		}
		if strings.HasSuffix(w, "n't") {
			negated = true
		} else if is, known := truth(w); known && is {
			affirmed = true
		} else if known {
			negated = true
		}
	}
	if polarity {
		return negated
	}
	return !negated && (affirmed || contradicts(words))
}

// contradicts recognises the bare clause that turns a no round: "no, it is".
func contradicts(words []string) bool {
	if len(words) != 2 || !isPronoun(words[0]) {
		return false
	}
	switch words[1] {
	case "is", "are", "was", "were", "does", "do", "did", "has", "have", "had", "can", "could", "will", "would":
		return true
	}
	return false
}

// wordsOf splits a cleaned text into words; an apostrophe stays inside a word.
func wordsOf(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r != '\'' && !text.IsWord(r) })
}
