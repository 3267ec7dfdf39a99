package consensus

import (
	"slices"
	"strings"
	"unicode"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/trace"
)

// equalByType reports whether two answers with different keys are equal by the rules of their type: by
// rounding, by "about", or by a part of a name in brackets (docs/method.md §2.2, equality between traces).
func equalByType(a, b Ballot) bool { return answer.Same(a.value, b.value, a.options) }

// certainlyDiffer reports whether no model needs to be asked because two answers differ for certain
// (docs/method.md §3.3). The cases are:
//
//   - exactly one of the two is an answer;
//   - the equality of their type decides that they differ;
//   - they are different values of one of the types below.
func certainlyDiffer(a, b Ballot) bool {
	if a.Outcome != trace.Answered || b.Outcome != trace.Answered || answer.Settled(a.value, b.value) {
		return true // the caller has excluded equal answers
	}
	// A name, a list or a single letter can have two keys for one meaning; these types cannot.
	types := []answer.Type{
		answer.Integer, answer.Decimal, answer.Percent, answer.Currency, answer.Quantity, answer.Date, answer.Boolean,
	}
	return slices.ContainsFunc(types, func(t answer.Type) bool {
		keyA, keyB, sure := readBoth(a, b, t)
		return sure && answer.Differ(keyA, keyB)
	})
}

// readBoth parses two answers as values of a type. sure is false if the type ignores units and the answers
// differ in more than their numbers: 3 km and 3000 m have different numbers and equal lengths, 3.1 m and 3.14
// ft almost equal numbers and different lengths.
func readBoth(a, b Ballot, t answer.Type) (keyA, keyB answer.Key, sure bool) {
	keyA, errA := answer.Normalize(a.Answer, t, answer.Options{})
	keyB, errB := answer.Normalize(b.Answer, t, answer.Options{})
	if errA != nil || errB != nil {
		return keyA, keyB, false
	}
	return keyA, keyB, !dropsUnit(keyA) && !dropsUnit(keyB) || nonNumeric(a.Answer) == nonNumeric(b.Answer)
}

func dropsUnit(k answer.Key) bool {
	return slices.Contains(k.Flags, answer.FlagUnit) || slices.Contains(k.Flags, answer.FlagCurrency)
}

// nonNumeric returns the rest of an answer without digits, signs and separators.
func nonNumeric(short string) string {
	text := strings.ToLower(short)
	if k, err := answer.Normalize(short, answer.Text, answer.Options{}); err == nil {
		text = k.Canonical()
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) || unicode.IsSpace(r) || strings.ContainsRune("+-.,'_", r) {
			return -1
		}
		return r
	}, text)
}
