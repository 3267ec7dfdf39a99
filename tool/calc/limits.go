package calc

import (
	"fmt"
	"math/big"
	"strings"
)

// Limits of expressions. Each limit is checked before the work that it limits, so an expression beyond a
// limit is refused at once.
const (
	// MaxLength is the maximum length of an expression, in bytes.
	MaxLength = 1000
	// MaxNesting is the maximum depth of nested parentheses, signs and powers.
	MaxNesting = 100
	// MaxDigits is the maximum number of decimal digits of the numerator, and of the denominator, of any value
	// in lowest terms. A terminating result within this limit can have more than MaxDigits decimals: 2**-20000
	// has 20,000.
	MaxDigits = 10_000
	// SignificantDigits is the number of digits of a result that does not terminate.
	SignificantDigits = 30
)

// maxBits is the bit length of 10**MaxDigits: ceil(MaxDigits * log2(10)).
const maxBits = 33_220

// beyond is the smallest number with more than MaxDigits digits.
var beyond = pow10(MaxDigits)

// withinLimits reports whether numerator and denominator have at most MaxDigits digits.
func withinLimits(x *big.Rat) bool { return x.Num().CmpAbs(beyond) < 0 && x.Denom().CmpAbs(beyond) < 0 }

// pow10 returns 10**n for n >= 0.
func pow10(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

// Error explains why an expression has no value, and how to correct it. All errors of Eval have this type.
type Error struct {
	Column  int    // position of the fault in characters, from 1
	Message string // one line with the fault and its correction
}

// Error returns the message with its column.
func (e *Error) Error() string { return fmt.Sprintf("column %d: %s", e.Column, e.Message) }

func errorAt(column int, format string, args ...any) *Error {
	return &Error{Column: column, Message: fmt.Sprintf(format, args...)}
}

func tooLarge(column int) *Error {
	return errorAt(column, "the value is too large: numerator and denominator may have %d digits each; use smaller "+
		"numbers", MaxDigits)
}

const allowed = "only numbers, parentheses, + - * / // % **, sqrt() ln() log() exp(), pi and e are allowed"

// refuse explains why the current token cannot follow an operand.
func (p *parser) refuse() *Error {
	t := p.peek()
	lower := strings.ToLower(t.text)
	switch {
	case t.kind == number, t.kind == open, constants[lower], functions[lower] != nil:
		return errorAt(t.column, "an operator is missing before %q; write * to multiply", t.text)
	case t.kind == closing:
		return errorAt(t.column, `the ")" has no "("; remove it or add "("`)
	}
	return p.refuseForeign()
}

// refuseOperand explains why the current token cannot begin an operand.
func (p *parser) refuseOperand() *Error {
	t := p.peek()
	switch t.kind {
	case end:
		return errorAt(t.column, "the expression ends where a number is expected; complete it")
	case closing, operator:
		return errorAt(t.column, "a number is expected instead of %q", t.text)
	}
	return p.refuseForeign()
}

// refuseForeign explains a token that cannot be in an expression.
func (p *parser) refuseForeign() *Error {
	t := p.peek()
	afterNumber := p.at > 0 && t.glued && p.tokens[p.at-1].kind == number
	switch {
	case t.text == ",":
		return errorAt(t.column, "%s", p.commaMessage())
	case t.kind == other:
		return errorAt(t.column, "unexpected %q: %s", t.text, characterAdvice(t.text))
	case afterNumber && strings.HasPrefix(t.text, "_"):
		return errorAt(t.column, "misplaced %q: a number may have single _ between digits", t.text)
	case afterNumber && p.tokens[p.at-1].text == "0" && strings.ContainsAny(t.text[:1], "xXbBoO"):
		return errorAt(t.column, "unexpected %q: numbers are written in decimal, without a base prefix", t.text)
	case strings.EqualFold(t.text, "x"):
		return errorAt(t.column, "unexpected name %q: write * to multiply; there are no variables", t.text)
	case functions[strings.ToLower(t.text)] != nil:
		return errorAt(t.column, "%s needs its argument in parentheses, as in %s(2)", t.text, t.text)
	case p.tokens[p.at+1].kind == open:
		return errorAt(t.column, "unknown function %q: %s", t.text, allowed)
	}
	return errorAt(t.column, "unexpected name %q: %s", t.text, allowed)
}

// commaMessage explains that a comma can neither group digits nor separate arguments.
func (p *parser) commaMessage() string {
	if p.at > 2 && p.tokens[p.at-2].kind == open && p.tokens[p.at-3].kind == name {
		return `unexpected ",": a function takes one argument; log is the logarithm to base 10, ln the natural one, ` +
			`and to base b it is ln(…) / ln(b)`
	}
	return `unexpected ",": write numbers without group separators, for example 1234 (no commas)`
}

// percent reports whether the current % means "per cent". This is so if no operand follows it. It is also so if
// no space is before it and an operator with spaces on both sides is after it, as in "50% + 3".
func (p *parser) percent() bool {
	t := p.peek()
	if t.text != "%" {
		return false
	}
	switch following := p.tokens[p.at+1]; following.kind {
	case number, open:
		return false
	case operator:
		sign := following.text == "+" || following.text == "-"
		return !sign || t.glued && !following.glued && !p.tokens[p.at+2].glued
	case name:
		return !following.glued
	}
	return true
}

func (p *parser) refusePercent() *Error {
	t := p.peek()
	example := "50"
	if before := p.tokens[p.at-1]; before.kind == number {
		example = before.text
	}
	return errorAt(t.column, `unexpected "%%": it is modulo and needs a number on its right; write %s/100 for per cent`,
		example)
}

// characterAdvice returns the text to write instead of a character.
func characterAdvice(c string) string {
	for _, a := range advice {
		if strings.Contains(a.characters, c) {
			return a.text
		}
	}
	return allowed
}

var advice = []struct{ characters, text string }{
	{"^²³", "use ** for powers, as in 5 ** 2"},
	{"=<>!≠≤≥≈", "assignments, comparisons and factorials are not supported; " + allowed},
	{"\"'`“”‘’", "strings are not supported; " + allowed},
	{".", "attributes are not supported; " + allowed},
	{"[]{}", "use ( ) for grouping"},
	{"–—", "use - for minus"},
	{"·⋅∙", "use * to multiply"},
	{"√", "write a square root as sqrt(…)"},
	{"$€£¥", "write amounts without the currency"},
}
