package inject

import (
	"slices"
	"strings"
	"sync"
)

// minTypo is the shortest word that is taken for a misspelling; shorter ones
// have too many honest neighbours.
const minTypo = 6

// vocabulary holds the words whose misspellings are corrected, by length.
var vocabulary = sync.OnceValue(func() map[int][]string {
	byLength := make(map[int][]string)
	for _, word := range strings.Fields(`
		ignore ignoring disregard forget neglect overlook override bypass
		previous previously earlier preceding initial original
		instruction instructions guideline guidelines directive directives
		restriction restrictions constraints policies prompt prompts
		system hidden secret reveal repeat display`) {
		byLength[len(word)] = append(byLength[len(word)], word)
	}
	return byLength
})

// correct replaces misspelled words of the vocabulary: one letter wrong,
// missing, doubled or exchanged with its neighbour, or the inner letters in
// another order.
func correct(s string) string {
	words := strings.Split(s, " ")
	for i, word := range words {
		core := strings.TrimFunc(word, func(r rune) bool { return !isAlnum(r) })
		if right := spelling(core); right != core {
			words[i] = strings.Replace(word, core, right, 1)
		}
	}
	return strings.Join(words, " ")
}

// spelling returns the word of the vocabulary that word misspells, or word.
func spelling(word string) string {
	if len(word) < minTypo-1 || len(word) > 16 || !isLowerASCII(word) || slices.Contains(vocabulary()[len(word)], word) {
		return word
	}
	for length := len(word) - 1; length <= len(word)+1; length++ {
		for _, candidate := range vocabulary()[length] {
			if oneEdit(word, candidate) || scrambled(word, candidate) {
				return candidate
			}
		}
	}
	return word
}

func isLowerASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r < 'a' || r > 'z' }) < 0
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
	if i == len(a) || a[i+1:] == b[i+1:] {
		return true
	}
	return i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
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
