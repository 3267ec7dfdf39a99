package consensus

import (
	"slices"
	"strings"
	"unicode"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/runner/trace"
)

// sameRounded reports whether two answers are one number, the more precise rounded to
// the other's decimals (methods.md §2.2, step 5).
func sameRounded(a, b Ballot) bool {
	t, ok := numericType(a.Key, b.Key)
	if !ok {
		return false
	}
	_, _, sure := readBoth(a, b, t)
	return sure && answer.SameRounded(a.Answer, b.Answer, t)
}

// numericType tells by two keys in which type both answers were read as plain numbers.
// An answer that was read as a text stays one, whatever it looks like.
func numericType(a, b string) (answer.Type, bool) {
	tagA, _, _ := strings.Cut(a, ":")
	tagB, _, _ := strings.Cut(b, ":")
	plain := []string{"int", "num"}
	switch {
	case slices.Contains(plain, tagA) && slices.Contains(plain, tagB):
		return answer.Decimal, true
	case tagA == "pct" && tagB == "pct":
		return answer.Percent, true
	}
	return "", false
}

// certainlyDiffer is the veto of methods.md §3.3: no model is asked about two answers of
// which one is a decision and the other none, which were read as choices of other letters,
// or which, read as values of any one type, are different values.
func certainlyDiffer(a, b Ballot) bool {
	if a.Outcome != trace.Answered || b.Outcome != trace.Answered || strings.HasPrefix(a.Key, "choice:") && strings.HasPrefix(b.Key, "choice:") {
		return true // equal keys are not compared
	}
	return slices.ContainsFunc(vetoTypes(), func(t answer.Type) bool {
		keyA, keyB, sure := readBoth(a, b, t)
		return sure && answer.Differ(keyA, keyB)
	})
}

// vetoTypes are the types of which two different values are never the same answer. A
// name, a list or a lone letter can be one thing under two keys.
func vetoTypes() []answer.Type {
	return []answer.Type{answer.Integer, answer.Decimal, answer.Percent, answer.Currency, answer.Quantity, answer.Date, answer.Boolean}
}

// readBoth reads two answers as values of a type. It is not sure of them where the type
// drops units and the two answers differ in more than their numbers: 3 km and 3000 m are
// then two numbers and perhaps one length, 3.1 m and 3.14 ft the reverse.
func readBoth(a, b Ballot, t answer.Type) (keyA, keyB answer.Key, sure bool) {
	keyA, errA := answer.Normalize(a.Answer, t, answer.Options{})
	keyB, errB := answer.Normalize(b.Answer, t, answer.Options{})
	if errA != nil || errB != nil {
		return keyA, keyB, false
	}
	return keyA, keyB, !dropsUnit(keyA) && !dropsUnit(keyB) || around(a.Answer) == around(b.Answer)
}

func dropsUnit(k answer.Key) bool {
	return slices.Contains(k.Flags, answer.FlagUnit) || slices.Contains(k.Flags, answer.FlagCurrency)
}

// around is what is left of an answer without figures, signs and separators.
func around(short string) string {
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
