package schema

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// maxSteps limits how many schemas one check applies, because a few nested alternatives can require more
// steps than any computer can do.
const maxSteps = 200_000

const tooMany = "too many alternatives to check"

// maxProblems is the maximum number of problems that are listed for one value.
const maxProblems = 100

// check is the check of one value against one schema. Each part of the value has its own check, and so has
// each further schema for the same value.
type check struct {
	schema   *Schema
	outer    *check // the check that started this one
	same     bool   // this check and the outer one have the same value
	path     []string
	steps    *int // number of applied schemas, counted for all checks of one call
	problems []string
	names    map[string]bool // properties that a keyword of this schema has evaluated
	items    map[int]bool    // items that a keyword of this schema has evaluated
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
	if _, ok := value.(json.Number); ok && !isShort(value) && rational(value) == nil {
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

// report adds a problem of the value. Callers must quote arguments from the schema or the value.
func (k *check) report(format string, arguments ...any) {
	place := strings.Join(k.path, ".")
	if place != "" {
		place += ": "
	}
	k.add(place + fmt.Sprintf(format, arguments...))
}

// add adds problems, up to maxProblems.
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

// require reports the problems of the same value with another schema, for which it must also be valid.
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

// sawAll marks the parts that another check of the same value has evaluated.
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

// decimal returns a number in the form of JSON.
func decimal(r *big.Rat) string {
	f, _ := r.Float64()
	return strconv.FormatFloat(f, 'g', -1, 64)
}
