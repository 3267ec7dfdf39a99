package calc

import (
	"strings"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/lazy"
)

// Binding powers. A sign binds less tightly than a ** after it, and more tightly than every other operator.
// The right side of ** may begin with a sign.
const (
	bindSum     = 10
	bindProduct = 20
	bindSign    = 30
	bindPower   = 40
)

// node is an expression tree: a literal or constant, a sign or function (which has only right), or an
// operation.
type node struct {
	token       token
	left, right *node
}

// parse builds the tree of an expression.
func parse(expression string) (*node, *Error) {
	if len(expression) > MaxLength {
		return nil, errorAt(1, "the expression has %d bytes and may have %d; split it into smaller ones",
			len(expression), MaxLength)
	}
	p := parser{tokens: tokenize(expression)}
	if p.peek().kind == end {
		return nil, errorAt(1, "the expression is empty; write one such as 2 * (3 + 4)")
	}
	root, err := p.expression(0)
	if err != nil {
		return nil, err
	}
	if p.peek().kind != end {
		return nil, p.refuse()
	}
	return root, nil
}

// parser is a Pratt parser over the tokens of one expression.
type parser struct {
	tokens []token
	at     int
	depth  int
}

func (p *parser) peek() token { return p.tokens[p.at] }

func (p *parser) take() token {
	p.at++
	return p.tokens[p.at-1]
}

// expression parses operations that bind tighter than limit.
func (p *parser) expression(limit int) (*node, *Error) {
	left, err := p.operand()
	if err != nil {
		return nil, err
	}
	for {
		bind := binding[p.peek().text]
		if bind <= limit {
			return left, nil
		}
		if p.percent() {
			return nil, p.refusePercent()
		}
		op := p.take()
		var right *node
		if bind == bindPower {
			right, err = p.nested(op, bindSign)
		} else {
			right, err = p.expression(bind)
		}
		if err != nil {
			return nil, err
		}
		left = &node{token: op, left: left, right: right}
	}
}

// operand parses a number, a constant, an operand with a sign, an expression in parentheses, or a function.
func (p *parser) operand() (*node, *Error) {
	t := p.peek()
	switch {
	case t.kind == number:
		return &node{token: p.take()}, nil
	case t.kind == operator && (t.text == "-" || t.text == "+"):
		p.take()
		right, err := p.nested(t, bindSign)
		if err != nil {
			return nil, err
		}
		return &node{token: t, right: right}, nil
	case t.kind == open:
		return p.parenthesis()
	case t.kind == name && constants[strings.ToLower(t.text)]:
		return &node{token: p.take()}, nil
	case t.kind == name && functions[strings.ToLower(t.text)] != nil && p.tokens[p.at+1].kind == open:
		p.take()
		argument, err := p.parenthesis()
		return &node{token: t, right: argument}, err
	}
	return nil, p.refuseOperand()
}

// parenthesis parses an expression in parentheses.
func (p *parser) parenthesis() (*node, *Error) {
	t := p.take()
	inner, err := p.nested(t, 0)
	switch {
	case err != nil:
		return nil, err
	case p.peek().kind == end:
		return nil, errorAt(t.column, `the "(" is never closed; add ")"`)
	case p.peek().kind != closing:
		return nil, p.refuse()
	}
	p.take()
	return inner, nil
}

// nested parses an expression one level deeper, for the parenthesis, sign or power at t.
func (p *parser) nested(t token, limit int) (*node, *Error) {
	if p.depth == MaxNesting {
		return nil, errorAt(t.column, "the expression is nested deeper than %d levels; split it into smaller ones",
			MaxNesting)
	}
	p.depth++
	defer func() { p.depth-- }()
	return p.expression(limit)
}

// binding is the binding power of each operator.
var binding = map[string]int{
	"+": bindSum, "-": bindSum, "*": bindProduct, "/": bindProduct, "//": bindProduct, "%": bindProduct,
	"**": bindPower,
}

type kind int

const (
	end kind = iota
	number
	operator // one of + - * / // % **
	open
	closing
	name
	other // a character that an expression cannot contain
)

// token is a token of an expression. text is the canonical form of an operator; for other tokens it is the
// source text.
type token struct {
	kind   kind
	text   string
	column int  // position in characters, from 1
	glued  bool // no space precedes it
}

// tokens has a group for each kind of token, in the order of the kinds. Single underscores between digits are
// allowed.
var (
	tokens = lazy.Compile(strings.ReplaceAll(`((?:D(?:\.D?)?|\.D)(?:[eE][-+]?D)?)|(\*\*|//|[-+*/%])|`+
		`(\()|(\))|([\p{L}\p{Nd}_]+)|([^\s\pZ])`, "D", `(?:\d+(?:_\d+)*)`))
	signs = strings.NewReplacer("−", "-", "×", "*", "÷", "/")
)

// tokenize splits an expression into tokens; the last one has kind end. It never fails, because the parser
// can explain a wrong token better.
func tokenize(expression string) []token {
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
