package ngram

import (
	"unicode"
	"unicode/utf8"
)

// maxToken limits the length of a token in bytes. Longer runs of letters or spaces are divided. The limit keeps the
// probability of a token above the smallest number.
const maxToken = 32

// kind is the kind of a character. A token has characters of one kind, behind at most one space.
type kind int

const (
	letter kind = iota
	digit
	blank
	single // a character that is a token of its own
)

// firstToken returns the length in bytes of the first token of a text, which must not be empty. A token is a word, a
// number or one other character, each with the space before it; or white space. Joined, the tokens are the text: bytes
// that are not valid UTF-8 are tokens of one byte.
func firstToken(text string) int {
	start := 0
	if text[0] == ' ' && len(text) > 1 {
		if k, _ := kindOf(text[1:]); k != blank {
			start = 1
		}
	}
	k, size := kindOf(text[start:])
	end := start + size
	for k != single && end < len(text) {
		nextKind, size := kindOf(text[end:])
		if nextKind != k || end+size > maxToken {
			break
		}
		end += size
	}
	// the last of several spaces belongs to the word behind it
	if k == blank && end > 1 && end < len(text) && text[end-1] == ' ' {
		if after, _ := kindOf(text[end:]); after != blank {
			end--
		}
	}
	return end
}

// kindOf returns the kind and the length of the first character of a text.
func kindOf(text string) (kind, int) {
	if c := text[0]; c < utf8.RuneSelf {
		switch {
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z':
			return letter, 1
		case '0' <= c && c <= '9':
			return digit, 1
		case c == ' ' || '\t' <= c && c <= '\r':
			return blank, 1
		default:
			return single, 1
		}
	}
	r, size := utf8.DecodeRuneInString(text)
	switch {
	case r == utf8.RuneError && size == 1,
		unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana): // their words are not divided by spaces
		return single, size
	case unicode.IsLetter(r) || unicode.IsMark(r):
		return letter, size
	case unicode.IsDigit(r):
		return digit, size
	case unicode.IsSpace(r):
		return blank, size
	default:
		return single, size
	}
}
