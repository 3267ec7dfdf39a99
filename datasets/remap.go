package datasets

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
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
	cases   map[string][]*regexp.Regexp
}

func newRemapper(m Mapping) *remapper {
	r := &remapper{mapping: m, found: map[string]bool{}, names: map[string]bool{}, unused: map[string]bool{}, extract: map[string]*regexp.Regexp{}, cases: map[string][]*regexp.Regexp{}}
	for field, cases := range m.Cases {
		for _, c := range cases {
			e, _ := c.expression() // Validate has tried
			r.cases[field] = append(r.cases[field], e)
		}
	}
	for field, pattern := range m.Extract {
		r.extract[field] = regexp.MustCompile(pattern) // Validate has tried
	}
	return r
}

// foreign tells that the file has fields of its own.
func (m *remapper) foreign() bool {
	return len(m.mapping.Fields)+len(m.mapping.Cases)+len(m.mapping.Text) > 0
}

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
		from := m.mapping.Fields[field]
		step, _, _ := strings.Cut(from, ".")
		if f := filter.FindStringSubmatch(step); f != nil && m.names[f[1]] {
			continue // a filter may take nothing
		}
		if !m.found[field] {
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
		if value, composed := m.composed(c, n, field, used); composed {
			out.decided[field] = true
			if value != "" {
				out.add(field, cellNode(field, text(value, at)))
			}
		}
		if from, mapped := m.mapping.Fields[field]; mapped {
			out.decided[field] = true
			name, value := lookup(n, from)
			if value == nil {
				continue
			}
			m.found[field], used[name] = true, true
			if !blank(value) {
				value = cellNode(field, m.taken(c, field, value))
				switch {
				case field == "aliases":
					value = others(value, out.gold)
				case field == "answer" && value.Kind == yaml.SequenceNode:
					value = joined(value)
				}
				out.add(field, value)
			}
		}
	}
	m.rest(c, n, used, out)
	m.noteFiltered(n)
	if m.number && !out.has["id"] {
		out.add("id", text(fmt.Sprintf("q-%04d", number), at))
	}
	return out.node(c.flat)
}

var placeholder = regexp.MustCompile(`\{[^{}]+\}`)

// composed is what cases or a text make of a record for a field, if the mapping has such.
func (m *remapper) composed(c *checker, n *yaml.Node, field string, used map[string]bool) (value string, mapped bool) {
	take := func(path string) *yaml.Node {
		name, v := lookup(n, path)
		used[name] = true
		return v
	}
	for i, one := range m.mapping.Cases[field] {
		v := &yaml.Node{}
		if one.Field != "" {
			v = take(one.Field)
		}
		if v != nil && (one.Field == "" || m.cases[field][i].MatchString(v.Value)) {
			return one.Value, true
		}
	}
	form, mapped := m.mapping.Text[field]
	return placeholder.ReplaceAllStringFunc(form, func(path string) string {
		v := take(path[1 : len(path)-1])
		if v == nil || v.Kind != yaml.ScalarNode {
			c.fail(strictyaml.Pos{Line: n.Line, Column: n.Column}, field, "the record has no text %s", path)
			return ""
		}
		return v.Value
	}), mapped || len(m.mapping.Cases[field]) > 0
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

// noteFiltered notes the elements of lists that filters are for and none takes.
func (m *remapper) noteFiltered(n *yaml.Node) {
	taken := map[[2]string][]string{} // values by list and key
	for _, path := range m.mapping.Fields {
		step, _, _ := strings.Cut(path, ".")
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

// joined is a list as one text, which the type list reads.
func joined(list *yaml.Node) *yaml.Node {
	var parts []string
	for _, e := range list.Content {
		if e.Kind != yaml.ScalarNode {
			return list // for the decoder to refuse
		}
		parts = append(parts, e.Value)
	}
	return text(strings.Join(parts, "; "), strictyaml.Pos{Line: list.Line, Column: list.Column})
}

// others are the aliases of a list that are neither the answer nor there before.
func others(list, gold *yaml.Node) *yaml.Node {
	out := *list
	out.Content = nil
	answer := child(gold, "answer")
	for _, alias := range list.Content {
		if (answer == nil || answer.Value != alias.Value) && !slices.ContainsFunc(out.Content, func(n *yaml.Node) bool { return n.Value == alias.Value }) {
			out.Content = append(out.Content, alias)
		}
	}
	return &out
}

func (m *remapper) note(name string) {
	if m.foreign() {
		m.unused[name] = true
	}
}

// blank reports null and text without any character that shows.
func blank(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && (n.ShortTag() == "!!null" || strings.TrimSpace(n.Value) == "")
}
