package inject

import (
	"math/bits"
	"slices"
	"strings"
	"sync"
)

// minTypo is the shortest word that is taken for a misspelling; shorter ones
// have too many honest neighbours. maxTypo is the longest.
const (
	minTypo = 6
	maxTypo = 16
)

// known is a word with the set of its letters.
type known struct {
	word    string
	letters uint32
}

// vocabulary holds the words whose misspellings are corrected, by length.
var vocabulary = sync.OnceValue(func() *[maxTypo + 2][]known {
	var byLength [maxTypo + 2][]known
	for _, word := range strings.Fields(`
		ignore ignoring disregard forget neglect overlook override bypass
		previous previously earlier preceding initial original
		instruction instructions guideline guidelines directive directives
		restriction restrictions constraints policies prompt prompts
		system hidden secret reveal repeat display`) {
		byLength[len(word)] = append(byLength[len(word)], known{word, letterSet(word)})
	}
	return &byLength
})

// letterSet has a bit for each letter of a word of lower-case ASCII.
func letterSet(word string) (set uint32) {
	for i := range len(word) {
		set |= 1 << (word[i] - 'a')
	}
	return set
}

// correct replaces misspelled words of the vocabulary: one letter wrong,
// missing, doubled or exchanged with its neighbour, or the inner letters in
// another order.
func correct(s string) string {
	var out strings.Builder
	kept := 0
	for start := 0; start < len(s); {
		end := start + wordLength(s[start:])
		if end-start < minTypo-1 {
			start = end + 1
			continue
		}
		core := strings.TrimFunc(s[start:end], func(r rune) bool { return !isAlnum(r) })
		if right := spelling(core); right != core {
			out.WriteString(s[kept:start])
			out.WriteString(strings.Replace(s[start:end], core, right, 1))
			kept = end
		}
		start = end + 1
	}
	if kept == 0 {
		return s
	}
	return out.String() + s[kept:]
}

func wordLength(s string) int {
	if end := strings.IndexByte(s, ' '); end >= 0 {
		return end
	}
	return len(s)
}

// spelling returns the word of the vocabulary that word misspells, or word. One edit
// changes at most two members of the set of letters.
func spelling(word string) string {
	if len(word) < minTypo-1 || len(word) > maxTypo || !isLowerASCII(word) {
		return word
	}
	byLength, set := vocabulary(), letterSet(word)
	for _, k := range byLength[len(word)] {
		if k.word == word {
			return word
		}
	}
	for length := len(word) - 1; length <= len(word)+1; length++ {
		for _, k := range byLength[length] {
			if bits.OnesCount32(k.letters^set) <= 2 && (oneEdit(word, k.word) || scrambled(word, k.word)) {
				return k.word
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
