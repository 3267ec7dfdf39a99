package schema

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// maxSteps bounds how many schemas one check applies: a few nested alternatives can ask for more than any computer can
// do.
const maxSteps = 200_000

const tooMany = "too many alternatives to check"

// maxProblems bounds how many problems of one value are listed.
const maxProblems = 100

// check checks one value against one schema. Checks of its parts, and of the same value against further schemas, are
// checks of their own.
type check struct {
	schema   *Schema
	outer    *check // the check that started this one
	same     bool   // this check and the outer one have the same value
	path     []string
	steps    *int // schemas applied so far, counted over all checks of a call
	problems []string
	names    map[string]bool // properties that a keyword of this schema has evaluated
	items    map[int]bool    // and items
}

// run applies the schema.
func (k *check) run(value any) {
	if *k.steps++; *k.steps > maxSteps {
		k.add(tooMany)
		return
	}
	for o := k; o.same; {
		if o = o.outer; o.schema == k.schema {
			k.report("reference cycle in the schema")
			return
		}
	}
	if _, ok := value.(json.Number); ok && rational(value) == nil {
		k.report("the number is out of range")
		return
	}
	if k.schema.never {
		k.report("false schema")
	}
	for _, r := range k.schema.rules {
		r(k, value)
	}
}

// report adds a problem of the value. Arguments that come from the schema or the value are quoted.
func (k *check) report(format string, arguments ...any) {
	place := strings.Join(k.path, ".")
	if place != "" {
		place += ": "
	}
	k.add(place + fmt.Sprintf(format, arguments...))
}

// add adds problems, of which a check keeps the first maxProblems.
func (k *check) add(problems ...string) {
	k.problems = append(k.problems, problems[:min(len(problems), maxProblems-len(k.problems))]...)
}

// beside returns the check of the same value against another schema.
func (k *check) beside(s *Schema) *check {
	return &check{schema: s, outer: k, same: true, path: k.path, steps: k.steps}
}

// inner returns the check of a part of the value.
func (k *check) inner(s *Schema, name string) *check {
	return &check{schema: s, outer: k, path: append(k.path[:len(k.path):len(k.path)], name), steps: k.steps}
}

// require checks the same value against another schema, for which it must be valid too.
func (k *check) require(s *Schema, value any) {
	sub := k.beside(s)
	sub.run(value)
	k.add(sub.problems...)
	k.sawAll(sub)
}

func (k *check) member(name string, s *Schema, value any) {
	sub := k.inner(s, name)
	sub.run(value)
	k.add(sub.problems...)
	if k.names == nil {
		k.names = map[string]bool{}
	}
	k.names[name] = true
}

func (k *check) item(i int, s *Schema, value any) {
	sub := k.inner(s, strconv.Itoa(i))
	sub.run(value)
	k.add(sub.problems...)
	k.sawItem(i)
}

func (k *check) sawItem(i int) {
	if k.items == nil {
		k.items = map[int]bool{}
	}
	k.items[i] = true
}

// sawAll takes over which parts a check of the same value has evaluated.
func (k *check) sawAll(sub *check) {
	for i := range sub.items {
		k.sawItem(i)
	}
	for name := range sub.names {
		if k.names == nil {
			k.names = map[string]bool{}
		}
		k.names[name] = true
	}
}

// quote shows a text in single quotes.
func quote(s string) string {
	s = strings.ReplaceAll(strconv.Quote(s), `\"`, `"`)
	return "'" + strings.ReplaceAll(s[1:len(s)-1], "'", `\'`) + "'"
}

func quoteAll(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = quote(name)
	}
	return strings.Join(quoted, ", ")
}

// show shows a primitive value.
func show(value any) string {
	if s, ok := value.(string); ok {
		return quote(s)
	}
	return fmt.Sprint(value)
}

// decimal shows a number as JSON would.
func decimal(r *big.Rat) string {
	f, _ := r.Float64()
	return strconv.FormatFloat(f, 'g', -1, 64)
}
