package calc

import (
	"regexp"
	"strings"
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
	glued  bool // no space precedes it
}

// tokens has a group for each kind of token, in the order of the kinds. Digits may have
// single underscores between them.
var (
	tokens = regexp.MustCompile(strings.ReplaceAll(`((?:D(?:\.D?)?|\.D)(?:[eE][-+]?D)?)|(\*\*|//|[-+*/%])|(\()|(\))|([\p{L}\p{Nd}_]+)|([^\s\pZ])`, "D", `(?:\d+(?:_\d+)*)`))
	signs  = strings.NewReplacer("−", "-", "×", "*", "÷", "/")
)

// lex splits an expression into tokens, the last of kind end. It refuses
// nothing: the parser knows what to say about a token out of place.
func lex(expression string) []token {
	expression = signs.Replace(expression)
	var out []token
	last, column := 0, 1
	for _, m := range tokens.FindAllStringSubmatchIndex(expression, -1) {
		column += utf8.RuneCountInString(expression[last:m[0]])
		t := token{text: expression[m[0]:m[1]], column: column, glued: m[0] == last && last > 0}
		for t.kind = number; m[2*t.kind] < 0; {
			t.kind++
		}
		out = append(out, t)
		column, last = column+utf8.RuneCountInString(t.text), m[1]
	}
	return append(out, token{kind: end, column: column + utf8.RuneCountInString(expression[last:])})
}
