package inject

import (
	"strings"
	"unicode"
)

// Views that undo what was done between the letters of a text.

const (
	joints      = "-_.*~"       // characters put inside words
	separators  = joints + "/+" // characters put for the spaces between words
	spacedRun   = 4             // single characters in a row that make a word
	substitutes = "0134578@$!|" // characters put for letters, in step with letters
	letters     = "oieastbasil"
)

func isAlnum(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// despace joins runs of at least spacedRun single characters that are each one
// separator apart. Wider gaps remain as the spaces between words.
func despace(s string) string {
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
	return unicode.IsSpace(r) || r < unicode.MaxASCII && strings.ContainsRune(separators+",|", r)
}

// dejoin removes joints between two letters: "ig-no-re".
func dejoin(s string) string { return betweenLetters(s, joints, -1) }

// desep turns separators between two letters into spaces: "ignore.all".
func desep(s string) string { return betweenLetters(s, separators, ' ') }

// betweenLetters replaces the characters of set that stand, singly or in a
// row, between two letters or digits; a negative replacement removes them.
func betweenLetters(s, set string, replacement rune) string {
	runes := []rune(s)
	out := make([]rune, 0, len(runes))
	for i := 0; i < len(runes); {
		end := i
		for end < len(runes) && strings.ContainsRune(set, runes[end]) {
			end++
		}
		switch {
		case end == i:
			out = append(out, runes[i])
			i++
			continue
		case i == 0 || end == len(runes) || !isAlnum(runes[i-1]) || !isAlnum(runes[end]):
			out = append(out, runes[i:end]...)
		case replacement >= 0:
			out = append(out, replacement)
		}
		i = end
	}
	return string(out)
}

// squash removes everything but letters and digits.
func squash(s string) string {
	return strings.Map(func(r rune) rune {
		if isAlnum(r) {
			return r
		}
		return -1
	}, s)
}

// leet reads digits and signs as the letters they stand for. A ! or | that ends
// a word is left as punctuation.
func leet(s string) string {
	runes := []rune(s)
	for i, r := range runes {
		at := strings.IndexRune(substitutes, r)
		if at < 0 {
			continue
		}
		inside := i+1 < len(runes) && (isAlnum(runes[i+1]) || strings.ContainsRune(substitutes, runes[i+1]))
		if inside || r != '!' && r != '|' {
			runes[i] = rune(letters[at])
		}
	}
	return string(runes)
}
