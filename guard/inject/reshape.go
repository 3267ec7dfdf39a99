package inject

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// This file has the views that undo two kinds of disguise: changed letters, and text between the letters of a
// word.

const (
	joints      = "-_.*~"            // characters inserted into words
	separators  = joints + "/+"      // characters in place of spaces between words
	spacings    = separators + " ,|" // characters inserted between the letters of words
	spacedRun   = 4                  // number of single characters that form a word
	substitutes = "0134578@$!|"      // characters that replace letters, in the order of letters
	letters     = "oieastbasil"
)

// splice builds a text with replaced parts, from left to right.
type splice struct {
	text string
	out  strings.Builder
	kept int // number of bytes of the text that have been copied or replaced
}

func (s *splice) put(start, end int, instead string) {
	s.out.WriteString(s.text[s.kept:start] + instead)
	s.kept = end
}

// done returns the result. If nothing was replaced, this is the original text.
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

// despace joins single characters that are separated by one separator each, if there are at least spacedRun of
// them. Wider gaps are kept, because they are the spaces between words.
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

// singles reads a run of single characters such as "a b c" that begins at i. If no such run begins there, end
// is i.
func singles(s string, i int) (end int, letters string) {
	if before, _ := utf8.DecodeLastRuneInString(s[:i]); i > 0 && isAlnum(before) {
		return i, ""
	}
	for at := i; at < len(s); {
		letter, width := utf8.DecodeRuneInString(s[at:])
		next, _ := utf8.DecodeRuneInString(s[at+width:])
		if !isAlnum(letter) || isAlnum(next) {
			break // a longer word begins
		}
		letters += s[at : at+width]
		end = at + width
		if at = end + 1; at >= len(s) || !strings.ContainsRune(spacings+"\t\n\v\f\r", next) {
			break
		}
	}
	return max(i, end), letters
}

// dejoin removes characters of joints between two letters, as in "ig-no-re".
func dejoin(s string) string { return betweenLetters(s, joints, "") }

// desep replaces separators between two letters by spaces, as in "ignore.all".
func desep(s string) string { return betweenLetters(s, separators, " ") }

// betweenLetters replaces each run of characters of a set between two letters or digits.
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

// squash removes all characters except letters and digits.
func squash(s string) string {
	return strings.Map(func(r rune) rune {
		if isAlnum(r) {
			return r
		}
		return -1
	}, s)
}

// unleet replaces digits and signs by the letters that they imitate. A ! or | at the end of a word is not
// replaced.
func unleet(s string) string {
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
		if (s[i] == '!' || s[i] == '|') && (i+1 == len(s) ||
			!isAlnum(after) && !strings.ContainsRune(substitutes, after)) {
			continue
		}
		out[i] = letters[letter]
	}
	return string(out)
}

// minTypo and maxTypo limit the length of a word that can count as misspelled. A shorter word is similar to too
// many correct words.
const (
	minTypo = 6
	maxTypo = 16
)

// vocabulary has the words whose misspellings are corrected.
var vocabulary = strings.Fields(`
	ignore ignoring disregard forget neglect overlook override bypass
	previous previously earlier preceding initial original
	instruction instructions guideline guidelines directive directives
	restriction restrictions constraints policies prompt prompts
	system hidden secret reveal repeat display`)

// correct corrects misspelled words of the vocabulary. A word is misspelled if one letter is wrong, missing,
// doubled or exchanged with its neighbour, or if its inner letters are in another order.
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

// spelling returns the first word of the vocabulary that may be meant by a misspelled word. If no word is similar,
// it returns the word. Inflected forms such as "ignores" and "ignored" do not count as misspelled, because they
// are not commands.
func spelling(word string) string {
	known := func(word string) bool { return slices.Contains(vocabulary, word) }
	if len(word) < minTypo-1 || len(word) > maxTypo || known(word) || known(strings.TrimSuffix(word, "s")) ||
		known(strings.TrimSuffix(word, "d")) {
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

// scrambled reports whether a and b have the same first letter, the same last letter, and the same letters
// between in any order.
func scrambled(a, b string) bool {
	if len(a) != len(b) || a[0] != b[0] || a[len(a)-1] != b[len(b)-1] {
		return false
	}
	x, y := []byte(a), []byte(b)
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}
