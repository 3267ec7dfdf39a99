package datasets

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// remapper turns the record of a foreign file into one of ours.
type remapper struct {
	mapping Mapping
	number  bool            // give ids to records without
	found   map[string]bool // fields of ours that some record had a source for
	names   map[string]bool // of the fields of the file
	unused  map[string]bool
	extract map[string]*regexp.Regexp
}

func newRemapper(m Mapping) *remapper {
	r := &remapper{mapping: m, found: map[string]bool{}, names: map[string]bool{}, unused: map[string]bool{}, extract: map[string]*regexp.Regexp{}}
	for field, pattern := range m.Extract {
		r.extract[field] = regexp.MustCompile(pattern) // Validate has tried
	}
	return r
}

// foreign tells that the file has fields of its own.
func (m *remapper) foreign() bool { return len(m.mapping.Fields) > 0 }

// header tells of the columns of a file, also those without a value.
func (m *remapper) header(names []string) {
	for _, name := range names {
		m.names[name] = true
	}
	for field, from := range m.mapping.Fields {
		m.found[field] = m.found[field] || m.names[from]
	}
}

// missing returns the columns that every query needs and that are in no header and
// come from nowhere else.
func (m *remapper) missing(header []string) []string {
	var list []string
	for _, name := range []string{"id", "category", "query"} {
		if _, set := m.mapping.Set[name]; !set && !slices.Contains(header, name) && !(name == "id" && m.number) {
			list = append(list, name)
		}
	}
	return list
}

// absent reports a field that no record had.
func (m *remapper) absent() error {
	for _, field := range slices.Sorted(maps.Keys(m.mapping.Fields)) {
		if !m.found[field] {
			from := m.mapping.Fields[field]
			return fmt.Errorf("no record has a field %q for %s (%s)", from, field, strictyaml.Suggest(from, slices.Sorted(maps.Keys(m.names))))
		}
	}
	return nil
}

// apply makes one of our records of a record of the file, the number-th of it.
// What is no mapping stays as it is, for the decoder to refuse.
func (m *remapper) apply(c *checker, n *yaml.Node, number int) *yaml.Node {
	if n.Kind != yaml.MappingNode {
		return n
	}
	at := strictyaml.Pos{Line: n.Line, Column: n.Column}
	out := newAssembly(at)
	used := map[string]bool{} // fields of the file
	for _, field := range fieldNames() {
		if value, set := m.mapping.Set[field]; set {
			out.decided[field] = true
			out.add(field, cellNode(field, text(value, at)))
		}
		if from, mapped := m.mapping.Fields[field]; mapped {
			out.decided[field] = true
			name, value := lookup(n, from)
			if value == nil {
				continue
			}
			m.found[field], used[name] = true, true
			if !blank(value) {
				out.add(field, cellNode(field, m.taken(c, field, value)))
			}
		}
	}
	m.rest(c, n, used, out)
	if m.number && !out.has["id"] {
		out.add("id", text(fmt.Sprintf("q-%04d", number), at))
	}
	return out.node(c.flat)
}

// taken is what the mapping takes of a value.
func (m *remapper) taken(c *checker, field string, value *yaml.Node) *yaml.Node {
	pattern := m.extract[field]
	if pattern == nil {
		return value
	}
	at := strictyaml.Pos{Line: value.Line, Column: value.Column}
	matches := pattern.FindAllStringSubmatch(value.Value, -1)
	if len(matches) == 0 || value.Kind != yaml.ScalarNode {
		c.fail(at, field, "nothing in %.60q matches %s", value.Value, pattern)
		return value
	}
	last := matches[len(matches)-1]
	return text(last[min(1, len(last)-1)], at)
}

// rest takes over what the file gives under our own names, and notes what is not
// used. Without a mapping everything is taken, so that nothing escapes the decoder.
func (m *remapper) rest(c *checker, n *yaml.Node, used map[string]bool, out *assembly) {
	foreign := m.foreign()
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		name := key.Value
		m.names[name] = true
		if foreign && seen[name] {
			c.fail(strictyaml.Pos{Line: key.Line, Column: key.Column}, name, "duplicate field %.60q", name)
			continue
		}
		seen[name] = true
		ours := slices.Contains(fieldNames(), name) && (c.flat || foreign || !isGoldField(name))
		switch {
		case used[name]:
		case name == "gold" && !c.flat:
			out.takeGold(key, value)
		case ours && out.decided[name]:
			m.note(name)
		case ours && (c.flat || foreign):
			if !blank(value) {
				out.add(name, cellNode(name, value))
			}
		case foreign:
			m.note(name)
		default:
			out.take(name, key, value)
		}
	}
}

func (m *remapper) note(name string) {
	if m.foreign() {
		m.unused[name] = true
	}
}

// lookup follows a path into a record. name is the field of the record that it
// begins with; a field with the whole path as its name comes first.
func lookup(n *yaml.Node, path string) (name string, value *yaml.Node) {
	if value := child(n, path); value != nil {
		return path, value
	}
	name, rest, deeper := strings.Cut(path, ".")
	if !deeper {
		return name, nil
	}
	if value = child(n, name); value != nil {
		_, value = lookup(value, rest)
	}
	return name, value
}

// child returns the value of a key, or the element of a list by its index from 0.
func child(n *yaml.Node, step string) *yaml.Node {
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == step {
				return n.Content[i+1]
			}
		}
	case yaml.SequenceNode:
		if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(n.Content) {
			return n.Content[i]
		}
	}
	return nil
}

// blank reports null and text without any character that shows.
func blank(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && (n.ShortTag() == "!!null" || strings.TrimSpace(n.Value) == "")
}
