package rewrite

import (
	"reflect"

	"github.com/itchyny/gojq"
)

// Visit calls do for each node of a parsed expression, the inner ones first, with a pointer to the node. All fields of
// a parsed expression are exported.
func Visit(parsed *gojq.Query, do func(node any)) { visit(reflect.ValueOf(parsed), do) }

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

// Query returns the expression (q | f).
func Query(q *gojq.Query, f string) *gojq.Query {
	whole := &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeQuery, Query: q}}
	inner := &gojq.Query{Left: whole, Op: gojq.OpPipe, Right: call(f)}
	return &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeQuery, Query: inner}}
}

// Before returns the term (f | t), with the suffixes of t behind it.
func Before(t gojq.Term, f string) gojq.Term {
	suffixes := t.SuffixList
	t.SuffixList = nil
	inner := &gojq.Query{Left: call(f), Op: gojq.OpPipe, Right: &gojq.Query{Term: &t}}
	return gojq.Term{Type: gojq.TermTypeQuery, Query: inner, SuffixList: suffixes}
}

// Behind returns the term (t | f), with the suffixes of t behind it.
func Behind(t gojq.Term, f string) gojq.Term {
	suffixes := t.SuffixList
	t.SuffixList = nil
	inner := &gojq.Query{Left: &gojq.Query{Term: &t}, Op: gojq.OpPipe, Right: call(f)}
	return gojq.Term{Type: gojq.TermTypeQuery, Query: inner, SuffixList: suffixes}
}

func call(f string) *gojq.Query {
	return &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeFunc, Func: &gojq.Func{Name: f}}}
}

// MaxShort is the greatest number of bytes of a short text.
const MaxShort = 64

// IsShort reports whether an expression is a number, a word or a short text, as written.
func IsShort(q *gojq.Query) bool {
	return IsLiteral(q) && (q.Term.Str == nil || len(q.Term.Str.Str) <= MaxShort)
}

// IsLiteral reports whether an expression is a number, a word or a text, as written.
func IsLiteral(q *gojq.Query) bool {
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
