package calc

import (
	"fmt"
	"strings"
)

const allowed = "only numbers, parentheses, + - * / // % **, sqrt() ln() log() exp(), pi and e are allowed"

// refuse explains why the current token cannot follow an operand.
func (p *parser) refuse() *Error {
	t := p.peek()
	switch t.kind {
	case number, open:
		return errorAt(t.column, "an operator is missing before %q; write * to multiply", t.text)
	case closing:
		return errorAt(t.column, `the ")" closes nothing; remove it or add "("`)
	case name:
		if lower := strings.ToLower(t.text); constants[lower] || functions[lower] != nil {
			return errorAt(t.column, "an operator is missing before %q; write * to multiply", t.text)
		}
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

// refuseForeign explains a token that no expression holds.
func (p *parser) refuseForeign() *Error {
	t := p.peek()
	afterNumber := p.at > 0 && t.glued && p.tokens[p.at-1].kind == number
	switch {
	case t.text == ",":
		return errorAt(t.column, "%s", p.commaMessage())
	case t.kind == other:
		return errorAt(t.column, "unexpected %q: %s", t.text, characterAdvice(t.text))
	case afterNumber && strings.HasPrefix(t.text, "_"):
		return errorAt(t.column, "misplaced %q: in a number, _ stands singly between digits", t.text)
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

// commaMessage shows a number with group separators as it should be written.
func (p *parser) commaMessage() string {
	const message = `unexpected ",": write numbers without group separators, %s (no commas)`
	if p.at == 0 || p.tokens[p.at-1].kind != number {
		return fmt.Sprintf(message, "for example 1234")
	}
	if p.at > 2 && p.tokens[p.at-2].kind == open && p.tokens[p.at-3].kind == name {
		return `unexpected ",": a function takes one argument; log is the logarithm to base 10, ln the natural one, and to base b it is ln(…) / ln(b)`
	}
	whole := p.tokens[p.at-1].text
	for i := p.at; p.tokens[i].text == "," && p.tokens[i].glued; i += 2 {
		group := p.tokens[i+1]
		if group.kind != number || !group.glued || digitsWidth(group.text) != 3 {
			return fmt.Sprintf(message, "for example 1234")
		}
		whole += group.text
	}
	return fmt.Sprintf(message, "here "+whole)
}

// percent reports whether the current % is meant as "per cent": no operand
// follows, or it clings to the number on its left while a free-standing sign
// follows, as in "50% + 3".
func (p *parser) percent() bool {
	t := p.peek()
	if t.text != "%" {
		return false
	}
	following := p.tokens[p.at+1]
	switch following.kind {
	case number, open:
		return false
	case operator:
		sign := following.text == "+" || following.text == "-"
		return !sign || t.glued && !following.glued && !p.tokens[p.at+2].glued
	case name:
		return !following.glued
	}
	return following.kind == end || following.kind == closing
}

func (p *parser) refusePercent() *Error {
	t := p.peek()
	example := "50"
	if before := p.tokens[p.at-1]; before.kind == number {
		example = before.text
	}
	return errorAt(t.column, `unexpected "%%": it is modulo and needs a number on its right; write %s/100 for per cent`, example)
}

// characterAdvice says what to write instead of a character.
func characterAdvice(c string) string {
	switch c {
	case "^":
		return "use ** for powers"
	case "=", "<", ">", "!", "≠", "≤", "≥", "≈":
		return "assignments, comparisons and factorials are not supported; " + allowed
	case `"`, "'", "`", "“", "”", "‘", "’":
		return "strings are not supported; " + allowed
	case ".":
		return "attributes are not supported; " + allowed
	case "[", "]", "{", "}":
		return "use ( ) for grouping"
	case "–", "—":
		return "use - for minus"
	case "·", "⋅", "∙":
		return "use * to multiply"
	case "√":
		return "write a square root as sqrt(…)"
	case "²", "³":
		return "use ** for powers, as in 5 ** 2"
	case "$", "€", "£", "¥":
		return "write amounts without the currency"
	}
	return allowed
}
