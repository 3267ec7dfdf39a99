package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/lazy"
)

// Token is a word, a number with its signs and letters, or a sign with a meaning (currency, %, &, <, >).
type Token struct {
	Span          // the place in the original text
	Folded string // the token in the requested form
}

// Tokens splits a text into tokens. A number is one token with its sign, decimals, joined letters and percent
// sign, but without the separators of its groups. So the token 4 is not in 14, 4.5 or -4. C, C# and C++ are
// three different tokens. U.S. becomes us. In a script without spaces between words, every character is a
// token.
func Tokens(s string, f Form) []Token { return Map(s, f).Tokens() }

// Tokens returns the tokens of a text that is already folded; see [Tokens].
func (m Folded) Tokens() []Token {
	t := m.String
	var out []Token
	previous := ' '
	for i := 0; i < len(t); {
		r, size := utf8.DecodeRuneInString(t[i:])
		token, n := "", size
		switch {
		case startsNumber(t[i:], previous):
			token, n = numberToken(t[i:])
		case IsUnspaced(r):
			token = t[i : i+size]
		case IsWord(r):
			token, n = wordToken(t[i:])
		case unicode.Is(unicode.Sc, r), strings.ContainsRune("&%‰<>≤≥", r):
			token = t[i : i+size]
		}
		if token != "" {
			from, to := m.Source(i, i+n)
			out = append(out, Token{Span{from, to}, token})
		}
		previous, _ = utf8.DecodeLastRuneInString(t[:i+n])
		i += n
	}
	return out
}

// separator is before, between and after the tokens of a joined text.
const separator = "\x00"

// Joined joins tokens into one text. The joined form of tokens A contains the joined form of tokens B exactly
// if A contains B as consecutive tokens. It is "" if there are no tokens.
func Joined(tokens []Token) string {
	if len(tokens) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(separator)
	for _, t := range tokens {
		b.WriteString(t.Folded)
		b.WriteString(separator)
	}
	return b.String()
}

// spacedLength returns the length of the word at the beginning of s, up to the first character of a script
// without spaces.
func spacedLength(s string) int {
	end := strings.IndexFunc(s, func(r rune) bool { return !IsWord(r) || IsUnspaced(r) })
	if end < 0 {
		return len(s)
	}
	return end
}

// startsNumber reports whether s begins with a number: a digit, or a sign or point before a digit. If the sign
// or point can belong to the text before it, whose last rune is previous, the result is false.
func startsNumber(s string, previous rune) bool {
	if IsDigit(s[0]) {
		return true
	}
	if s[0] != '-' && s[0] != '.' || IsWord(previous) || strings.ContainsRune(").-", previous) {
		return false
	}
	rest := strings.TrimPrefix(strings.TrimPrefix(s, "-"), ".")
	return rest != "" && IsDigit(rest[0])
}

// numberToken reads digits, and the signs and letters that are joined to them.
func numberToken(s string) (token string, n int) {
	sign := ""
	if s[0] == '-' {
		sign, n = "-", 1
	}
	start := n
	if s[n] == '.' {
		n++
	}
	for n < len(s) && (IsDigit(s[n]) || n+1 < len(s) && IsDigit(s[n+1]) && strings.IndexByte(".,'_:/-", s[n]) >= 0) {
		n++
	}
	n += PowerLength(s[n:])
	token = sign + ungroup(s[start:n])
	start = n
	n += spacedLength(s[n:])
	token += s[start:n]
	if rest := strings.TrimPrefix(s[n:], " "); strings.HasPrefix(rest, "%") {
		token += "%"
		n = len(s) - len(rest) + 1
	}
	return token, n
}

var power = lazy.Compile(`^\^(?:[+-]?\d+|\([+-]?\d+\)|\{[+-]?\d+\})`)

// PowerLength returns the length of ^3, ^(3) or ^{-3} at the start of s; 0 for anything else.
func PowerLength(s string) int { return len(power.FindString(s)) }

// ungroup removes the separators between groups of three digits.
func ungroup(figures string) string {
	whole, fraction, pointed := strings.Cut(figures, ".")
	first := len(whole) - len(strings.TrimLeft(whole, "0123456789"))
	if first == len(whole) || first == 0 || first > 3 || whole[0] == '0' || strings.IndexByte(",'_", whole[first]) < 0 {
		return figures
	}
	parts := strings.Split(whole, whole[first:first+1])
	for _, p := range parts[1:] {
		if len(p) != 3 || strings.Trim(p, "0123456789") != "" {
			return figures
		}
	}
	if whole = strings.Join(parts, ""); pointed {
		whole += "." + fraction
	}
	return whole
}

// wordToken reads letters and digits. It removes the points of an initialism, keeps an apostrophe between
// letters, and includes plus and number signs at the end of a name.
func wordToken(s string) (token string, n int) {
	if token, n := initialism(s); n > 0 {
		return token, n
	}
	n = spacedLength(s)
	end := n
	for end < len(s) && (s[end] == '+' || s[end] == '#') {
		end++
	}
	if !StartsWord(s[end:]) {
		n = end
	}
	return s[:n], n
}

// initials matches u.s. and u.s
var initials = lazy.Compile(`^(?:(\pL(?:\.\pL)+\.)(?:$|[^\pL\pM\p{Nd}])|(\pL(?:\.\pL)+)(?:$|[^\pL\pM\p{Nd}.]))`)

// initialism reads an initialism and returns its letters.
func initialism(s string) (letters string, n int) {
	if _, size := utf8.DecodeRuneInString(s); size == len(s) || s[size] != '.' {
		return "", 0 // most words have no point, so the expression is not needed
	}
	found := initials.FindStringSubmatch(s)
	if found == nil {
		return "", 0
	}
	written := found[1] + found[2]
	return strings.ReplaceAll(written, ".", ""), len(written)
}
