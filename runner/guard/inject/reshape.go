package inject

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Views that undo what was done between the letters of a text.

const (
	joints      = "-_.*~"       // characters put inside words
	separators  = joints + "/+" // characters put for the spaces between words
	spacedRun   = 4             // single characters in a row that make a word
	substitutes = "0134578@$!|" // characters put for letters, in step with letters
	letters     = "oieastbasil"
)

func isAlnum(r rune) bool {
	if r < utf8.RuneSelf {
		return r|0x20 >= 'a' && r|0x20 <= 'z' || r >= '0' && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// despace joins runs of at least spacedRun single characters that are each one
// separator apart. Wider gaps remain as the spaces between words.
func despace(s string) string {
	if !hasSpacedRun(s) {
		return s
	}
	runes := []rune(s)
	var out strings.Builder
	for i := 0; i < len(runes); {
		end := runEnd(runes, i)
		if (end-i+1)/2 < spacedRun {
			out.WriteRune(runes[i])
			i++
			continue
		}
		for ; i < end; i += 2 {
			out.WriteRune(runes[i])
		}
		i = end
	}
	return out.String()
}

// hasSpacedRun reports whether there may be a run: the separators of a run of four
// characters stand two apart. The spaces beyond ASCII have been folded to plain ones.
func hasSpacedRun(s string) bool {
	const run = 0b10101
	var recent uint
	spacing := byteSets().spacing
	for i := 0; i < len(s); i++ {
		if s[i]&0xC0 == 0x80 {
			continue // not the first byte of its character
		}
		recent <<= 1
		if spacing[s[i]] {
			recent |= 1
			if recent&run == run && recent&(run<<1) == 0 {
				return true
			}
		}
	}
	return false
}

// runEnd returns the end of the run "a b c" of single characters beginning at
// i, or i if there is none.
func runEnd(runes []rune, i int) int {
	if !isAlnum(runes[i]) || i > 0 && isAlnum(runes[i-1]) {
		return i
	}
	end := i + 1
	for end+1 < len(runes) && isSpacing(runes[end]) && isAlnum(runes[end+1]) {
		if end+2 < len(runes) && isAlnum(runes[end+2]) {
			break // the next character begins a longer word
		}
		end += 2
	}
	return end
}

func isSpacing(r rune) bool {
	if r < utf8.RuneSelf {
		switch r {
		case ' ', '\t', '\n', '\v', '\f', '\r', '-', '_', '.', '*', '~', '/', '+', ',', '|':
			return true
		}
		return false
	}
	return unicode.IsSpace(r)
}

// dejoin removes joints between two letters: "ig-no-re".
func dejoin(s string) string { return betweenLetters(s, &byteSets().joint, "") }

// desep turns separators between two letters into spaces: "ignore.all".
func desep(s string) string { return betweenLetters(s, &byteSets().separator, " ") }

// betweenLetters replaces the characters in a set that stand, singly or in a row,
// between two letters or digits.
func betweenLetters(s string, in *[256]bool, replacement string) string {
	var out strings.Builder
	kept := 0
	for i := 1; i < len(s); i++ {
		if !in[s[i]] {
			continue
		}
		end := i + 1
		for end < len(s) && in[s[end]] {
			end++
		}
		before, _ := utf8.DecodeLastRuneInString(s[:i])
		after, _ := utf8.DecodeRuneInString(s[end:])
		if end < len(s) && isAlnum(before) && isAlnum(after) {
			out.WriteString(s[kept:i])
			out.WriteString(replacement)
			kept = end
		}
		i = end
	}
	if kept == 0 {
		return s
	}
	return out.String() + s[kept:]
}

// squash removes everything but letters and digits.
func squash(s string) string {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		if b := s[i]; b < utf8.RuneSelf {
			if kindOf(b) == asciiKind {
				out = append(out, b)
			}
			i++
			continue
		}
		r, width := utf8.DecodeRuneInString(s[i:])
		if isAlnum(r) {
			out = append(out, s[i:i+width]...)
		}
		i += width
	}
	return string(out)
}

// leet reads digits and signs as the letters they stand for. A ! or | that ends
// a word is left as punctuation.
func leet(s string) string {
	table := &byteSets().letter
	first := 0
	for first < len(s) && table[s[first]] == 0 {
		first++
	}
	if first == len(s) {
		return s
	}
	out := []byte(s)
	for i, b := range out {
		letter := table[b]
		if letter == 0 {
			continue
		}
		if b == '!' || b == '|' {
			after, _ := utf8.DecodeRuneInString(s[i+1:])
			if i+1 == len(s) || !isAlnum(after) && !strings.ContainsRune(substitutes, after) {
				continue
			}
		}
		out[i] = letter
	}
	return string(out)
}

// sets are the characters of the constants above by their bytes.
type sets struct {
	joint, separator, spacing [256]bool
	letter                    [256]byte // that a substitute stands for
}

var byteSets = sync.OnceValue(func() *sets {
	var t sets
	for i := range len(joints) {
		t.joint[joints[i]] = true
	}
	for i := range len(separators) {
		t.separator[separators[i]] = true
	}
	for i := range len(substitutes) {
		t.letter[substitutes[i]] = letters[i]
	}
	for b := range t.spacing {
		t.spacing[b] = b < utf8.RuneSelf && isSpacing(rune(b))
	}
	return &t
})
