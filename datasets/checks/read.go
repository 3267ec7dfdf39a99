package checks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// Limits of the checks of one query.
const (
	MaxChecks = 200 // with the checks in groups
	MaxDepth  = 5   // of groups in groups
)

// UnmarshalNode reads and validates a check as a file has it. It reports all faults, each with its place.
func (c *Check) UnmarshalNode(n *yaml.Node) error {
	r := reader{validate: true}
	*c = r.check(n, "", 1)
	if r.count > MaxChecks {
		r.fail(n, "", "has %d checks in its groups, and %d is the most: leave some out", r.count, MaxChecks)
	}
	if len(r.errs) > 0 {
		return r.errs
	}
	return nil
}

// UnmarshalJSON reads a check that MarshalJSON wrote. Its regular expression, schema or jq expression is not compiled.
func (c *Check) UnmarshalJSON(raw []byte) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		return err
	}
	r := reader{}
	*c = r.check(nodeOf(value), "", 1)
	return r.errs.Err()
}

// Like reports whether a node looks like a list of checks: its first element is a mapping with a check's key.
func Like(n *yaml.Node) bool {
	if n.Kind != yaml.SequenceNode || len(n.Content) == 0 || n.Content[0].Kind != yaml.MappingNode {
		return false
	}
	for i := 0; i+1 < len(n.Content[0].Content); i += 2 {
		if _, _, known := kindOf(n.Content[0].Content[i].Value); known {
			return true
		}
	}
	return false
}

// kindOf returns the kind of a key, and whether it begins with not_. known is false if the key is no check.
func kindOf(key string) (kind Kind, negated, known bool) {
	if _, known = forms[Kind(key)]; known {
		return Kind(key), false, true
	}
	rest, negated := strings.CutPrefix(key, not)
	return Kind(rest), negated, negated && forms[Kind(rest)].text
}

// names returns all keys of checks.
func names() (out []string) {
	for _, k := range Kinds() {
		out = append(out, string(k))
	}
	for _, k := range Kinds() {
		if forms[k].text {
			out = append(out, not+string(k))
		}
	}
	return out
}

// options are the keys that a check may have beside its own.
var options = []string{"on", "threshold", "weight", "serve", "timeout", "language", "beside"}

// reader reads one entry of a list of checks.
type reader struct {
	validate bool // compiles expressions and schemas
	count    int
	errs     strictyaml.Errors
}

func (r *reader) fail(n *yaml.Node, path, format string, args ...any) {
	e := strictyaml.Errorf(n, format, args...)
	e.Path = path
	r.errs = append(r.errs, e)
}

// decode reads a value in a plain form. It reports whether it could.
func (r *reader) decode(n *yaml.Node, path string, into any) bool {
	found := strictyaml.DecodeAt("", path, n, into)
	r.errs = append(r.errs, found...)
	return len(found) == 0
}

func (r *reader) check(n *yaml.Node, path string, depth int) (c Check) {
	r.count++
	var fields map[string]yaml.Node
	if !r.decode(n, path, &fields) {
		return c
	}
	given := ""
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		at := below(path, key.Value)
		kind, negated, known := kindOf(key.Value)
		switch {
		case !known && slices.Contains(options, key.Value):
		case !known:
			r.fail(key, at, "%s", unknown(key.Value))
		case given != "":
			r.fail(key, at, "the entry has two checks, %s and %s: begin another entry for one of them", given, key.Value)
		default:
			given = key.Value
			c.Kind, c.Not = kind, negated
			r.value(&c, value, at, depth)
		}
	}
	if given == "" && len(r.errs) == 0 {
		r.fail(n, path, "the entry has no check: name one, such as contains; docs/checks.md lists them")
	}
	if given != "" {
		r.options(&c, fields, path)
	}
	return c
}

// unknown returns the error text for a key that is no check.
func unknown(key string) string {
	rest, negated := strings.CutPrefix(key, not)
	if _, known := forms[Kind(rest)]; negated && known {
		return fmt.Sprintf("there is no %s: %s cannot be negated", key, rest)
	}
	if near := strictyaml.Closest(key, append(names(), options...)); near != "" {
		return fmt.Sprintf("unknown check %.40q (did you mean %q?)", key, near)
	}
	return fmt.Sprintf("unknown check %.40q: docs/checks.md lists the checks", key)
}

// value reads the value of the check's key.
func (r *reader) value(c *Check, n *yaml.Node, at string, depth int) {
	switch forms[c.Kind].value {
	case "text", "tests":
		r.text(n, at, &c.Text)
	case "texts":
		if !r.decode(n, at, &c.Texts) {
			return
		}
		if len(c.Texts) == 0 {
			r.fail(n, at, "is an empty list: give at least one text")
		}
		for i, part := range n.Content {
			r.text(part, fmt.Sprintf("%s[%d]", at, i), &c.Texts[i])
		}
	case "number":
		if r.decode(n, at, &c.Limit) && (c.Limit < 0 || c.Kind == MaxTokens && c.Limit != float64(int64(c.Limit))) {
			r.fail(n, at, "is %v: give a number from 0 up, whole for max_tokens", c.Limit)
		}
	case "json":
		if n.Kind == yaml.ScalarNode {
			r.text(n, at, &c.Text)
			return
		}
		c.Value = r.json(n, at)
	case "schema":
		if n.Kind == yaml.ScalarNode {
			if all := false; r.decode(n, at, &all) && !all {
				r.fail(n, at, "is false: write not_is_json: true, or a JSON Schema")
			}
			return
		}
		c.Value = r.json(n, at)
	case "command":
		if r.decode(n, at, &c.Exec.Command) && (len(c.Exec.Command) == 0 || strings.TrimSpace(c.Exec.Command[0]) == "") {
			r.fail(n, at, "is empty: give the program and its arguments, as [python3, check.py]")
		}
	case "parts":
		c.Parts = r.parts(n, at, depth)
	}
	if r.validate && len(r.errs) == 0 {
		if err := c.compiles(); err != nil {
			r.fail(n, at, "%v", err)
		}
	}
}

// text reads a text that is not blank. Its lines end in \n.
func (r *reader) text(n *yaml.Node, at string, into *string) {
	if !r.decode(n, at, into) {
		return
	}
	*into = strings.ReplaceAll(strings.ReplaceAll(*into, "\r\n", "\n"), "\r", "\n")
	if strings.TrimSpace(*into) == "" {
		r.fail(n, at, "is empty: give a text, or remove the check")
	}
}

func (r *reader) parts(n *yaml.Node, at string, depth int) (out []Check) {
	switch {
	case n.Kind != yaml.SequenceNode:
		r.fail(n, at, "expected a list of checks, found %s", strictyaml.Describe(n))
	case len(n.Content) == 0:
		r.fail(n, at, "is an empty list: give at least one check")
	case depth >= MaxDepth:
		r.fail(n, at, "is a group in %d groups, and %d is the most: write it flatter", depth-1, MaxDepth-1)
	case r.count+len(n.Content) > MaxChecks:
		r.count += len(n.Content)
	default:
		for i, part := range n.Content {
			out = append(out, r.check(part, fmt.Sprintf("%s[%d]", at, i), depth+1))
		}
		if r.validate && len(r.errs) == 0 && !Decide(out) {
			r.fail(n, at, "%s", NoneDecides)
		}
	}
	return out
}

// below returns the path of a field inside another field.
func below(path, field string) string { return strings.TrimPrefix(path+"."+field, ".") }

// nodeOf returns the node of a JSON value.
func nodeOf(value any) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode}
	switch v := value.(type) {
	case map[string]any:
		n.Kind, n.Tag = yaml.MappingNode, "!!map"
		for key, element := range v {
			n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: key}, nodeOf(element))
		}
	case []any:
		n.Kind, n.Tag = yaml.SequenceNode, "!!seq"
		for _, element := range v {
			n.Content = append(n.Content, nodeOf(element))
		}
	case string:
		n.Tag, n.Value = "!!str", v
	case json.Number:
		n.Value = v.String()
	case nil:
		n.Tag, n.Value = "!!null", "null"
	default:
		n.Value = fmt.Sprint(v)
	}
	return n
}
