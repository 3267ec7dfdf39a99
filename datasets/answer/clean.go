package answer

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// maxPasses bounds the search for a fixed point. Two passes settle nearly every
// input, a third only confirms.
const maxPasses = 8

// clean applies steps 2 and 3 of the pipeline: what any answer goes through
// before its type is looked at. Its result is a fixed point of itself.
// invisible tells that characters without a glyph were dropped.
func clean(raw string) (text string, invisible bool) {
	return settle(raw, cases.Fold().String, undecorate)
}

// cleanCased is clean with the letters as they are.
func cleanCased(raw string) (text string, invisible bool) {
	return settle(raw, keep, undecorate)
}

func undecorate(s string) string { return trimOuter(dropEmphasis(s)) }

func keep(s string) string { return s }

// fold is clean without the removal of outer punctuation, for running text.
func fold(raw string) (text string, invisible bool) {
	return settle(raw, cases.Fold().String, keep)
}

// foldCased is fold with the letters as they are.
func foldCased(raw string) string {
	text, _ := settle(raw, keep, keep)
	return text
}

// settle repeats until nothing changes: folding can enable a composition, and a
// composition another fold, so that one pass is not always idempotent.
func settle(raw string, letters, after func(string) string) (text string, invisible bool) {
	text, invisible = dropInvisible(strings.ToValidUTF8(raw, "\uFFFD"))
	text = protect(text)
	for range maxPasses {
		next, dropped := dropInvisible(norm.NFKC.String(text))
		invisible = invisible || dropped
		next = letters(strings.Map(unify, next))
		next = after(squeeze(next))
		if next == text {
			break
		}
		text = next
	}
	return text, invisible
}

func dropInvisible(s string) (string, bool) {
	if strings.IndexFunc(s, isInvisible) < 0 {
		return s, false
	}
	return strings.Map(func(r rune) rune {
		if isInvisible(r) {
			return -1
		}
		return r
	}, s), true
}

// isInvisible covers the format characters, the variation selectors and the
// letters and marks that Unicode defines to have no appearance.
func isInvisible(r rune) bool {
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
	}
	if d, ok := digitValue(r); ok {
		return '0' + rune(d)
	}
	return r
}

// digitValue returns the value of a decimal digit of any script. The ranges of
// class Nd hold whole sets of ten, each beginning with its zero.
func digitValue(r rune) (int, bool) {
	if r >= '0' && r <= '9' {
		return int(r - '0'), true
	}
	if r < 0x80 || !unicode.Is(unicode.Nd, r) {
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

// squeeze turns every run of white space into one space and trims the ends.
func squeeze(s string) string {
	return strings.Join(strings.Fields(s), " ")
}

// isWord reports whether a rune belongs to a word or a number.
func isWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)
}

func isDigit(c byte) bool {
	return c >= '0' && c <= '9'
}
