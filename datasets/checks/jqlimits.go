package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/itchyny/gojq"

	"github.com/seed-5817661a/concur/internal/jq/rewrite"
)

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
	splitting = words("explode join split")
	// the same, more often for a long text
	matching = words("splits match capture scan sub gsub")
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
	rewrite.Visit(parsed, l.define)
	rewrite.Visit(parsed, l.limit)
	return rewrite.Query(parsed, spend), l.wrong
}

// limiter changes the nodes of a parsed expression.
type limiter struct {
	own   map[string]bool // the functions, and their parameters, that the expression defines
	wrong error           // the first error
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
			*node = rewrite.Before(*node, spend)
		case node.Str != nil && len(node.Str.Queries) > 0: // the parts that are written out are in each result
			*node = rewrite.Behind(*node, spend)
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
		if rewrite.IsLiteral(q.Left) || rewrite.IsLiteral(q.Right) { // the comparison ends at the first difference
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
	case splitting[name] && !(name == "split" && len(f.Args) > 1):
		of = spendMuch
	case splitting[name], matching[name]:
		of = spendMatch
	case pairing[name]:
		of = spendPairs
	case !making[name]:
		l.fail("uses %s, which a check does not have: write it with other functions", name)
		return
	}
	if f.Name == "join" && len(f.Args) > 0 && !rewrite.IsShort(f.Args[0]) { // it is written once for each entry of a list
		l.fail("gives join a text that is not written out, or long: write at most %d characters in quotes", rewrite.MaxShort)
	}
	// The arguments of the others are paths, or expressions that run for each part.
	if name := f.Name; name != "del" && name != "walk" && name != "with_entries" {
		for i := range f.Args {
			if f.Args[i] = spent(f.Args[i], of); i > 0 && strings.HasSuffix(name, "sub") && rewrite.IsLiteral(f.Args[i]) {
				f.Args[i] = rewrite.Query(f.Args[i], of) // it replaces every match
			}
		}
	}
	*t = rewrite.Before(*t, of)
}

// spent returns an expression whose results spend. What is written out and short spends nothing, except as a factor.
func spent(q *gojq.Query, of string) *gojq.Query {
	if rewrite.IsShort(q) && of != spendFactor {
		return q
	}
	return rewrite.Query(q, of)
}
