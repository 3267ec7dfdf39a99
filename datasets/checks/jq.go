package checks

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/itchyny/gojq"

	"github.com/seed-5817661a/concur/internal/jq"
)

// MaxInput is the greatest number of bytes of a text that an expression of jq reads.
const MaxInput = 256 << 10

// Limits of one evaluation of a jq expression.
const (
	jqTime     = 10 * time.Second // about a hundred times as long as the steps need
	jqSteps    = 1_000_000        // instructions of the interpreter; each needs a few bytes of memory
	jqWeight   = 16 << 20         // bytes of the values from which functions and operators make other values
	maxResults = 10_000
)

// The reasons why an evaluation is stopped. They depend on the expression and the text alone, except for the time.
var (
	// ErrStopped is in each of them.
	ErrStopped = errors.New("was stopped")
	errTime    = fmt.Errorf("%w after %s", ErrStopped, jqTime)
	errSteps   = fmt.Errorf("%w after 1,000,000 steps", ErrStopped)
	errWeight  = fmt.Errorf("%w because its values need too much memory", ErrStopped)
)

// Query is a compiled jq expression. It is safe for concurrent use. Its memory and its time are limited, because a
// dataset may come from somebody else: see limited for how.
type Query struct {
	parsed *gojq.Query
	idle   sync.Pool // of *evaluation
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
	if parsed, err = limited(parsed); err != nil {
		return nil, err
	}
	q := &Query{parsed: parsed}
	e, err := q.compile()
	if err != nil {
		return nil, fmt.Errorf("is not an expression of jq: %w", err)
	}
	q.idle.Put(e)
	return q, nil
}

// evaluation runs an expression, once at a time. It is the context of the interpreter, which asks Done before each
// instruction.
type evaluation struct {
	context.Context
	code   *gojq.Code
	parent <-chan struct{}
	began  time.Time
	steps  int
	weight int   // that is left
	why    error // why it was stopped; nil if it was not
}

func (q *Query) compile() (*evaluation, error) {
	e := &evaluation{}
	var options []gojq.CompilerOption
	for name, of := range spenders {
		options = append(options, gojq.WithFunction(name, 0, 0, func(v any, _ []any) any { return of(e, v) }))
	}
	code, err := gojq.Compile(q.parsed, options...)
	e.code = code
	return e, err
}

// closed is a channel that is closed.
var closed = func() chan struct{} { c := make(chan struct{}); close(c); return c }()

// Done counts an instruction, and ends the evaluation at its limits.
func (e *evaluation) Done() <-chan struct{} {
	e.steps++
	switch {
	case e.why != nil:
	case e.steps > jqSteps:
		e.why = errSteps
	case e.steps%16 != 0:
		return e.parent
	case time.Since(e.began) > jqTime:
		e.why = errTime
	default:
		return e.parent
	}
	return closed
}

// Err returns why the evaluation was stopped.
func (e *evaluation) Err() error {
	if e.why != nil {
		return e.why
	}
	return e.Context.Err()
}

// spend subtracts the weight of a value, times a factor, from what is left. It returns the value, or an error.
func (e *evaluation) spend(v any, factor int) any {
	left := e.weight / factor
	before := left
	if jq.Weigh(v, &left); left < 0 {
		e.why = errWeight
		return errWeight
	}
	e.weight -= (before - left) * factor
	return v
}

// Run evaluates the expression on a JSON value, whose numbers are of type json.Number or float64. It returns
// true if there is at least one result and all results are true. Otherwise it returns the first result that is
// not true; nil without a result. The error has ErrStopped, or is that of ctx, or that of the expression, such as for a
// field of a text.
func (q *Query) Run(ctx context.Context, value any) (any, error) {
	e, idle := q.idle.Get().(*evaluation)
	if !idle {
		var err error
		if e, err = q.compile(); err != nil { // the first one was compiled
			return nil, err
		}
	}
	e.Context, e.parent, e.began = ctx, ctx.Done(), time.Now()
	e.steps, e.weight, e.why = 0, jqWeight, nil
	result, err := e.run(value)
	if e.why != nil { // the expression may have caught the error
		result, err = nil, e.why
	}
	e.Context = nil
	q.idle.Put(e)
	return result, err
}

func (e *evaluation) run(value any) (any, error) {
	results := e.code.RunWithContext(e, value)
	for n := 0; ; n++ {
		result, more := results.Next()
		if err, failed := result.(error); failed && more {
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
