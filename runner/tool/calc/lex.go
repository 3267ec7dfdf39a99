package calc

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

type kind int

const (
	end kind = iota
	number
	operator // one of + - * / // % **
	open
	closing
	name
	other // a character that no expression holds
)

// token is a piece of the expression. Text is the canonical spelling of an
// operator and the source text of everything else.
type token struct {
	kind   kind
	text   string
	column int  // in characters, from 1
	glued  bool // no space stands before it
}

// lex splits an expression into tokens, the last of kind end. It refuses
// nothing: the parser knows what to say about a token out of place.
func lex(expression string) []token {
	var tokens []token
	column, glued := 1, false
	for rest := expression; rest != ""; {
		r, size := utf8.DecodeRuneInString(rest)
		if unicode.IsSpace(r) {
			rest, column, glued = rest[size:], column+1, false
			continue
		}
		t, width := next(rest, r, size)
		t.column, t.glued = column, glued
		tokens = append(tokens, t)
		column += utf8.RuneCountInString(rest[:width])
		rest, glued = rest[width:], true
	}
	return append(tokens, token{kind: end, column: column})
}

// next reads the token at the start of rest, whose first rune is r, and returns
// its width in bytes.
func next(rest string, r rune, size int) (token, int) {
	switch {
	case strings.HasPrefix(rest, "**"), strings.HasPrefix(rest, "//"):
		return token{kind: operator, text: rest[:2]}, 2
	case strings.ContainsRune("+-*/%", r):
		return token{kind: operator, text: rest[:1]}, 1
	case r == '−':
		return token{kind: operator, text: "-"}, size
	case r == '×':
		return token{kind: operator, text: "*"}, size
	case r == '÷':
		return token{kind: operator, text: "/"}, size
	case r == '(':
		return token{kind: open, text: "("}, 1
	case r == ')':
		return token{kind: closing, text: ")"}, 1
	}
	if n := numberWidth(rest); n > 0 {
		return token{kind: number, text: rest[:n]}, n
	}
	if n := nameWidth(rest); n > 0 {
		return token{kind: name, text: rest[:n]}, n
	}
	return token{kind: other, text: rest[:size]}, size
}

// numberWidth returns the width of the decimal literal at the start of s, or 0.
func numberWidth(s string) int {
	n := digitsWidth(s)
	if n < len(s) && s[n] == '.' {
		fraction := digitsWidth(s[n+1:])
		if n+fraction == 0 {
			return 0
		}
		n += 1 + fraction
	}
	if n == 0 || n == len(s) || s[n]|0x20 != 'e' {
		return n
	}
	exponent := n + 1
	if exponent < len(s) && (s[exponent] == '+' || s[exponent] == '-') {
		exponent++
	}
	if d := digitsWidth(s[exponent:]); d > 0 {
		return exponent + d
	}
	return n
}

// digitsWidth returns the width of a run of digits with single underscores
// between them.
func digitsWidth(s string) int {
	n := 0
	for n < len(s) && (isDigit(s[n]) || s[n] == '_' && n > 0 && isDigit(s[n-1]) && n+1 < len(s) && isDigit(s[n+1])) {
		n++
	}
	return n
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// nameWidth returns the width of the identifier at the start of s, or 0.
func nameWidth(s string) int {
	n := strings.IndexFunc(s, func(r rune) bool {
		return r == utf8.RuneError || r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	if n < 0 {
		return len(s)
	}
	return n
}
