package inject

import (
	"slices"
	"strings"
)

// minTypo is the shortest word that is taken for a misspelling; shorter ones
// have too many honest neighbours. maxTypo is the longest.
const (
	minTypo = 6
	maxTypo = 16
)

// vocabulary holds the words whose misspellings are corrected.
var vocabulary = strings.Fields(`
	ignore ignoring disregard forget neglect overlook override bypass
	previous previously earlier preceding initial original
	instruction instructions guideline guidelines directive directives
	restriction restrictions constraints policies prompt prompts
	system hidden secret reveal repeat display`)

// correct replaces misspelled words of the vocabulary: one letter wrong,
// missing, doubled or exchanged with its neighbour, or the inner letters in
// another order.
func correct(s string) string {
	out, start := splice{text: s}, 0
	for word := range strings.SplitSeq(s, " ") {
		core := word
		if len(word) >= minTypo-1 {
			core = strings.TrimFunc(word, func(r rune) bool { return !isAlnum(r) })
		}
		if right := spelling(core); right != core {
			out.put(start, start+len(word), strings.Replace(word, core, right, 1))
		}
		start += len(word) + 1
	}
	return out.done()
}

// spelling returns the first word of the vocabulary that word misspells, or word. Who ignores
// rules or ignored them gives no order: these are no misspellings.
func spelling(word string) string {
	known := func(word string) bool { return slices.Contains(vocabulary, word) }
	if len(word) < minTypo-1 || len(word) > maxTypo || known(word) || known(strings.TrimSuffix(word, "s")) || known(strings.TrimSuffix(word, "d")) {
		return word
	}
	for _, right := range vocabulary {
		if oneEdit(word, right) || scrambled(word, right) {
			return right
		}
	}
	return word
}

// oneEdit reports whether an insertion, deletion, substitution or exchange of
// neighbours turns a into b (optimal string alignment distance at most 1).
func oneEdit(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) < len(b) {
		return a[i:] == b[i+1:]
	}
	return i == len(a) || a[i+1:] == b[i+1:] ||
		i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}

// scrambled reports whether a and b share first letter, last letter and all
// the letters between in some order.
func scrambled(a, b string) bool {
	if len(a) != len(b) || a[0] != b[0] || a[len(a)-1] != b[len(b)-1] {
		return false
	}
	x, y := []byte(a), []byte(b)
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}
