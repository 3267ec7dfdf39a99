package checks

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"regexp/syntax"
	"slices"
	"time"

	"github.com/itchyny/gojq"

	"github.com/seed-5817661a/concur/internal/schema"
)

// Limits of the expressions of checks.
const (
	MaxExpression = 4096   // bytes of a regular expression or of a jq expression
	maxProgram    = 20_000 // instructions of a regular expression, by which the time for a text grows
	maxSchema     = 256 << 10
	jqTime        = time.Second // for one evaluation of a jq expression
	maxResults    = 10_000      // results of one evaluation
)

// compiles returns an error if the check's regular expression, JSON Schema or jq expression is wrong.
func (c Check) compiles() (err error) {
	switch c.Kind {
	case Regex:
		_, err = c.Regexp()
	case IsJSON:
		_, err = c.Schema()
	case JSON:
		_, err = c.Query()
	}
	return err
}

// Regexp compiles the regular expression of a Regex.
func (c Check) Regexp() (*regexp.Regexp, error) {
	if n := len(c.Text); n > MaxExpression {
		return nil, fmt.Errorf("the regular expression has %d bytes, and %d is the most: make it shorter", n, MaxExpression)
	}
	parsed, err := syntax.Parse(c.Text, syntax.Perl)
	if err != nil {
		return nil, fmt.Errorf("is not a regular expression of RE2: %w", err)
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return nil, fmt.Errorf("is not a regular expression of RE2: %w", err)
	}
	if n := len(program.Inst); n > maxProgram {
		return nil, fmt.Errorf("the regular expression has %d steps with its repetitions written out, and %d is the most: "+
			"repeat less", n, maxProgram)
	}
	return regexp.Compile(c.Text)
}

// Schema compiles the JSON Schema of an IsJSON; it returns nil if the check has no schema.
func (c Check) Schema() (*schema.Schema, error) {
	if c.Value == nil {
		return nil, nil
	}
	if n := len(c.Value); n > maxSchema {
		return nil, fmt.Errorf("the JSON Schema has %d bytes, and %d is the most: make it shorter", n, maxSchema)
	}
	document, err := schema.Decode(c.Value)
	if err != nil {
		return nil, err
	}
	s, err := schema.Compile(document)
	if err != nil {
		return nil, fmt.Errorf("is not a JSON Schema: %w", err)
	}
	return s, nil
}

// Query is a compiled jq expression. It is safe for concurrent use.
type Query struct{ code *gojq.Code }

// unsteady are the functions of jq whose results depend on more than their input.
var unsteady = []string{
	"now", "localtime", "strflocaltime", "env", "$ENV", "input", "inputs", "debug", "halt", "halt_error",
}

// Query compiles the expression of a JSON.
func (c Check) Query() (*Query, error) {
	if n := len(c.Text); n > MaxExpression {
		return nil, fmt.Errorf("the jq expression has %d bytes, and %d is the most: make it shorter", n, MaxExpression)
	}
	parsed, err := gojq.Parse(c.Text)
	if err != nil {
		return nil, fmt.Errorf("is not an expression of jq: %w", err)
	}
	if name := calls(reflect.ValueOf(parsed), unsteady); name != "" {
		return nil, fmt.Errorf("uses %s, which depends on more than the message: remove it", name)
	}
	code, err := gojq.Compile(parsed)
	if err != nil {
		return nil, fmt.Errorf("is not an expression of jq: %w", err)
	}
	return &Query{code}, nil
}

// calls returns the first of some functions that a parsed expression calls; "" if it calls none.
func calls(v reflect.Value, functions []string) string {
	switch v.Kind() {
	case reflect.Pointer:
		if f, is := v.Interface().(*gojq.Func); is && f != nil && slices.Contains(functions, f.Name) {
			return f.Name // all fields of a parsed expression are exported
		}
		return calls(v.Elem(), functions)
	case reflect.Struct:
		for i := range v.NumField() {
			if name := calls(v.Field(i), functions); name != "" {
				return name
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			if name := calls(v.Index(i), functions); name != "" {
				return name
			}
		}
	}
	return ""
}

// ErrSlow reports that an evaluation was stopped because it took too long.
var ErrSlow = fmt.Errorf("was stopped after %s", jqTime)

// Run evaluates the expression on a JSON value, whose numbers are of type json.Number or float64. It returns
// true if there is at least one result and all results are true. Otherwise it returns the first result that is
// not true; nil without a result. The error is ErrSlow, that of ctx, or that of the expression, such as for a
// field of a text.
func (q *Query) Run(ctx context.Context, value any) (any, error) {
	limited, end := context.WithTimeoutCause(ctx, jqTime, ErrSlow)
	defer end()
	results := q.code.RunWithContext(limited, value)
	for n := 0; ; n++ {
		result, more := results.Next()
		if err, failed := result.(error); failed && more {
			if limited.Err() != nil {
				return nil, context.Cause(limited)
			}
			return nil, err
		}
		switch {
		case !more && n == 0:
			return nil, nil
		case !more:
			return true, nil
		case result != true:
			return result, nil
		case n >= maxResults:
			return nil, errors.New("gives more than 10,000 results")
		}
	}
}
