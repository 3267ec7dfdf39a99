package datasets

import (
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// lookup follows a path into a record, and returns the value there. name is the field of the record with which
// the path begins. If a field has the whole path as its name, that field is used.
func lookup(n *yaml.Node, path string) (name string, value *yaml.Node) {
	if value := child(n, path); value != nil {
		return keyOf(n, path, value), value
	}
	name, rest, deeper := strings.Cut(path, ".")
	value = child(n, name)
	name, _, _ = strings.Cut(name, "[")
	if !deeper || value == nil {
		return name, value
	}
	_, value = lookup(value, rest)
	return name, value
}

// keyOf returns the key of an object that a step with several keys, such as a|b, selected. It returns other steps
// unchanged.
func keyOf(n *yaml.Node, step string, value *yaml.Node) string {
	if n.Kind == yaml.MappingNode && strings.Contains(step, "|") {
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i+1] == value {
				return n.Content[i].Value
			}
		}
	}
	return step
}

// filter matches a step of a path that selects elements of a list: assert[type=equals].
var filter = lazy.Compile(`^(.+)\[([^=\]]+)=([^\]]*)\]$`)

// child follows one step of a path. In an object, the step is a key; * means the only key; a|b means the first
// of these keys whose value is not blank. In a list, the step is an index (from 0), a filter that selects
// elements, or a key whose values in all elements are returned. A single text or number may be written where others
// have a list: its step 0 is itself. It returns nil if there is no such value.
func child(n *yaml.Node, step string) *yaml.Node {
	if f := filter.FindStringSubmatch(step); f != nil {
		list := child(n, f[1])
		if list == nil || list.Kind != yaml.SequenceNode {
			return nil
		}
		return gathered(list, func(e *yaml.Node) *yaml.Node {
			if v := child(e, f[2]); v != nil && slices.Contains(strings.Split(f[3], "|"), v.Value) {
				return e
			}
			return nil
		})
	}
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == step || step == "*" && len(n.Content) == 2 {
				return n.Content[i+1]
			}
		}
		if strings.Contains(step, "|") {
			for key := range strings.SplitSeq(step, "|") {
				if v := child(n, key); v != nil && !blank(v) {
					return v
				}
			}
		}
	case yaml.ScalarNode:
		if step == "0" && !blank(n) {
			return n
		}
	case yaml.SequenceNode:
		if i, err := strconv.Atoi(step); err != nil {
			return gathered(n, func(e *yaml.Node) *yaml.Node { return child(e, step) })
		} else if i >= 0 && i < len(n.Content) {
			return n.Content[i]
		}
	}
	return nil
}

// gathered calls of with each element of a list, and returns the results as a list. If a result is itself a
// list, its elements are added. It returns nil if there are no results.
func gathered(list *yaml.Node, of func(*yaml.Node) *yaml.Node) *yaml.Node {
	out := sequence(strictyaml.Pos{Line: list.Line, Column: list.Column})
	for _, e := range list.Content {
		switch v := of(e); {
		case v == nil:
		case v.Kind == yaml.SequenceNode:
			out.Content = append(out.Content, v.Content...)
		default:
			out.Content = append(out.Content, v)
		}
	}
	if len(out.Content) == 0 {
		return nil
	}
	return out
}

// within reads the records at a path of lists. A record also gets the fields of the objects that contain it,
// except those for which the record has a value of its own.
func (l *loader) within(path string, n *yaml.Node, steps string) {
	step, rest, _ := strings.Cut(steps, ".")
	if step == "" {
		l.record(path, n)
		return
	}
	list := child(n, step)
	if list == nil || list.Kind != yaml.SequenceNode {
		l.fail(strictyaml.Pos{Line: n.Line, Column: n.Column}, path,
			"there is no list %q, from which the mapping takes the records", step)
		return
	}
	for i, e := range list.Content {
		inner := *e
		if e.Kind == yaml.MappingNode {
			inner.Content = slices.Clone(e.Content)
			for j := 0; j+1 < len(n.Content); j += 2 {
				if key := n.Content[j]; key.Value != step && child(e, key.Value) == nil {
					inner.Content = append(inner.Content, key, n.Content[j+1])
				}
			}
		}
		l.within(below(path, step)+"["+strconv.Itoa(i)+"]", &inner, rest)
	}
}

// steps returns the path to the records, according to the mapping.
func (l *loader) steps() string {
	if l.remap == nil {
		return ""
	}
	return l.remap.records
}
