package spec

import (
	"context"
	"strings"

	"github.com/itchyny/gojq"
	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/jq"
	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/tool/api/pick"
)

// Scene has everything that expressions see.
type Scene struct {
	Input    any            // the reply, or the reply of the request before; nil in the first request
	Settings map[string]any // by name
	Args     map[string]any // by name
	Replies  []any          // of the requests before
	Status   int
	Headers  map[string]any // texts by names in small letters
	Body     string
	Clock    int    // seconds since 1970
	Address  string // of the request; no expression sees it
}

// bodyFunctions take time in proportion to their input.
var bodyFunctions = []string{"test", "contains", "startswith", "endswith", "capture", "fromjson"}

// The variables of expressions, in the order of Scene.values.
var (
	settings  = jq.Variable{Name: "$settings", ByName: true}
	arguments = jq.Variable{Name: "$args", ByName: true}
	replies   = jq.Variable{Name: "$replies"}
	status    = jq.Variable{Name: "$status"}
	headers   = jq.Variable{Name: "$headers"}
	body      = jq.Variable{Name: "$body", Before: bodyFunctions}
)

const clock = "$clock__"

// The scopes: an expression about a reply, a value of a request, a value of settings alone.
var (
	replyScope   = newScope("an expression", settings, arguments, replies, status, headers, body)
	requestScope = newScope("a request", settings, arguments, replies)
	settingScope = newScope("url and jwt", settings)
)

// newScope returns a scope in which the first variables are known; the others are not.
func newScope(place string, known ...jq.Variable) *jq.Scope {
	s := &jq.Scope{Variables: known, Place: place, Replaced: map[string]string{"clock": clock}}
	for _, v := range []jq.Variable{settings, arguments, replies, status, headers, body}[len(known):] {
		s.Hidden = append(s.Hidden, v.Name)
	}
	s.Hidden = append(s.Hidden, clock)
	s.Functions = []gojq.CompilerOption{gojq.WithFunction("text", 0, 0, func(v any, _ []any) any { return plain(v) })}
	return s
}

// values lists the values of the variables in the order of all scopes.
func (s *Scene) values() []any {
	list := s.Replies
	if list == nil {
		list = []any{}
	}
	return []any{s.Settings, s.Args, list, s.Status, s.Headers, s.Body, s.Clock}
}

// plain is the function text of expressions.
func plain(v any) any {
	switch v := v.(type) {
	case string:
		return pick.Plain(v)
	case []any:
		joined := ""
		for _, item := range v {
			if s, is := plain(item).(string); is && s != "" {
				if joined != "" {
					joined += "; "
				}
				joined += s
			}
			if len(joined) > pick.MaxText {
				break
			}
		}
		return joined
	case nil, bool, map[string]any:
		return nil
	}
	return Text(v)
}

// Text returns a number as JSON writes it, and a text unchanged.
func Text(v any) string {
	if s, is := v.(string); is {
		return s
	}
	raw, err := gojq.Marshal(v)
	if err != nil {
		return ""
	}
	return string(raw)
}

// Query is an expression about a reply.
type Query struct {
	*jq.Expr

	at strictyaml.Pos
}

// UnmarshalNode compiles an expression.
func (q *Query) UnmarshalNode(n *yaml.Node) error {
	if n.Kind != yaml.ScalarNode || n.ShortTag() == "!!null" {
		return strictyaml.Errorf(n, "expected an expression of jq, found %s%s", strictyaml.Describe(n), flowTrap(n))
	}
	e, err := replyScope.Compile(n.Value)
	if err != nil && strings.HasPrefix(n.Value, "=") {
		return strictyaml.Errorf(n, "%q begins with =, which only values of requests have: leave it out", shorten(n.Value))
	}
	if err != nil {
		return strictyaml.Errorf(n, "%v%s", err, flowTrap(n))
	}
	q.Expr, q.at = e, strictyaml.Pos{Line: n.Line, Column: n.Column}
	return nil
}

// flowTrap explains a frequent mistake: within braces YAML ends a text without quotes at these signs.
func flowTrap(n *yaml.Node) string {
	if n.Kind != yaml.ScalarNode || n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|
		yaml.FoldedStyle) != 0 {
		return ""
	}
	return flowHint
}

const flowHint = " (within { } YAML cuts a text at , : [ ] { } #: put the expression in single quotes)"

// First returns the first value of an expression. A nil Query has none.
func (q *Query) First(ctx context.Context, s *Scene) (any, error) {
	if q == nil {
		return nil, nil
	}
	v, _, err := q.Expr.First(ctx, s.Input, s.values())
	return v, err
}

// Holds reports whether the first value of a condition is true; a condition with an error is false.
func (q *Query) Holds(ctx context.Context, s *Scene) bool {
	v, err := q.First(ctx, s)
	return err == nil && v == true
}

// All returns all values of an expression.
func (q *Query) All(ctx context.Context, s *Scene) ([]any, error) {
	return q.Expr.All(ctx, s.Input, s.values())
}

// Of returns the first value of an expression for a row of documents.
func (q *Query) Of(ctx context.Context, s *Scene, row any) (any, error) {
	v, _, err := q.Expr.First(ctx, row, s.values())
	return v, err
}
