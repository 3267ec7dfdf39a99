package jq

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/itchyny/gojq"
)

// MaxText is the maximum length of an expression in bytes.
const MaxText = 16 << 10

// MaxValues is the maximum number of values that one evaluation gives.
const MaxValues = 1000

// ErrTooMany reports that an evaluation would give more than MaxValues values.
var ErrTooMany = fmt.Errorf("it gives more than %d values", MaxValues)

// Variable is a variable that an expression may use.
type Variable struct {
	Name   string   // such as "$args"
	ByName bool     // only a field of it can be used: $args.query
	Before []string // it can be used only as the input of one of these functions; nil means everywhere
}

// Scope says what expressions may use. All expressions of a Scope get the same list of values.
type Scope struct {
	Variables []Variable // in the order of the values
	Hidden    []string   // variables that this scope knows of and does not allow, after Variables in the values
	Place     string     // the place of such expressions for messages, such as url
	Functions []gojq.CompilerOption
	Replaced  map[string]string // functions without arguments that are read as a variable: "clock": "$clock__"
}

// Use is a field of a variable that an expression uses.
type Use struct{ Variable, Field string }

// Expr is a compiled expression. It is safe for concurrent use.
type Expr struct {
	Text string
	Uses []Use // of variables that are used by name, each once

	parsed  *gojq.Query
	options []gojq.CompilerOption
	idle    sync.Pool // of *evaluation
}

// Compile compiles an expression. The error says what is wrong, without the place of the expression.
func (s *Scope) Compile(text string) (*Expr, error) {
	if n := len(text); n > MaxText {
		return nil, fmt.Errorf("the expression has %d bytes, and %d is the most: make it shorter", n, MaxText)
	}
	parsed, err := gojq.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s is no jq: %s", quote(text), reason(err))
	}
	c := check{scope: s}
	c.query(parsed, false)
	c.bound(parsed)
	if len(c.wrong) > 0 {
		return nil, errors.New(strings.Join(c.wrong, "; "))
	}
	options := append([]gojq.CompilerOption{gojq.WithVariables(s.names()), gojq.WithFunction(product, 2, 2, multiply)},
		s.Functions...)
	e := &Expr{Text: text, Uses: c.uses, parsed: parsed, options: options}
	first, err := e.compile()
	if err != nil {
		return nil, fmt.Errorf("%s is no jq: %s", quote(text), reason(err))
	}
	e.idle.Put(first)
	return e, nil
}

// compile returns an evaluation of the expression. Each has its own code, because functions of the code count for it.
func (e *Expr) compile() (*evaluation, error) {
	one := &evaluation{}
	options := slices.Clone(e.options)
	for name, of := range spenders {
		options = append(options, gojq.WithFunction(name, 0, 0, func(v any, _ []any) any { return of(one, v) }))
	}
	var err error
	one.code, err = gojq.Compile(e.parsed, options...)
	return one, err
}

// names lists the variables in the order of the values.
func (s *Scope) names() []string {
	var names []string
	for _, v := range s.Variables {
		names = append(names, v.Name)
	}
	return append(names, s.Hidden...)
}

func reason(err error) string {
	said := err.Error()
	if e, bad := errors.AsType[*gojq.ParseError](err); bad && e.Token == "" {
		return "unexpected end"
	}
	return strings.ReplaceAll(said, "\n", " ")
}

func quote(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > 60 {
		text = string(r[:59]) + "…"
	}
	return `"` + text + `"`
}

// All returns the values that the expression gives for an input. values are those of the scope's variables. With an
// error it returns the values before it.
func (e *Expr) All(ctx context.Context, input any, values []any) ([]any, error) {
	return e.run(ctx, input, values, MaxValues+1)
}

// First returns the first value; ok is false if there is no value.
func (e *Expr) First(ctx context.Context, input any, values []any) (value any, ok bool, err error) {
	all, err := e.run(ctx, input, values, 1)
	if len(all) == 0 {
		return nil, false, err
	}
	return all[0], true, nil
}

// run returns at most most values. The library must not end the program, so its panics are errors.
func (e *Expr) run(ctx context.Context, input any, values []any, most int) (out []any, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the expression cannot be evaluated: %v", p)
		}
	}()
	one, idle := e.idle.Get().(*evaluation)
	if !idle {
		if one, err = e.compile(); err != nil { // the first one was compiled
			return nil, err
		}
	}
	one.begin(ctx)
	defer func() {
		err = one.end(err)
		e.idle.Put(one)
	}()
	results := one.code.RunWithContext(one, input, values...)
	for {
		v, more := results.Next()
		if !more {
			return out, nil
		}
		if failed, is := v.(error); is {
			if ctx.Err() != nil {
				return out, context.Cause(ctx)
			}
			return out, failed
		}
		if one.spend(v, 1); one.why != nil { // one text in many places, which is large where it is written out
			return out, one.why
		}
		if len(out) == MaxValues {
			return out, ErrTooMany
		}
		if out = append(out, v); len(out) == most {
			return out, nil
		}
	}
}

// forbidden lists functions that are not available, each with advice.
var forbidden = map[string]string{
	"env": "reads the environment", "$ENV": "reads the environment",
	"now": "reads the machine's clock: use clock, the run's", "localtime": "reads the machine's time zone",
	"strflocaltime": "reads the machine's time zone", "input": "reads other inputs", "inputs": "reads other inputs",
	"debug": "writes to the terminal", "stderr": "writes to the terminal", "halt": "ends the program",
	"halt_error": "ends the program", "modulemeta": "reads files", "get_search_list": "reads files",
	"input_filename": "reads other inputs", "repeat": "may never end", "until": "may never end",
	"while": "may never end", "recurse": "may never end", "walk": "may never end",
	"combinations": "gives too many values", "setpath": "makes lists of any length: write .a = 1",
}

// Forbidden lists the functions that no expression may use, in alphabetical order.
func Forbidden() []string {
	var names []string
	for name := range forbidden {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
