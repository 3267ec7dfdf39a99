package answer

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// ContainsTokens reports whether the tokens of keyword occur in message one after
// the other, both folded as in step 3 of the pipeline. Numbers are one token with
// their sign, decimals, units and percent sign, so that 4 occurs in neither 14 nor
// 4.5 nor -4; digit grouping does not matter. C, C# and C++ are three tokens. A
// keyword without tokens occurs nowhere.
//
// In scripts that do not space words every character is a token, so a keyword may
// also be found inside a longer word there.
func ContainsTokens(message, keyword string) bool {
	want := tokenize(keyword)
	return want != separator && strings.Contains(tokenize(message), want)
}

// separator stands before, between and after tokens.
const separator = "\x00"

func tokenize(text string) string {
	s, _ := fold(text)
	var b strings.Builder
	b.Grow(len(s) + len(s)/4)
	b.WriteString(separator)
	previous := ' '
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		token, n := "", size
		switch {
		case startsNumber(s[i:], previous):
			token, n = numberToken(s[i:])
		case isUnspaced(r):
			token = s[i : i+size]
		case isWord(r):
			token, n = wordToken(s[i:])
		case isCurrencySign(r), strings.ContainsRune("&%‰<>≤≥", r):
			token = s[i : i+size]
		}
		if token != "" {
			b.WriteString(token)
			b.WriteString(separator)
		}
		previous, _ = utf8.DecodeLastRuneInString(s[:i+n])
		i += n
	}
	return b.String()
}

// startsNumber recognises a digit, and a sign or point before one where it cannot
// belong to what precedes.
func startsNumber(s string, previous rune) bool {
	if isDigit(s[0]) {
		return true
	}
	if s[0] != '-' && s[0] != '.' || isWord(previous) || strings.ContainsRune(").-", previous) {
		return false
	}
	rest := strings.TrimPrefix(s, "-")
	rest = strings.TrimPrefix(rest, ".")
	return rest != "" && isDigit(rest[0])
}

// numberToken reads figures with what is joined to them.
func numberToken(s string) (token string, n int) {
	sign := ""
	if s[0] == '-' {
		sign, n = "-", 1
	}
	start := n
	if s[n] == '.' {
		n++
	}
	for n < len(s) && (isDigit(s[n]) || n+1 < len(s) && isDigit(s[n+1]) && strings.IndexByte(".,'_:/-", s[n]) >= 0) {
		n++
	}
	if _, m, ok := scanPower(s[n:]); ok {
		n += m
	}
	figures := sign + ungroup(s[start:n])
	start = n
	for n < len(s) {
		r, size := utf8.DecodeRuneInString(s[n:])
		if !isWord(r) || isUnspaced(r) {
			break
		}
		n += size
	}
	figures += s[start:n]
	rest := strings.TrimPrefix(s[n:], " ")
	if strings.HasPrefix(rest, "%") {
		figures += "%"
		n = len(s) - len(rest) + 1
	}
	return figures, n
}

// ungroup drops the separators between groups of digits and keeps all else as
// written.
func ungroup(figures string) string {
	segments, n := scanSegments(figures)
	if n != len(figures) || len(segments) < 2 {
		return figures
	}
	whole, fraction, unsure, err := group(segments)
	switch {
	case err != nil || unsure:
		return figures
	case fraction == "":
		return whole
	}
	return whole + "." + fraction
}

// wordToken reads letters and digits; an initialism loses its points, and plus and
// number signs that end a name belong to it.
func wordToken(s string) (token string, n int) {
	if token, n := pointed(s); n > 0 {
		return token, n
	}
	for n < len(s) {
		r, size := utf8.DecodeRuneInString(s[n:])
		if !isWord(r) || isUnspaced(r) {
			break
		}
		n += size
	}
	end := n
	for end < len(s) && (s[end] == '+' || s[end] == '#') {
		end++
	}
	if !startsWord(s[end:]) {
		n = end
	}
	return s[:n], n
}

// pointed reads u.s. or u.s and returns its letters.
func pointed(s string) (letters string, n int) {
	var b strings.Builder
	count := 0
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if !unicode.IsLetter(r) || startsWord(s[i+size:]) {
			return "", 0
		}
		b.WriteRune(r)
		count++
		i += size
		n = i
		if i >= len(s) || s[i] != '.' {
			break
		}
		i++
		n = i
		if !startsWord(s[i:]) {
			break
		}
	}
	if count < 2 {
		return "", 0
	}
	return b.String(), n
}

// isUnspaced reports whether a rune belongs to a script that does not put spaces
// between words, or to Hangul, which joins particles to them.
func isUnspaced(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
