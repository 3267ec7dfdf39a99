package ablations

import (
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/runner/config"
)

const excludeKey = "exclude"

// UnmarshalNode reads {<dotted key>: [values], exclude: [{<dotted key>: value}]}.
func (m *matrix) UnmarshalNode(n *yaml.Node) error {
	m.at = strictyaml.Pos{Line: n.Line, Column: n.Column}
	var keys map[string]*yaml.Node // the order of the file is taken from the node
	if err := strictyaml.DecodeNode(n, &keys); err != nil {
		return err
	}
	r := matrixReader{matrix: m}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value != excludeKey {
			r.axis(n.Content[i], n.Content[i+1])
		}
	}
	if exclude, given := keys[excludeKey]; given && len(r.wrong) == 0 {
		r.exclude(exclude)
	}
	if len(r.wrong) == 0 {
		r.bounds(n)
	}
	return r.wrong.Err()
}

type matrixReader struct {
	*matrix
	wrong strictyaml.Errors
}

func (r *matrixReader) fail(n *yaml.Node, path, format string, args ...any) {
	e := strictyaml.Errorf(n, format, args...)
	e.Path = path
	r.wrong = append(r.wrong, e)
}

func (r *matrixReader) axis(key, list *yaml.Node) {
	path := key.Value
	switch {
	case list.Kind == yaml.MappingNode:
		r.fail(list, path, "expected a list of values, found a mapping: write the key dotted, such as %s.%s: […]", path, firstKey(list))
		return
	case list.Kind != yaml.SequenceNode:
		r.fail(list, path, "expected a list of values, found %s: write [%s]", strictyaml.Describe(list), list.Value)
		return
	case len(list.Content) == 0:
		r.fail(list, path, "the list is empty: give at least one value, or remove the key")
		return
	}
	if n := len(list.Content); n > maxCells {
		r.fail(list, path, "%d values: give at most %d", n, maxCells)
		return
	}
	a := axis{key: key}
	for i, n := range list.Content {
		at := path + "[" + strconv.Itoa(i) + "]"
		v, ok := read(n)
		switch {
		case !ok:
			r.fail(n, at, "expected a single value or a list of such, found %s: give each setting a key of its own", strictyaml.Describe(n))
			continue
		case textProblem(v.text, maxCell) != "":
			r.fail(n, at, "%s", textProblem(v.text, maxCell))
			continue
		case a.index(v.id) >= 0:
			r.fail(n, at, "%s is given twice: remove one", v.text)
			continue
		}
		a.values = append(a.values, v)
		if !r.known(key, n) {
			return
		}
	}
	r.axes = append(r.axes, a)
}

// known tries to set a value. It is false if the key itself is wrong: every further value
// would repeat the same error.
func (r *matrixReader) known(key, n *yaml.Node) bool {
	_, err := config.New().Set(&yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{key, n}})
	list, _ := err.(strictyaml.Errors)
	r.wrong = append(r.wrong, list...)
	return !slices.ContainsFunc(list, func(e *strictyaml.Error) bool { return e.Line == key.Line && e.Column == key.Column })
}

func (r *matrixReader) exclude(list *yaml.Node) {
	if len(r.axes) == 0 {
		r.fail(list, excludeKey, "there is nothing to exclude from: give the matrix keys, such as k: [1, 3]")
		return
	}
	var entries []map[string]*yaml.Node
	if found, ok := strictyaml.DecodeNode(list, &entries).(strictyaml.Errors); ok {
		for _, e := range found {
			e.Path = strings.TrimSuffix(excludeKey+e.Path, ".")
		}
		r.wrong = append(r.wrong, found...)
		return
	}
	if len(entries) > maxRules {
		r.fail(list, excludeKey, "%d entries: give at most %d", len(entries), maxRules)
		return
	}
	for i := range entries {
		r.rule(list.Content[i], excludeKey+"["+strconv.Itoa(i)+"]")
	}
}

func (r *matrixReader) rule(entry *yaml.Node, path string) {
	if len(entry.Content) == 0 {
		r.fail(entry, path, "an entry without keys would leave out every cell: name what it leaves out, or remove it")
		return
	}
	out := make(rule, len(r.axes))
	for i := range out {
		out[i] = anyValue
	}
	for i := 0; i+1 < len(entry.Content); i += 2 {
		key, n := entry.Content[i], entry.Content[i+1]
		at := -1
		for j, a := range r.axes {
			if a.key.Value == key.Value {
				at = j
			}
		}
		if at < 0 {
			r.fail(key, path+"."+key.Value, "matches no cell: the matrix has no such key (%s)", strictyaml.Suggest(key.Value, r.keys()))
			continue
		}
		v, _ := read(n)
		if out[at] = r.axes[at].index(v.id); out[at] < 0 {
			r.fail(n, path+"."+key.Value, "matches no cell: it is not one of the values of %s", r.axes[at])
		}
	}
	r.rules = append(r.rules, out)
}

func (r *matrixReader) keys() []string {
	var out []string
	for _, a := range r.axes {
		out = append(out, a.key.Value)
	}
	return out
}

// bounds limits the number of cells and the length of their names.
func (r *matrixReader) bounds(n *yaml.Node) {
	switch {
	case r.size() > maxCells:
		r.fail(n, "", "the matrix has more than %d cells even before exclude: remove values", maxCells)
	case r.longest() > maxCell:
		r.fail(n, "", "a cell's name would have %d characters: give at most %d, with fewer keys, or write the rows as configurations with names of their own", r.longest(), maxCell)
	}
}

func firstKey(mapping *yaml.Node) string {
	if len(mapping.Content) == 0 {
		return "…"
	}
	return mapping.Content[0].Value
}

// read takes a scalar, or a list of scalars, which a cell's name shows as calc+web_search.
func read(n *yaml.Node) (v value, ok bool) {
	switch n.Kind {
	case yaml.ScalarNode:
		v = value{node: n, text: n.Value, id: "=" + canonical(n)}
		if n.Value == "" {
			v.text = `""`
		}
		return v, true
	case yaml.SequenceNode:
		var texts []string
		v = value{node: n, text: "[]", id: "["}
		for _, item := range n.Content {
			if item.Kind != yaml.ScalarNode {
				return value{}, false
			}
			texts = append(texts, item.Value)
			v.id += "\x00" + canonical(item)
		}
		if len(texts) > 0 {
			v.text = strings.Join(texts, "+")
		}
		return v, true
	}
	return value{}, false
}

// canonical gives the same text for every spelling of a number: 0, 0.0 and 0x0 are equal.
func canonical(n *yaml.Node) string {
	var number float64
	if n.Kind == yaml.ScalarNode && strictyaml.DecodeNode(n, &number) == nil {
		return strconv.FormatFloat(number, 'g', -1, 64)
	}
	return n.Value
}
