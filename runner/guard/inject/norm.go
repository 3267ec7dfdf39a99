package inject

import (
	"bytes"
	"html"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// normalise brings a text to the letters that a reader sees: HTML entities
// resolved, invisible characters removed (text hidden in Unicode tags appended
// in clear), compatibility forms and look-alikes replaced by plain letters,
// accents dropped, case folded. It counts the invisible characters.
func normalise(text string) (folded string, invisible int) {
	text = html.UnescapeString(strings.ToValidUTF8(text, "\uFFFD"))
	if isASCII(text) {
		return strings.ToLower(text), 0
	}
	visible, hidden, invisible := stripInvisible(text)
	if hidden != "" {
		visible += "\n" + hidden
	}
	return foldLetters(visible), invisible
}

// foldLetters folds the stretches of ASCII and of other characters each by
// themselves: no form of one reaches into the other once the marks are dropped.
func foldLetters(s string) string {
	out := make([]byte, 0, len(s)+len(s)/8)
	for i := 0; i < len(s); {
		b := s[i]
		if b < utf8.RuneSelf {
			if b >= 'A' && b <= 'Z' {
				b |= 0x20
			}
			out = append(out, b)
			i++
			continue
		}
		end := i + 1
		for end < len(s) && s[end] >= utf8.RuneSelf {
			end++
		}
		out = foldForeign(out, s[i:end])
		i = end
	}
	return string(out)
}

// foldForeign appends the folding of a stretch without ASCII.
func foldForeign(out []byte, s string) []byte {
	for _, r := range s {
		if !isCommon(r) {
			return append(out, foldSlowly(s)...)
		}
	}
	table := commonFolds()
	for _, r := range s {
		out = append(out, table[commonIndex(r)]...)
	}
	return out
}

// foldSlowly is the definition of the folding.
func foldSlowly(s string) string {
	return norm.NFC.String(cases.Fold().String(strings.Map(plainLetter, norm.NFKD.String(s))))
}

// The letters of Latin scripts and the usual punctuation fold one by one, whatever
// stands beside them, and are looked up in a table.
const (
	lastLatin                         = 0x24F
	firstPunctuation, lastPunctuation = 0x2010, 0x2027
)

func isCommon(r rune) bool {
	return r <= lastLatin || r >= firstPunctuation && r <= lastPunctuation
}

func commonIndex(r rune) int {
	if r <= lastLatin {
		return int(r)
	}
	return int(r) - firstPunctuation + lastLatin + 1
}

var commonFolds = sync.OnceValue(func() []string {
	table := make([]string, commonIndex(lastPunctuation)+1)
	for r := rune(0); r <= lastPunctuation; r++ {
		if isCommon(r) {
			table[commonIndex(r)] = foldSlowly(string(r))
		}
	}
	return table
})

// plainLetter drops combining marks and replaces look-alikes.
func plainLetter(r rune) rune {
	if r < unicode.MaxASCII {
		return r
	}
	if unicode.Is(unicode.Mn, r) {
		return -1
	}
	return lookAlike(r)
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// squeeze replaces every run of white space by one space, none at the ends.
func squeeze(s string) string {
	var out []byte
	kept, afterSpace := 0, true
	for i := 0; i < len(s); {
		width, space := spaceAt(s, i)
		if !space || s[i] == ' ' && !afterSpace {
			afterSpace = space
			i += width
			continue
		}
		if out == nil {
			out = make([]byte, 0, len(s))
		}
		out = append(out, s[kept:i]...)
		if !afterSpace {
			out = append(out, ' ')
		}
		i += width
		kept, afterSpace = i, true
	}
	if out == nil {
		return strings.TrimSuffix(s[kept:], " ")
	}
	return string(bytes.TrimSuffix(append(out, s[kept:]...), []byte(" ")))
}

// spaceAt returns the width of the character at i, or of some bytes that are no space.
func spaceAt(s string, i int) (width int, space bool) {
	switch b := s[i]; {
	case b < utf8.RuneSelf:
		return 1, isASCIISpace(b)
	case b == 0xC2 || b >= 0xE1 && b <= 0xE3: // all spaces beyond ASCII begin so
		r, width := utf8.DecodeRuneInString(s[i:])
		return width, unicode.IsSpace(r)
	}
	return 1, false
}

func isASCIISpace(b byte) bool { return b == ' ' || b >= '\t' && b <= '\r' }
