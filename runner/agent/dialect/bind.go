package dialect

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// bindCall makes a call's arguments a JSON object by the tool's schema. A wrong count is an error
// that lists the parameters; wrong types and names are left to the schema check of all calls.
func (s signature) bindCall(c callText) (arguments string, repaired bool, err error) {
	object := strings.TrimSpace(c.inner)
	takesObject := len(s.params) > 0 && slices.Contains(s.params[0].types, "object")
	if strings.HasPrefix(object, "{") && strings.HasSuffix(object, "}") && !takesObject { // all arguments in one
		if object, repaired, err = readArguments(object, ""); err == nil {
			return object, repaired, nil
		}
	}
	values := c.values(s)
	if s.known && c.isOneText(values, s) {
		values = []value{{text: strings.TrimSpace(c.inner)}}
	}
	return s.bind(values)
}

// isOneText reports whether commas belong to a single value: ReAct's brackets contain one bare
// text, and bare text in parentheses may contain more commas than the tool has parameters.
func (c callText) isOneText(values []value, sig signature) bool {
	if len(values) < 2 || sig.required > 1 || !sig.takesText() {
		return false
	}
	keyed := func(v value) bool { return v.key != "" }
	bare := func(v value) bool { return !v.quoted }
	return !slices.ContainsFunc(values, keyed) && slices.ContainsFunc(values, bare) &&
		(c.open == '[' || len(values) > len(sig.params) || !sig.fits(values))
}

func (s signature) fits(values []value) bool {
	for i, v := range values {
		if _, fits, _ := v.as(s.params[i].types); !fits {
			return false
		}
	}
	return true
}

// bind does the same for parsed values.
func (s signature) bind(values []value) (arguments string, repaired bool, err error) {
	if !s.known {
		arguments, repaired = untypedArguments(values)
		return arguments, repaired, nil
	}
	bound := map[string]value{}
	var extra []string
	position := 0
	for _, v := range values {
		if v.key == "" {
			if position >= len(s.params) {
				return "", false, s.countError(len(values))
			}
			v.key = s.params[position].name
			position++
		}
		if _, twice := bound[v.key]; twice {
			return "", false, fmt.Errorf("the action gives %s of %s twice", v.key, s.tool)
		}
		bound[v.key] = v
		if !s.has(v.key) {
			extra = append(extra, v.key)
		}
	}
	if position == len(values) && position < s.required {
		return "", false, s.countError(position)
	}
	var out object
	for _, p := range s.params {
		if v, given := bound[p.name]; given {
			out.put(p.name, v, p.types)
		}
	}
	for _, key := range extra {
		out.put(key, bound[key], nil)
	}
	return out.json(), out.repaired, nil
}

// untypedArguments records the arguments of an unknown tool, for the trace.
func untypedArguments(values []value) (arguments string, repaired bool) {
	var out object
	given := map[string]bool{}
	for i, v := range values {
		key := cmp.Or(v.key, "input")
		if given[key] {
			key = fmt.Sprintf("%s_%d", key, i+1)
		}
		if !given[key] {
			given[key] = true
			out.put(key, v, nil)
		}
	}
	return out.json(), out.repaired
}

// object builds a JSON object.
type object struct {
	members  []string
	repaired bool
}

func (o *object) put(key string, v value, types []string) {
	raw, _, repaired := v.as(types)
	o.repaired = o.repaired || repaired
	o.putRaw(key, raw)
}

func (o *object) putRaw(key, raw string) { o.members = append(o.members, quote(key)+": "+raw) }

func (o *object) json() string { return "{" + strings.Join(o.members, ", ") + "}" }
