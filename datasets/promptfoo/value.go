package promptfoo

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// field is an entry of a mapping in a file.
type field struct {
	name  string
	value *yaml.Node
}

// fieldsOf returns the entries of a mapping, with those of a merge key (<<) that it does not replace.
func fieldsOf(n *yaml.Node) (out []field) {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	seen := map[string]bool{}
	var merged []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if key.Tag == "!!merge" {
			merged = append(merged, value)
			continue
		}
		seen[key.Value] = true
		out = append(out, field{key.Value, value})
	}
	for _, from := range merged {
		if from.Kind == yaml.SequenceNode {
			merged = append(merged, from.Content...)
		}
		for _, f := range fieldsOf(from) {
			if !seen[f.name] {
				seen[f.name] = true
				out = append(out, f)
			}
		}
	}
	return out
}

// get returns the value of a field; nil if the mapping has none, or null.
func get(n *yaml.Node, name string) *yaml.Node {
	for _, f := range fieldsOf(n) {
		if f.name == name && f.value.ShortTag() != "!!null" {
			return f.value
		}
	}
	return nil
}

// plain returns a node as a value of JSON: a string, a number, a boolean, nil, a []any or a map[string]any.
func plain(n *yaml.Node) any {
	switch n.Kind {
	case yaml.MappingNode:
		out := map[string]any{}
		for _, f := range fieldsOf(n) {
			out[f.name] = plain(f.value)
		}
		return out
	case yaml.SequenceNode:
		out := make([]any, len(n.Content))
		for i, element := range n.Content {
			out[i] = plain(element)
		}
		return out
	}
	var value any
	switch n.ShortTag() {
	case "!!int", "!!float", "!!bool", "!!null":
		if n.Decode(&value) == nil {
			return value
		}
	}
	return n.Value
}

// numberOf returns a number of a file, and whether the node is one.
func numberOf(n *yaml.Node) (float64, bool) {
	if n == nil {
		return 0, false
	}
	return number(plain(n))
}

func number(value any) (float64, bool) {
	switch v := value.(type) {
	case int:
		return float64(v), true
	case int64:
		return float64(v), true
	case uint64:
		return float64(v), true
	case float64:
		return v, !math.IsNaN(v) && !math.IsInf(v, 0)
	case json.Number:
		f, err := v.Float64()
		return f, err == nil
	}
	return 0, false
}

// text returns a text, a number or a boolean as JavaScript writes it in a text (ECMA-262, Number::toString).
// It reports whether the value is one of these.
func text(value any) (string, bool) {
	switch v := value.(type) {
	case string:
		return v, true
	case bool:
		return strconv.FormatBool(v), true
	}
	f, is := number(value)
	if size := math.Abs(f); size != 0 && (size >= 1e21 || size < 1e-6) {
		mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(f, 'e', -1, 64), "e")
		return mantissa + "e" + exponent[:1] + strings.TrimLeft(exponent[1:], "0"), is
	}
	return strconv.FormatFloat(f, 'f', -1, 64), is
}
