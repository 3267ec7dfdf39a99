package secret

import (
	"encoding/base64"

	"github.com/seed-5817661a/concur/internal/lazy"
)

const (
	// sure is the length from which every secret is hidden. Local endpoints accept placeholders that are shorter, such
	// as none or EMPTY. These words also occur in ordinary text, and hiding them would damage it.
	sure = 8
	// shortest is the length from which a secret is hidden if it cannot be a word or a number.
	shortest = 4
	// shortestBase is the length from which a base64 form of a short secret is not found in ordinary text by chance.
	shortestBase = 6
)

// ordinary matches short values that occur in ordinary text: words, numbers also with a unit, times, dates, signs, and
// parts of a hash.
var ordinary = lazy.Compile(`^(?:[\pL ._/-]+|[0-9.,:/+-]+(?:[A-Za-z%]{1,3})?|[\pP\pS ]+|[0-9a-f]{4,5}|[0-9A-F]{4,5})$`)

// CanHide reports whether a Hider hides a secret: it has 8 bytes or more, or at least 4 and is not like a word or a
// number.
func CanHide(secret string) bool {
	return len(secret) >= sure || len(secret) >= shortest && !ordinary.MatchString(secret)
}

// shortTargets returns the texts to find for a short secret: itself as a word, and its base64 forms. Other spellings
// would also be found in ordinary text.
func shortTargets(secret string) []target {
	out := []target{{text: secret, fold: true, word: true}}
	for before := range 3 {
		text := inBase(base64.RawStdEncoding.EncodeToString, 6, secret, before)
		if len(text) >= shortestBase {
			out = append(out, target{text: text, base: true})
		}
	}
	return out
}

// escape matches an escape at the end of a text. Its last character belongs to no word.
var escape = lazy.Compile(`(?:%[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}|\\[abfnrtv])$`)

// longestEscape is the length of the longest text that escape matches.
const longestEscape = len(`\u0000`)

// continues reports whether a text ends inside a word.
func continues(before string) bool {
	return before != "" && isAlphanumeric(before[len(before)-1]) &&
		!escape.MatchString(before[max(0, len(before)-longestEscape):])
}

func isAlphanumeric(b byte) bool { return isLetter(rune(b)) || isDigit(b) }
