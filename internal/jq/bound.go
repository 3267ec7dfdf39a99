package jq

import (
	"reflect"
	"strings"

	"github.com/itchyny/gojq"
)

// bound changes a parsed expression so that what it makes from other values spends their weight first. The interpreter
// itself limits neither the length of a text nor that of a list.
func (c *check) bound(parsed *gojq.Query) {
	b := bounder{c, map[string]bool{}}
	visit(reflect.ValueOf(parsed), b.define)
	visit(reflect.ValueOf(parsed), b.node)
}

type bounder struct {
	*check
	own map[string]bool // the functions, and their parameters, that the expression defines
}

// visit calls do for each node of a parsed expression, the inner ones first. All its fields are exported.
func visit(v reflect.Value, do func(node any)) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			visit(v.Elem(), do)
			do(v.Interface())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			visit(v.Field(i), do)
		}
	case reflect.Slice:
		for i := range v.Len() {
			visit(v.Index(i), do)
		}
	}
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
			*node = spendFirst(*node, spendMuch)
		case node.Str != nil && len(node.Str.Queries) > 0:
			for i, q := range node.Str.Queries {
				node.Str.Queries[i] = spent(q, spend)
			}
			*node = spendAfter(*node, spendTwice) // the parts that are written out are in each result
		}
	}
}

// operator lets the operands of an operator spend. The left side of an assignment is a path, and stays as it is.
func (b bounder) operator(q *gojq.Query) {
	switch q.Op {
	case gojq.OpAdd:
		q.Left, q.Right = spent(q.Left, spendTwice), spent(q.Right, spendTwice)
	case gojq.OpEq, gojq.OpNe, gojq.OpGt, gojq.OpLt, gojq.OpGe, gojq.OpLe:
		if !literal(q.Left) && !literal(q.Right) { // such a comparison ends at the first difference
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
		case f.Name == "join" && !short(arg): // it is written once for each entry of a list
			f.Args[i] = spent(arg, spendLong)
		case i > 0 && strings.HasSuffix(f.Name, "sub"): // it replaces each match
			f.Args[i] = before(arg, spendMuch)
		default:
			f.Args[i] = spent(arg, spend)
		}
	}
	*t = spendFirst(*t, of)
}

// maxShort is the greatest number of bytes of a text that spends nothing where it is written out.
const maxShort = 64

// short reports whether an expression is a number, a word or a short text, as written.
func short(q *gojq.Query) bool {
	return literal(q) && (q.Term.Str == nil || len(q.Term.Str.Str) <= maxShort)
}

// literal reports whether an expression is a number, a word or a text, as written.
func literal(q *gojq.Query) bool {
	t := q.Term
	if t == nil || len(t.SuffixList) > 0 || len(q.FuncDefs) > 0 {
		return false
	}
	switch t.Type {
	case gojq.TermTypeNull, gojq.TermTypeTrue, gojq.TermTypeFalse, gojq.TermTypeNumber:
		return true
	case gojq.TermTypeString:
		return len(t.Str.Queries) == 0
	case gojq.TermTypeUnary:
		return t.Unary.Term.Type == gojq.TermTypeNumber
	}
	return false
}

// spent returns an expression whose results spend. What is written out and short spends nothing.
func spent(q *gojq.Query, of string) *gojq.Query {
	if short(q) && of != spendIndex {
		return q
	}
	return before(q, of)
}

// before returns (q | of).
func before(q *gojq.Query, of string) *gojq.Query {
	whole := &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeQuery, Query: q}}
	inner := &gojq.Query{Left: whole, Op: gojq.OpPipe, Right: call(of)}
	return &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeQuery, Query: inner}}
}

// spendFirst returns the term (of | t), with the suffixes of t after it.
func spendFirst(t gojq.Term, of string) gojq.Term {
	suffixes := t.SuffixList
	t.SuffixList = nil
	inner := &gojq.Query{Left: call(of), Op: gojq.OpPipe, Right: &gojq.Query{Term: &t}}
	return gojq.Term{Type: gojq.TermTypeQuery, Query: inner, SuffixList: suffixes}
}

// spendAfter returns the term (t | of), with the suffixes of t after it.
func spendAfter(t gojq.Term, of string) gojq.Term {
	suffixes := t.SuffixList
	t.SuffixList = nil
	inner := &gojq.Query{Left: &gojq.Query{Term: &t}, Op: gojq.OpPipe, Right: call(of)}
	return gojq.Term{Type: gojq.TermTypeQuery, Query: inner, SuffixList: suffixes}
}

func call(name string) *gojq.Query {
	return &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeFunc, Func: &gojq.Func{Name: name}}}
}
