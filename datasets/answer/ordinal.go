package answer

import (
	"math/big"
	"strings"
)

// readOrdinal reads an ordinal in words, "twenty-first", as its whole number. The
// last word must be the ordinal and nothing may follow. "Second" counts only alone,
// after a hyphen or after "and": twenty second may be twenty seconds.
func readOrdinal(text string) (amount, bool) {
	text = strings.TrimPrefix(text, "the ")
	at := strings.LastIndexAny(text, " -") + 1
	cardinal := cardinalWord(text[at:])
	head := text[:at]
	switch {
	case cardinal == "":
		return amount{}, false
	case cardinal == "two" && strings.HasSuffix(head, " ") && !strings.HasSuffix(head, " and "):
		return amount{}, false
	case head == "" && (cardinal == "hundred" || scaleWord(cardinal) > 0):
		head = "one "
	}
	w := numberWords(head + cardinal)
	n, next := readCardinal(w, 0)
	if next != len(w) || next == 0 || w[next-1].end != len(head+cardinal) {
		return amount{}, false
	}
	return amount{low: value{rat: new(big.Rat).SetInt64(n)}, inWords: true, flags: []string{FlagWords}}, true
}
