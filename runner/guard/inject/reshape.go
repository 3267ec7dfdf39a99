package inject

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Views that undo what was done between the letters of a text, or to single letters.

const (
	joints      = "-_.*~"            // characters put inside words
	separators  = joints + "/+"      // characters put for the spaces between words
	spacings    = separators + " ,|" // characters put between the letters of words
	spacedRun   = 4                  // single characters in a row that make a word
	substitutes = "0134578@$!|"      // characters put for letters, in step with letters
	letters     = "oieastbasil"
)

// splice is a text in which some stretches are replaced, from its beginning on.
type splice struct {
	text string
	out  strings.Builder
	kept int // where the text goes on
}

func (s *splice) put(start, end int, instead string) {
	s.out.WriteString(s.text[s.kept:start] + instead)
	s.kept = end
}

// done returns the text itself where nothing was replaced.
func (s *splice) done() string {
	if s.out.Len() == 0 && s.kept == 0 {
		return s.text
	}
	return s.out.String() + s.text[s.kept:]
}

func isAlnum(r rune) bool {
	if r < utf8.RuneSelf {
		return r|0x20 >= 'a' && r|0x20 <= 'z' || r >= '0' && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// despace joins runs of at least spacedRun single characters that are each one
// separator apart. Wider gaps remain as the spaces between words.
func despace(s string) string {
	out := splice{text: s}
	for i := 0; i < len(s); {
		end, letters := singles(s, i)
		if strings.Count(letters, "")-1 >= spacedRun {
			out.put(i, end, letters)
		}
		i = max(end, i+1)
	}
	return out.done()
}

// singles reads the run "a b c" of single characters that begins at i. Without such a run it
// returns i.
func singles(s string, i int) (end int, letters string) {
	if before, _ := utf8.DecodeLastRuneInString(s[:i]); i > 0 && isAlnum(before) {
		return i, ""
	}
	for at := i; at < len(s); {
		letter, width := utf8.DecodeRuneInString(s[at:])
		next, _ := utf8.DecodeRuneInString(s[at+width:])
		if !isAlnum(letter) || isAlnum(next) {
			break // or a longer word begins
		}
		letters += s[at : at+width]
		end = at + width
		if at = end + 1; at >= len(s) || !strings.ContainsRune(spacings+"\t\n\v\f\r", next) {
			break
		}
	}
	return max(i, end), letters
}

// dejoin removes joints between two letters: "ig-no-re".
func dejoin(s string) string { return betweenLetters(s, joints, "") }

// desep turns separators between two letters into spaces: "ignore.all".
func desep(s string) string { return betweenLetters(s, separators, " ") }

// betweenLetters replaces the characters in a set that stand, singly or in a row,
// between two letters or digits.
func betweenLetters(s, set, replacement string) string {
	out := splice{text: s}
	for i := 1; i < len(s); i++ {
		if strings.IndexByte(set, s[i]) < 0 {
			continue
		}
		end := i + 1
		for end < len(s) && strings.IndexByte(set, s[end]) >= 0 {
			end++
		}
		before, _ := utf8.DecodeLastRuneInString(s[:i])
		after, _ := utf8.DecodeRuneInString(s[end:])
		if end < len(s) && isAlnum(before) && isAlnum(after) {
			out.put(i, end, replacement)
		}
		i = end
	}
	return out.done()
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
	first := strings.IndexAny(s, substitutes)
	if first < 0 {
		return s
	}
	out := []byte(s)
	for i := first; i < len(out); i++ {
		letter := strings.IndexByte(substitutes, s[i])
		if letter < 0 {
			continue
		}
		after, _ := utf8.DecodeRuneInString(s[i+1:])
		if (s[i] == '!' || s[i] == '|') && (i+1 == len(s) || !isAlnum(after) && !strings.ContainsRune(substitutes, after)) {
			continue
		}
		out[i] = letters[letter]
	}
	return string(out)
}
