package jq

import (
	"strings"

	"github.com/itchyny/gojq"

	"github.com/seed-5817661a/concur/internal/jq/rewrite"
)

// bound changes a parsed expression so that what it makes from other values spends their weight first. The interpreter
// itself limits neither the length of a text nor that of a list.
func (c *check) bound(parsed *gojq.Query) {
	b := bounder{c, map[string]bool{}}
	rewrite.Visit(parsed, b.define)
	rewrite.Visit(parsed, b.node)
}

type bounder struct {
	*check
	own map[string]bool // the functions, and their parameters, that the expression defines
}

// define notes a definition.
func (b bounder) define(node any) {
	def, is := node.(*gojq.FuncDef)
	if !is {
		return
	}
	for _, name := range append([]string{def.Name}, def.Args...) {
		if b.own[name] = true; strings.HasPrefix(name, "_") {
			b.fail("%s cannot be defined: choose a name without _ at its beginning", name)
		}
	}
}

// node changes a node.
func (b bounder) node(node any) {
	switch node := node.(type) {
	case *gojq.Query:
		b.operator(node)
	case *gojq.Index:
		if node.Start != nil && !node.IsSlice {
			node.Start = spent(node.Start, spendIndex)
		}
	case *gojq.Term:
		switch {
		case node.Type == gojq.TermTypeFunc:
			b.call(node)
		case node.Type == gojq.TermTypeFormat && node.Str == nil:
			*node = rewrite.Before(*node, spendMuch)
		case node.Str != nil && len(node.Str.Queries) > 0:
			for i, q := range node.Str.Queries {
				node.Str.Queries[i] = spent(q, spend)
			}
			*node = rewrite.Behind(*node, spendTwice) // the parts that are written out are in each result
		}
	}
}

// operator lets the operands of an operator spend. The left side of an assignment is a path, and stays as it is.
func (b bounder) operator(q *gojq.Query) {
	switch q.Op {
	case gojq.OpAdd:
		q.Left, q.Right = spent(q.Left, spendTwice), spent(q.Right, spendTwice)
	case gojq.OpEq, gojq.OpNe, gojq.OpGt, gojq.OpLt, gojq.OpGe, gojq.OpLe:
		if !rewrite.IsLiteral(q.Left) && !rewrite.IsLiteral(q.Right) { // such a comparison ends at the first difference
			q.Left, q.Right = spent(q.Left, spend), spent(q.Right, spend)
		}
	case gojq.OpSub, gojq.OpDiv, gojq.OpMod:
		q.Left, q.Right = spent(q.Left, spendPairs), spent(q.Right, spendPairs)
	case gojq.OpUpdateAdd:
		q.Right = spent(q.Right, spendMuch)
	case gojq.OpUpdateSub, gojq.OpUpdateDiv, gojq.OpUpdateMod:
		q.Right = spent(q.Right, spendPairs)
	}
}

// call lets the input and the arguments of a call spend.
func (b bounder) call(t *gojq.Term) {
	f, of := t.Func, spend
	switch name := f.Name; {
	case strings.HasPrefix(name, "_") && name != product:
		b.fail("%s is not available", name)
		return
	case strings.HasPrefix(name, "$"), b.own[name], passing[name]:
		return
	case matching[name], (name == "match" || name == "capture" || name == "split") && len(f.Args) > 1:
		of = spendMatch
	case growing[name]:
		of = spendMuch
	case pairing[name]:
		of = spendPairs
	}
	for i, arg := range f.Args {
		switch {
		case f.Name == "join" && !rewrite.IsShort(arg): // it is written once for each entry of a list
			f.Args[i] = spent(arg, spendLong)
		case i > 0 && strings.HasSuffix(f.Name, "sub"): // it replaces each match
			f.Args[i] = rewrite.Query(arg, spendMuch)
		default:
			f.Args[i] = spent(arg, spend)
		}
	}
	*t = rewrite.Before(*t, of)
}

// spent returns an expression whose results spend. What is written out and short spends nothing.
func spent(q *gojq.Query, of string) *gojq.Query {
	if rewrite.IsShort(q) && of != spendIndex {
		return q
	}
	return rewrite.Query(q, of)
}
