package checks

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strings"

	"github.com/itchyny/gojq"
)

// The functions that an expression is given, so that its memory is limited. Each returns its input, after it subtracted
// the input's weight from that of the evaluation. An expression cannot name them: limited refuses names with _.
const (
	spend       = "_spend"
	spendMuch   = "_spend_much"   // for functions that make a list of the parts of a text
	spendPairs  = "_spend_pairs"  // for functions that compare each entry of one list with each of another
	spendFactor = "_spend_factor" // for a product: refuses texts and integers with many digits
	spendIndex  = "_spend_index"  // for an index: refuses lists, which the interpreter would look for in the other list
)

// maxDigits is the greatest number of bits of an integer that is multiplied.
const maxDigits = 4096

// spenders are the functions by their names.
var spenders = map[string]func(e *evaluation, v any) any{
	spend:     func(e *evaluation, v any) any { return e.spend(v, 1) },
	spendMuch: func(e *evaluation, v any) any { return e.spend(v, 64) },
	spendPairs: func(e *evaluation, v any) any {
		switch v := v.(type) {
		case []any:
			if len(v) > maxPairs {
				return fmt.Errorf("a list has %d entries, and %d is the most here", len(v), maxPairs)
			}
		case string, map[string]any:
		default:
			return e.spend(v, 1)
		}
		return e.spend(v, 64)
	},
	spendFactor: func(e *evaluation, v any) any {
		switch v := v.(type) {
		case string:
			return errors.New("a text cannot be multiplied in a check")
		case *big.Int:
			if v.BitLen() > maxDigits {
				return errors.New("an integer has too many digits")
			}
		case json.Number:
			if len(v) > maxDigits/4 {
				return errors.New("an integer has too many digits")
			}
		}
		return e.spend(v, 1)
	},
	spendIndex: func(e *evaluation, v any) any {
		if _, is := v.([]any); is {
			return errors.New("a list cannot be an index in a check")
		}
		return v
	},
}

// maxPairs is the greatest number of entries of a list that spendPairs lets through.
const maxPairs = 1000

// unsteady are the functions of jq whose results depend on more than their input.
var unsteady = []string{
	"now", "localtime", "strflocaltime", "env", "$ENV", "input", "inputs", "debug", "stderr", "halt", "halt_error",
}

// The functions of jq that an expression may call, by what is spent for a call.
var (
	// nothing: they pass values on, or give a number or a word
	passing = words("empty not select map recurse first last limit skip until while repeat range isempty any all " +
		"arrays objects iterables booleans numbers finites normals strings nulls values scalars type paths path in has " +
		"infinite nan isinfinite isnan isnormal not")
	// the input, and the results of the arguments
	making = words("length utf8bytelength keys to_entries from_entries with_entries add tostring tonumber " +
		"toboolean reverse startswith endswith ltrimstr rtrimstr trimstr ltrim rtrim trim implode ascii_downcase " +
		"ascii_upcase tojson fromjson flatten min max min_by max_by sort sort_by group_by unique unique_by test walk del " +
		"abs floor round ceil trunc sqrt pow log log2 log10 exp exp2 exp10 fabs mktime " +
		"gmtime todate fromdate fromdateiso8601 todateiso8601 strptime strftime IN error")
	// the same, 64 times
	splitting = words("explode join split splits match capture scan sub gsub")
	// the same, 64 times, with short lists
	pairing = words("contains inside index rindex indices getpath")
)

func words(list string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(list) {
		out[w] = true
	}
	return out
}

// limited returns an expression that does the same as a parsed one, in limited memory. The interpreter itself limits
// neither the length of a text nor that of a list, and one instruction can make a text of gigabytes. Here, a function
// or an operator that makes a value from others first subtracts their weight from a sum (spend). A list, whose entries
// may be parts of other lists, then has the weight of all its parts. What grows with each instruction only, such as a
// list, is limited by the number of instructions. limited changes the parsed expression. The error names a function or
// an operator that a check does not have.
func limited(parsed *gojq.Query) (*gojq.Query, error) {
	l := limiter{own: map[string]bool{}}
	if parsed.Meta != nil || len(parsed.Imports) > 0 {
		l.fail("is not an expression of jq for a check: it imports a module")
	}
	l.visit(reflect.ValueOf(parsed), l.define)
	l.visit(reflect.ValueOf(parsed), l.limit)
	return before(parsed, spend), l.wrong
}

// limiter changes the nodes of a parsed expression.
type limiter struct {
	own   map[string]bool // the functions, and their parameters, that the expression defines
	wrong error           // the first error
}

// visit calls do for each node of a parsed expression, the inner ones first. All fields of a parsed expression are
// exported.
func (l *limiter) visit(v reflect.Value, do func(node any)) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			l.visit(v.Elem(), do)
			do(v.Interface())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			l.visit(v.Field(i), do)
		}
	case reflect.Slice:
		for i := range v.Len() {
			l.visit(v.Index(i), do)
		}
	}
}

func (l *limiter) fail(format string, args ...any) {
	if l.wrong == nil {
		l.wrong = fmt.Errorf(format, args...)
	}
}

// define notes a definition.
func (l *limiter) define(node any) {
	def, is := node.(*gojq.FuncDef)
	if !is {
		return
	}
	for _, name := range append([]string{def.Name}, def.Args...) {
		if l.own[name] = true; strings.HasPrefix(name, "_") {
			l.fail("defines %s, and such a name must not begin with _: choose another name", name)
		}
	}
}

// limit changes a node.
func (l *limiter) limit(node any) {
	switch node := node.(type) {
	case *gojq.Query:
		l.operator(node)
	case *gojq.String:
		for i, q := range node.Queries {
			node.Queries[i] = spent(q, spend)
		}
	case *gojq.Index:
		if node.Start != nil && !node.IsSlice {
			node.Start = spent(node.Start, spendIndex)
		}
	case *gojq.Term:
		switch {
		case node.Type == gojq.TermTypeFunc:
			l.call(node)
		case node.Type == gojq.TermTypeFormat && node.Str == nil:
			*node = spendFirst(*node, spend)
		}
	}
}

// operator lets the operands of an operator spend.
func (l *limiter) operator(q *gojq.Query) {
	of := ""
	switch q.Op {
	case gojq.OpAdd:
		of = spend
	case gojq.OpEq, gojq.OpNe, gojq.OpGt, gojq.OpLt, gojq.OpGe, gojq.OpLe:
		if literal(q.Left) || literal(q.Right) { // the comparison ends at the first difference
			return
		}
		of = spend
	case gojq.OpSub, gojq.OpDiv, gojq.OpMod:
		of = spendPairs
	case gojq.OpMul:
		of = spendFactor
	case gojq.OpAssign, gojq.OpModify, gojq.OpUpdateAdd, gojq.OpUpdateSub, gojq.OpUpdateMul, gojq.OpUpdateDiv,
		gojq.OpUpdateMod, gojq.OpUpdateAlt:
		l.fail("assigns with %s, and a check changes nothing: compare instead, as with ==", q.Op)
		return
	default:
		return
	}
	q.Left, q.Right = spent(q.Left, of), spent(q.Right, of)
}

// call lets the input and the arguments of a call spend, or reports that a check does not have the function.
func (l *limiter) call(t *gojq.Term) {
	f, of := t.Func, spend
	switch name := f.Name; {
	case slices.Contains(unsteady, name):
		l.fail("uses %s, which depends on more than the message: remove it", name)
		return
	case strings.HasPrefix(name, "$"), l.own[name], passing[name]:
		return
	case splitting[name]:
		of = spendMuch
	case pairing[name]:
		of = spendPairs
	case !making[name]:
		l.fail("uses %s, which a check does not have: write it with other functions", name)
		return
	}
	if f.Name == "join" && len(f.Args) > 0 && !literal(f.Args[0]) {
		l.fail("gives join a text that is not written out: write it in quotes")
	}
	// The arguments of the others are paths, or expressions that run for each part.
	if name := f.Name; name != "del" && name != "walk" && name != "with_entries" {
		for i := range f.Args {
			f.Args[i] = spent(f.Args[i], of)
		}
	}
	*t = spendFirst(*t, of)
}

// spent returns an expression whose results spend. What is written out has the size of the expression, so it spends
// nothing, except as a factor.
func spent(q *gojq.Query, of string) *gojq.Query {
	if literal(q) && of != spendFactor {
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

func call(name string) *gojq.Query {
	return &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeFunc, Func: &gojq.Func{Name: name}}}
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
