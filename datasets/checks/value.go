package checks

import (
	"encoding/json"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// json reads a JSON value, in which keys are sorted and numbers are as written. It returns nil after an error.
func (r *reader) json(n *yaml.Node, at string) json.RawMessage {
	value, ok := r.plain(n, at)
	if !ok {
		return nil
	}
	return json.RawMessage(compact(value))
}

// plain returns a node as a JSON value: numbers are of type json.Number.
func (r *reader) plain(n *yaml.Node, at string) (value any, ok bool) {
	switch n.Kind {
	case yaml.MappingNode:
		var fields map[string]yaml.Node
		if !r.decode(n, at, &fields) {
			return nil, false
		}
		out, ok := map[string]any{}, true
		for i := 0; i+1 < len(n.Content); i += 2 {
			name := n.Content[i].Value
			element, fine := r.plain(n.Content[i+1], below(at, name))
			out[name], ok = element, ok && fine
		}
		return out, ok
	case yaml.SequenceNode:
		out, ok := make([]any, len(n.Content)), true
		for i, part := range n.Content {
			element, fine := r.plain(part, at+"["+strconv.Itoa(i)+"]")
			out[i], ok = element, ok && fine
		}
		return out, ok
	}
	switch n.ShortTag() {
	case "!!null":
		return nil, true
	case "!!bool":
		return strings.EqualFold(n.Value, "true"), true
	case "!!int", "!!float":
		number := json.Number(strings.TrimPrefix(n.Value, "+"))
		if !json.Valid([]byte(number)) {
			r.fail(n, at, "expected a number as in JSON, found %s", strictyaml.Describe(n))
			return nil, false
		}
		return number, true
	}
	return n.Value, true
}
