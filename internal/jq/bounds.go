package jq

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/itchyny/gojq"

	"github.com/seed-5817661a/concur/internal/jq/rewrite"
)

// The limits of one evaluation. The attacker is a reply, or the file of a stranger: one instruction of the interpreter
// can double a text, and some take a time that grows with the square of a text, in which no deadline ends them.
const (
	maxSteps  = 8_000_000 // instructions of the interpreter, each of which may add a value to a list
	maxWeight = 64 << 20  // bytes of the values from which functions and operators make other values
	maxMatch  = 64 << 10  // bytes of a text in which all matches of a regular expression are found
	maxPairs  = 10_000    // entries of lists of which each is compared with each
	maxIndex  = 100_000   // of an entry that an assignment makes
)

// ErrStopped is in the error of an evaluation that reaches a limit.
var ErrStopped = errors.New("it was stopped")

var (
	errSteps  = fmt.Errorf("%w after %d million steps", ErrStopped, maxSteps/1_000_000)
	errWeight = fmt.Errorf("%w because its values need too much memory", ErrStopped)
)

// evaluation runs the code of an expression, once at a time. It is the context of the interpreter, which asks Done
// before each instruction.
type evaluation struct {
	context.Context
	code  *gojq.Code
	done  <-chan struct{}
	steps int
	left  int   // of maxWeight
	why   error // why it was stopped; nil if it was not
}

// closed is a channel that is closed.
var closed = func() chan struct{} { c := make(chan struct{}); close(c); return c }()

// Done counts an instruction, and ends the evaluation at its limits.
func (e *evaluation) Done() <-chan struct{} {
	if e.steps++; e.why == nil && e.steps > maxSteps {
		e.why = errSteps
	}
	if e.why != nil {
		return closed
	}
	return e.done
}

// Err returns why the evaluation was stopped.
func (e *evaluation) Err() error {
	if e.why != nil {
		return e.why
	}
	return e.Context.Err()
}

// stopKey is the key of the function of WithStop in a context.
type stopKey struct{}

// WithStop returns a context that ends when one of the evaluations in it reaches a limit, which is then its cause. So
// the evaluations after it fail, too, and a condition that was stopped is not taken for one that is false.
func WithStop(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	return context.WithValue(ctx, stopKey{}, cancel), func() { cancel(nil) }
}

// end reports a limit that was reached, and returns the error of the evaluation.
func (e *evaluation) end(err error) error {
	if e.why != nil && (err == nil || e.Context.Err() == nil) { // the expression may have caught the error
		err = e.why
		if stop, is := e.Context.Value(stopKey{}).(context.CancelCauseFunc); is {
			stop(e.why)
		}
	}
	e.Context = nil
	return err
}

// begin prepares the evaluation for an expression that is run now.
func (e *evaluation) begin(ctx context.Context) {
	e.Context, e.done, e.steps, e.left, e.why = ctx, ctx.Done(), 0, maxWeight, nil
}

// spend subtracts the weight of a value, times a factor, from what is left. It returns the value, or an error.
func (e *evaluation) spend(v any, factor int) any {
	left := e.left / factor
	before := left
	if Weigh(v, &left); left < 0 {
		e.why = errWeight
		return errWeight
	}
	e.left -= (before - left) * factor
	return v
}

// Weigh subtracts about the memory of a JSON value in bytes from left; every place of a value in a list counts. It ends
// when nothing is left.
func Weigh(v any, left *int) {
	switch v := v.(type) {
	case string:
		*left -= 16 + len(v)
	case json.Number:
		*left -= 16 + len(v)
	case *big.Int:
		*left -= 16 + v.BitLen()/8
	case []any:
		*left -= 16
		for _, of := range v {
			if *left < 0 {
				return
			}
			Weigh(of, left)
		}
	case map[string]any:
		*left -= 16
		for name, of := range v {
			if *left < 0 {
				return
			}
			*left -= 16 + len(name)
			Weigh(of, left)
		}
	default:
		*left -= 16
	}
}

// The functions that an expression is given for its limits. Each returns its input, or an error. An expression cannot
// name them, because bound refuses names with _.
const (
	spend      = "_spend"
	spendTwice = "_spend_twice" // for operators that join texts or lists
	spendMuch  = "_spend_much"  // for functions whose results are several times as large as their inputs
	spendPairs = "_spend_pairs" // for functions that compare each entry of one list with each of another
	spendMatch = "_spend_match" // for functions that find all matches of a regular expression
	spendIndex = "_spend_index" // for a path that an assignment may make
	spendLong  = "_spend_long"  // for the text that join writes between entries
)

var spenders = map[string]func(e *evaluation, v any) any{
	spend:      func(e *evaluation, v any) any { return e.spend(v, 1) },
	spendTwice: func(e *evaluation, v any) any { return e.spend(v, 2) },
	spendMuch:  func(e *evaluation, v any) any { return e.spend(v, 8) },
	spendPairs: func(e *evaluation, v any) any {
		if list, is := v.([]any); is && len(list) > maxPairs {
			return fmt.Errorf("a list has %d entries, and %d is the most here", len(list), maxPairs)
		}
		return e.spend(v, 2)
	},
	spendMatch: func(e *evaluation, v any) any {
		if s, is := v.(string); is && len(s) > maxMatch {
			return fmt.Errorf("a text has %d bytes, and %d is the most in which all matches are found", len(s), maxMatch)
		}
		return e.spend(v, 8)
	},
	spendLong: func(e *evaluation, v any) any {
		if s, is := v.(string); is && len(s) > rewrite.MaxShort {
			return fmt.Errorf("join takes a text of at most %d bytes", rewrite.MaxShort)
		}
		return v
	},
	spendIndex: func(e *evaluation, v any) any {
		if i, is := float(v); is && i > maxIndex {
			return fmt.Errorf("an index is above %d", maxIndex)
		}
		return v
	},
}

// The functions by their costs. All others spend their inputs and the results of their arguments once.
var (
	passing = words("empty not select map map_values first last nth limit skip range isempty any all arrays objects " +
		"iterables booleans numbers finites normals strings nulls values scalars type paths path in has infinite nan " +
		"isinfinite isnan isnormal length utf8bytelength keys keys_unsorted startswith endswith ltrimstr rtrimstr " +
		"tonumber getpath error pick del abs floor round sqrt text true false null input_line_number " + product)
	growing  = words("tojson tostring explode implode split ascii ascii_downcase ascii_upcase sub to_entries with_entries")
	matching = words("splits scan gsub")
	pairing  = words("contains inside index rindex indices transpose join delpaths")
)

func words(list string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(list) {
		out[w] = true
	}
	return out
}
