package spec

import (
	"context"
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/jq"
	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// Value is a value of a request: a literal, an expression, or a list or mapping of values.
type Value struct {
	literal any
	expr    *jq.Expr
	list    []Value
	fields  Fields
	is      valueKind
	escaped bool // a text that is written with ==
	at      strictyaml.Pos
}

type valueKind int

const (
	isLiteral valueKind = iota
	isExpr
	isList
	isFields
)

// Fields are values by name, in the order of the file.
type Fields []Named

// Named is a value with its name.
type Named struct {
	Name  string
	Value Value
	at    strictyaml.Pos
}

// UnmarshalNode reads a value of a request.
func (v *Value) UnmarshalNode(n *yaml.Node) error { return v.read(n, requestScope) }

// UnmarshalNode reads the values of a request by name.
func (f *Fields) UnmarshalNode(n *yaml.Node) error { return f.read(n, requestScope) }

// URL is an address, of which expressions see only settings.
type URL struct{ Value }

// UnmarshalNode reads an address.
func (u *URL) UnmarshalNode(n *yaml.Node) error {
	if n.Kind != yaml.ScalarNode || n.ShortTag() == "!!null" {
		return strictyaml.Errorf(n, "expected an address, found %s", strictyaml.Describe(n))
	}
	return u.read(n, settingScope)
}

// settingFields are Fields whose expressions see only settings.
type settingFields struct{ Fields }

func (f *settingFields) UnmarshalNode(n *yaml.Node) error { return f.read(n, settingScope) }

// looksLikeJQ matches texts that are expressions whose = was forgotten.
var looksLikeJQ = lazy.Compile(`^(\$(args|settings|replies)\b|\.[A-Za-z_])`)

func (v *Value) read(n *yaml.Node, scope *jq.Scope) error {
	v.at = strictyaml.Pos{Line: n.Line, Column: n.Column}
	switch n.Kind {
	case yaml.SequenceNode:
		v.is = isList
		v.list = make([]Value, len(n.Content))
		var all strictyaml.Errors
		for i, item := range n.Content {
			all = append(all, errorsOf(v.list[i].read(item, scope), fmt.Sprintf("[%d]", i))...)
		}
		return all.Err()
	case yaml.MappingNode:
		v.is = isFields
		return v.fields.read(n, scope)
	}
	if err := strictyaml.DecodeNode(n, &v.literal); err != nil {
		return err
	}
	said, isText := v.literal.(string)
	switch {
	case !isText:
	case strings.HasPrefix(said, "=="):
		v.literal, v.escaped = said[1:], true
	case strings.HasPrefix(said, "="):
		e, err := scope.Compile(said[1:])
		if err != nil {
			return strictyaml.Errorf(n, "%v%s", err, flowTrap(n))
		}
		v.expr, v.is = e, isExpr
	case looksLikeJQ.MatchString(said):
		return strictyaml.Errorf(n, "%q looks like an expression: write = before it, or == for a text", said)
	}
	return nil
}

func (f *Fields) read(n *yaml.Node, scope *jq.Scope) error {
	nodes := map[string]*yaml.Node{}
	if err := strictyaml.DecodeNode(n, &nodes); err != nil {
		return err
	}
	var all strictyaml.Errors
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		named := Named{Name: key.Value, at: strictyaml.Pos{Line: key.Line, Column: key.Column}}
		all = append(all, errorsOf(named.Value.read(nodes[key.Value], scope), key.Value)...)
		*f = append(*f, named)
	}
	return all.Err()
}

// errorsOf returns the findings of an error of this package, each below a step of a path.
func errorsOf(err error, step string) (out strictyaml.Errors) {
	switch e := err.(type) {
	case *strictyaml.Error:
		out = strictyaml.Errors{e}
	case strictyaml.Errors:
		out = e
	}
	for _, e := range out {
		switch {
		case e.Path == "":
			e.Path = step
		case strings.HasPrefix(e.Path, "["):
			e.Path = step + e.Path
		default:
			e.Path = step + "." + e.Path
		}
	}
	return out
}

// Eval returns the value. In a mapping, keys whose value is null are left out.
func (v *Value) Eval(ctx context.Context, s *Scene) (any, error) {
	switch v.is {
	case isExpr:
		out, _, err := v.expr.First(ctx, s.Input, s.values())
		if err != nil {
			return nil, fmt.Errorf("%s: %w", shorten(v.expr.Text), err)
		}
		return out, nil
	case isList:
		out := make([]any, len(v.list))
		for i := range v.list {
			item, err := v.list[i].Eval(ctx, s)
			if err != nil {
				return nil, err
			}
			out[i] = item
		}
		return out, nil
	case isFields:
		return v.fields.Eval(ctx, s)
	}
	return v.literal, nil
}

// Eval returns the values that are not null, by name.
func (f Fields) Eval(ctx context.Context, s *Scene) (map[string]any, error) {
	out := make(map[string]any, len(f))
	for i := range f {
		v, err := f[i].Value.Eval(ctx, s)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f[i].Name, err)
		}
		if v != nil {
			out[f[i].Name] = v
		}
	}
	return out, nil
}

func shorten(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > 60 {
		return string(r[:59]) + "…"
	}
	return text
}

// escapes calls do for every text within a value that is written with ==, without its first =.
func (v *Value) escapes(do func(text string, at strictyaml.Pos)) {
	if text, is := v.literal.(string); is && v.escaped {
		do(text, v.at)
	}
	for i := range v.list {
		v.list[i].escapes(do)
	}
	v.fields.escapes(do)
}

func (f Fields) escapes(do func(text string, at strictyaml.Pos)) {
	for i := range f {
		f[i].Value.escapes(do)
	}
}

// exprs calls do for every expression within a value.
func (v *Value) exprs(do func(*jq.Expr, strictyaml.Pos)) {
	if v.is == isExpr {
		do(v.expr, v.at)
	}
	for i := range v.list {
		v.list[i].exprs(do)
	}
	v.fields.exprs(do)
}

func (f Fields) exprs(do func(*jq.Expr, strictyaml.Pos)) {
	for i := range f {
		f[i].Value.exprs(do)
	}
}
