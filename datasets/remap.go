package datasets

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// remapper turns records of another program's file into records with concur's fields.
type remapper struct {
	records string // see Mapping.Records
	from    map[string]compiled
	foreign bool            // a source uses fields of the file
	found   map[string]bool // fields of a query for which at least one record has a source
	names   map[string]bool // names of the file's fields
	unused  map[string]bool
	hinted  bool // the file has a field for query that is not mapped, and an error says so
}

func newRemapper(m Mapping) (*remapper, error) {
	r := &remapper{records: m.Records, from: map[string]compiled{}, found: map[string]bool{}, names: map[string]bool{},
		unused: map[string]bool{}}
	for _, field := range slices.Sorted(maps.Keys(m.Fields)) {
		from, err := m.Fields[field].compile(field)
		if err != nil {
			return nil, fmt.Errorf("map fields: %w", err)
		}
		r.from[field], r.foreign = from, r.foreign || from.Value == ""
	}
	return r, nil
}

// header adds the names of all columns of a file, also of columns that have no value in the present row.
func (m *remapper) header(names []string) {
	for _, name := range names {
		m.names[name] = true
	}
	for field, from := range m.from {
		m.found[field] = m.found[field] || m.names[from.Field]
	}
}

// absent returns an error if no record has a mapped field.
func (m *remapper) absent() error {
	for _, field := range slices.Sorted(maps.Keys(m.from)) {
		from := m.from[field].Field
		step, _, _ := strings.Cut(from, ".")
		if f := filter.FindStringSubmatch(step); f != nil && m.names[f[1]] {
			continue // a filter may select no elements
		}
		if from != "" && !m.found[field] {
			return fmt.Errorf("no record has a field %q for %s (%s)", from, field,
				strictyaml.Suggest(from, slices.Sorted(maps.Keys(m.names))))
		}
	}
	return nil
}

// apply returns a record with concur's fields. A node that is not a mapping is returned unchanged; later the
// decoder rejects it.
func (m *remapper) apply(c *checker, n *yaml.Node) *yaml.Node {
	if n.Kind != yaml.MappingNode {
		return n
	}
	at := strictyaml.Pos{Line: n.Line, Column: n.Column}
	out := newAssembly(at)
	used := map[string]bool{} // fields of the file that were used
	for _, field := range mappedFields {
		if from, mapped := m.from[field]; mapped {
			if value := m.value(c, n, field, from, used); value != nil {
				if field == "aliases" && from.Field != "" {
					value = others(value, out.gold)
				}
				out.add(field, value)
			}
		}
	}
	m.rest(c, n, used, out)
	if _, mapped := m.from["query"]; m.foreign && !m.hinted && !mapped && queryHint(n) != "" {
		m.hinted = true
		c.fail(at, "", "with --map, only the fields that it names are read: add --map query=%s", queryHint(n))
	}
	m.noteFiltered(n)
	return out.node(c.flat)
}

// value returns the value of a field from its source. It returns nil if the record has no such value. It adds
// the fields of the file that it uses to used.
func (m *remapper) value(c *checker, n *yaml.Node, field string, from compiled, used map[string]bool) *yaml.Node {
	take := func(path string) *yaml.Node {
		name, v := lookup(n, path)
		used[name] = true
		return v
	}
	at := strictyaml.Pos{Line: n.Line, Column: n.Column}
	composed := from.Value
	switch {
	case from.Field != "":
		name, v := lookup(n, from.Field)
		if v == nil {
			return nil
		}
		if m.found[field], used[name] = true, true; blank(v) {
			return nil
		}
		if v = cellNode(field, taken(c, field, from, v)); field == "answer" && v.Kind == yaml.SequenceNode {
			v = joined(c, v)
		} else if field == "tests" && v.Kind == yaml.SequenceNode {
			v = linesOf(v)
		}
		return v
	case from.Text != "":
		composed = placeholder.ReplaceAllStringFunc(from.Text, func(path string) string {
			v := take(path[1 : len(path)-1])
			if v != nil && field == "tests" && v.Kind == yaml.SequenceNode {
				v = linesOf(v)
			}
			if v == nil || v.Kind != yaml.ScalarNode {
				c.fail(at, field, "the record has no text at %s", path)
				return ""
			}
			return v.Value
		})
	}
	for i, one := range from.Cases {
		v := &yaml.Node{}
		if one.Field != "" {
			v = take(one.Field)
		}
		if v != nil && (one.Field == "" || from.cases[i].MatchString(v.Value)) {
			composed = one.Value
			break
		}
	}
	if composed == "" {
		return nil
	}
	return cellNode(field, textNode(composed, at))
}

var placeholder = lazy.Compile(`\{[^{}]+\}`)

// taken returns the part of a value that the expression Extract selects. Without Extract, it returns the whole
// value.
func taken(c *checker, field string, from compiled, value *yaml.Node) *yaml.Node {
	if from.extract == nil {
		return value
	}
	at := strictyaml.Pos{Line: value.Line, Column: value.Column}
	matches := from.extract.FindAllStringSubmatch(value.Value, -1)
	if len(matches) == 0 || value.Kind != yaml.ScalarNode {
		c.fail(at, field, "%.60q does not match %s", value.Value, from.extract)
		return value
	}
	last := matches[len(matches)-1]
	return textNode(last[min(1, len(last)-1)], at)
}

// rest adds the remaining fields that have concur's names, and makes a note of the fields that are not used. If
// no source uses a field of the file, it adds all fields, so that the decoder checks them.
func (m *remapper) rest(c *checker, n *yaml.Node, used map[string]bool, out *assembly) {
	seen := map[string]bool{}
	mapped := func(field string) bool { _, is := m.from[field]; return is }
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		name := key.Value
		m.names[name] = true
		if m.foreign && seen[name] {
			c.fail(strictyaml.Pos{Line: key.Line, Column: key.Column}, name, "duplicate field %.60q", name)
			continue
		}
		seen[name] = true
		ours := slices.Contains(fieldNames, name) && (c.flat || m.foreign || !isGoldField(name))
		switch {
		case used[name]:
		case name == "gold" && !c.flat:
			out.takeGold(key, value, mapped)
		case ours && mapped(name):
			m.note(name)
		case ours && (c.flat || m.foreign):
			if !blank(value) {
				out.add(name, cellNode(name, value))
			}
		case m.foreign:
			m.note(name)
		default:
			out.record.Content = append(out.record.Content, key, value)
		}
	}
}

// noteFiltered makes a note of the elements of lists that no filter selects.
func (m *remapper) noteFiltered(n *yaml.Node) {
	taken := map[[2]string][]string{} // values by list and key
	for _, from := range m.from {
		step, _, _ := strings.Cut(from.Field, ".")
		if f := filter.FindStringSubmatch(step); f != nil {
			taken[[2]string{f[1], f[2]}] = append(taken[[2]string{f[1], f[2]}], strings.Split(f[3], "|")...)
		}
	}
	for of, values := range taken {
		if list := child(n, of[0]); list != nil && list.Kind == yaml.SequenceNode {
			for _, e := range list.Content {
				if v := child(e, of[1]); v == nil || !slices.Contains(values, v.Value) {
					name := "none"
					if v != nil {
						name = v.Value
					}
					m.note(of[0] + "[" + of[1] + "=" + name + "]")
				}
			}
		}
	}
}

// joined returns a list as one text, in the form that the type list has. If an element contains a semicolon,
// this is an error, because the element would be read as two.
func joined(c *checker, list *yaml.Node) *yaml.Node {
	var parts []string
	for _, e := range list.Content {
		if e.Kind != yaml.ScalarNode {
			return list // an error in the decoder
		}
		if len(list.Content) > 1 && strings.Contains(e.Value, ";") {
			c.fail(strictyaml.Pos{Line: e.Line, Column: e.Column}, "gold",
				"the answer %.60q has a semicolon, which separates the answers of a list: leave the query out", e.Value)
		}
		parts = append(parts, e.Value)
	}
	return textNode(strings.Join(parts, "; "), strictyaml.Pos{Line: list.Line, Column: list.Column})
}

// others returns the aliases that a list contains: its elements without the answer, each only once.
func others(list, gold *yaml.Node) *yaml.Node {
	out := *list
	out.Content = nil
	answer := child(gold, "answer")
	for _, alias := range list.Content {
		if (answer == nil || answer.Value != alias.Value) &&
			!slices.ContainsFunc(out.Content, func(n *yaml.Node) bool { return n.Value == alias.Value }) {
			out.Content = append(out.Content, alias)
		}
	}
	return &out
}

func (m *remapper) note(name string) {
	if m.foreign {
		m.unused[name] = true
	}
}

// blank reports whether a node is null or a text without visible characters.
func blank(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && (n.ShortTag() == "!!null" || strings.TrimSpace(n.Value) == "")
}

// hasField reports whether a mapping gives a field a source.
func hasField(m *remapper, field string) bool { _, has := m.from[field]; return has }
