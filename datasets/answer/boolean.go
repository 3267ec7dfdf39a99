package answer

import (
	"errors"
	"strconv"
	"strings"

	"github.com/seed-5817661a/concur/internal/text"
)

// readBoolean reads yes or no. The first word decides, and only when nothing after it takes the decision back: "no,
// it is" and "yes, but actually no" are refused, as is "not true", whose first word is neither.
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
		return Key{}, errors.New(quote(answer) + " takes its first word back")
	}
	return exactly("bool", strconv.FormatBool(polarity)), nil
}

// truth knows the words for yes and no.
func truth(word string) (value, known bool) {
	value = vocabulary().has("true", word)
	return value, value || vocabulary().has("false", word)
}

// standsAlone tells "no" from "no one" and "true" from "true north": punctuation or a new clause must follow.
var standsAlone = expression(`^(?:$|[,.;:!?()"*。、]| (?:$|[^\pL\pM\p{Nd}]|because\b|`, `\b))`, "pronoun")

// takenBack looks for a later reversal of the first word. The bare clause "no, it is" turns a no round.
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
