package text

import (
	"strings"
	"unicode"
)

// IsWord reports whether a rune belongs to a word or a number: a letter, a mark or a digit.
func IsWord(r rune) bool {
	if r < 0x80 {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)
}

// IsUnspaced reports whether a rune belongs to a script that puts no spaces between words,
// or to Hangul, which joins particles to them.
func IsUnspaced(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// IsDigit reports whether c is an ASCII digit.
func IsDigit(c byte) bool { return c >= '0' && c <= '9' }

// StartsWord reports whether s begins with a letter, a mark or a digit.
func StartsWord(s string) bool {
	for _, r := range s {
		return IsWord(r)
	}
	return false
}

// CutWord cuts a word or phrase and the space after it off the front of s; ok is false where
// s does not begin with it as a whole word.
func CutWord(s, word string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(s, word)
	if !ok || StartsWord(rest) {
		return s, false
	}
	return strings.TrimPrefix(rest, " "), true
}

// FirstWord cuts the letters, marks and digits at the start of s off.
func FirstWord(s string) (word, rest string) {
	for i, r := range s {
		if !IsWord(r) {
			return s[:i], s[i:]
		}
	}
	return s, ""
}

// IsInvisible covers the format characters, the variation selectors and the letters and
// marks that Unicode defines to have no appearance.
func IsInvisible(r rune) bool {
	switch {
	case r < 0x80:
		return false
	case unicode.Is(unicode.Cf, r), unicode.Is(unicode.Variation_Selector, r):
		return true
	}
	switch r {
	case 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0:
		return true
	}
	return false
}

// unify maps what NFKC leaves apart: dashes, quotes, digits, separators.
func unify(r rune) rune {
	if r < 0x80 {
		return r
	}
	switch r {
	case 0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2015, 0x2212, 0xFE58, 0xFE63, 0xFF0D:
		return '-'
	case '‘', '’', '‚', '‛', '‹', '›', '′':
		return '\''
	case '“', '”', '„', '‟', '«', '»', '″', '「', '」', '『', '』':
		return '"'
	case '【':
		return '['
	case '】':
		return ']'
	case '٫':
		return '.'
	case '٬':
		return ','
	case '٪':
		return '%'
	case '⁄', '∕':
		return '/'
	case '〜':
		return '~'
	}
	if d, ok := digitValue(r); ok {
		return '0' + rune(d)
	}
	return r
}

// digitValue returns the value of a decimal digit of any script. The ranges of class Nd
// hold whole sets of ten, each beginning with its zero.
func digitValue(r rune) (int, bool) {
	if !unicode.Is(unicode.Nd, r) {
		return 0, false
	}
	for _, span := range unicode.Nd.R16 {
		if r >= rune(span.Lo) && r <= rune(span.Hi) {
			return int(r-rune(span.Lo)) % 10, true
		}
	}
	for _, span := range unicode.Nd.R32 {
		if r >= rune(span.Lo) && r <= rune(span.Hi) {
			return int(r-rune(span.Lo)) % 10, true
		}
	}
	return 0, false
}

// undecomposed spells the letters that Unicode does not take for an accented one: Łódź
// is Lodz, and Jørn is Jorn.
func undecomposed(r rune) string {
	switch r {
	case 'ø', 'Ø':
		return "o"
	case 'ł', 'Ł':
		return "l"
	case 'đ', 'Đ', 'ð', 'Ð':
		return "d"
	case 'ß', 'ẞ':
		return "ss"
	case 'æ', 'Æ':
		return "ae"
	case 'œ', 'Œ':
		return "oe"
	case 'þ', 'Þ':
		return "th"
	case 'ı':
		return "i"
	}
	return ""
}
