package jq

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/itchyny/gojq"
)

// check walks through a parsed expression, collects its mistakes, and rewrites products and replaced functions.
type check struct {
	scope *Scope
	uses  []Use
	wrong []string
}

func (c *check) fail(format string, args ...any) {
	if said := fmt.Sprintf(format, args...); !slices.Contains(c.wrong, said) {
		c.wrong = append(c.wrong, said)
	}
}

// query checks a query. piped reports that the query is the input of a function that accepts every variable.
func (c *check) query(q *gojq.Query, piped bool) {
	if q == nil {
		return
	}
	if len(q.Imports) > 0 {
		c.fail("import and include read files")
	}
	for _, f := range q.FuncDefs {
		c.define(f)
	}
	for _, p := range q.Patterns {
		c.pattern(p)
	}
	switch {
	case q.Op == gojq.OpPipe && len(q.Patterns) == 0:
		c.query(q.Left, c.accepts(q.Left, firstOf(q.Right)))
	default:
		c.query(q.Left, false)
	}
	c.query(q.Right, false)
	if q.Term != nil {
		c.term(q.Term, piped && len(q.Term.SuffixList) == 0)
	}
	switch q.Op {
	case gojq.OpMul: // a product of texts can use all memory
		q.Term = &gojq.Term{Type: gojq.TermTypeFunc,
			Func: &gojq.Func{Name: product, Args: []*gojq.Query{q.Left, q.Right}}}
		q.Left, q.Right, q.Op = nil, nil, 0
	case gojq.OpUpdateMul:
		c.fail("*= is not available: write .a = .a * 2")
	}
}

// firstOf returns the function that gets the input of a query; nil if there is no function.
func firstOf(q *gojq.Query) *gojq.Func {
	for q != nil && q.Term == nil {
		q = q.Left
	}
	if q == nil || q.Term.Type != gojq.TermTypeFunc {
		return nil
	}
	return q.Term.Func
}

// accepts reports whether the left side is a variable that the function on the right side accepts.
func (c *check) accepts(left *gojq.Query, f *gojq.Func) bool {
	if f == nil || left == nil || left.Term == nil || left.Term.Func == nil {
		return false
	}
	v := c.variable(left.Term.Func.Name)
	return v != nil && slices.Contains(v.Before, f.Name)
}

func (c *check) variable(name string) *Variable {
	for i, v := range c.scope.Variables {
		if v.Name == name {
			return &c.scope.Variables[i]
		}
	}
	return nil
}

func (c *check) define(f *gojq.FuncDef) {
	if forbidden[f.Name] != "" || c.scope.Replaced[f.Name] != "" {
		c.fail("%s cannot be defined: choose another name", f.Name)
	}
	for _, name := range f.Args {
		c.bind(name)
	}
	c.query(f.Body, false)
}

// bind reports a variable of the scope that an expression binds to another value.
func (c *check) bind(name string) {
	if c.variable(name) != nil || slices.Contains(c.scope.Hidden, name) {
		c.fail("%s cannot be bound: choose another name", name)
	}
}

func (c *check) pattern(p *gojq.Pattern) {
	if p == nil {
		return
	}
	c.bind(p.Name)
	for _, inner := range p.Array {
		c.pattern(inner)
	}
	for _, o := range p.Object {
		if strings.HasPrefix(o.Key, "$") {
			c.bind(o.Key)
		}
		c.within(reflect.ValueOf(o.KeyString))
		c.query(o.KeyQuery, false)
		c.pattern(o.Val)
	}
}

// term checks a term and everything in it.
func (c *check) term(t *gojq.Term, piped bool) {
	if t.Func != nil {
		c.function(t, piped)
	}
	if t.Object != nil {
		for _, kv := range t.Object.KeyVals {
			if strings.HasPrefix(kv.Key, "$") && kv.Val == nil {
				c.use(kv.Key, "", false)
			}
		}
	}
	if t.Break != "" {
		return
	}
	c.within(reflect.ValueOf(t))
}

// function checks a call of a function, or a use of a variable.
func (c *check) function(t *gojq.Term, piped bool) {
	name := t.Func.Name
	if why := forbidden[name]; why != "" {
		c.fail("%s %s", name, why)
		return
	}
	if variable := c.scope.Replaced[name]; variable != "" && len(t.Func.Args) == 0 {
		t.Func.Name = variable
		return
	}
	if !strings.HasPrefix(name, "$") {
		return
	}
	field := ""
	if len(t.SuffixList) > 0 {
		if i := t.SuffixList[0].Index; i != nil {
			field = i.Name
			if i.Str != nil && len(i.Str.Queries) == 0 {
				field = i.Str.Str
			}
		}
	}
	c.use(name, field, piped)
}

// use checks the use of a variable.
func (c *check) use(name, field string, piped bool) {
	v := c.variable(name)
	switch {
	case v == nil && slices.Contains(c.scope.Hidden, name):
		known := make([]string, len(c.scope.Variables))
		for i, v := range c.scope.Variables {
			known[i] = v.Name
		}
		c.fail("%s is not known in %s (known: %s)", name, c.scope.Place, strings.Join(known, ", "))
	case v == nil:
	case v.ByName && field == "":
		c.fail("%s is used by name only: write %s.NAME", name, name)
	case v.ByName:
		if use := (Use{name, field}); !slices.Contains(c.uses, use) {
			c.uses = append(c.uses, use)
		}
	case v.Before != nil && !piped:
		c.fail("%s can stand only directly before %s: write %s | test(…)", name, strings.Join(v.Before, " "), name)
	}
}

// within checks all queries and terms below a part of a parsed expression, whose fields are all exported.
func (c *check) within(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		c.within(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			c.part(v.Field(i))
		}
	case reflect.Slice:
		for i := range v.Len() {
			c.part(v.Index(i))
		}
	}
}

func (c *check) part(v reflect.Value) {
	if v.Kind() == reflect.Pointer && v.IsNil() {
		return
	}
	switch part := v.Interface().(type) {
	case *gojq.Query:
		c.query(part, false)
	case *gojq.Term:
		c.term(part, false)
	case *gojq.Pattern:
		c.pattern(part)
	default:
		c.within(v)
	}
}
