package ablations

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/internal/text"
	"github.com/seed-5817661a/concur/runner/config"
)

// matrix has a row for every combination of the values of some keys, except the excluded combinations.
type matrix struct {
	at    strictyaml.Pos
	axes  []axis // in the order of the file
	rules []exclusion
}

type axis struct {
	key    *yaml.Node
	values []value
}

// promptsKey is the key of an axis whose values are prompts with short names.
const promptsKey = "prompts"

// PromptsSpec is the name of the spec that OfPrompts returns.
const PromptsSpec = promptsKey

// HasPrompts reports whether the spec itself has prompts with short names.
func (s *Spec) HasPrompts() bool { return s.prompts }

type value struct {
	node *yaml.Node
	text string // as in a cell's name
	id   string // the same for all spellings of a number
	sets bool   // node is a mapping of settings, not the value of the key
}

// exclusion excludes the combinations that have all of its values. It maps keys to the ids of values.
type exclusion map[string]string

// cells returns the rows of the matrix, at most most; the last axis varies fastest.
func (m matrix) cells(most int) (out []entry) {
	if len(m.axes) == 0 {
		return nil
	}
	cell := make([]value, len(m.axes))
	var fill func(i int)
	fill = func(i int) {
		switch {
		case len(out) == most:
		case i < len(m.axes):
			for _, v := range m.axes[i].values {
				cell[i] = v
				fill(i + 1)
			}
		case !slices.ContainsFunc(m.rules, func(x exclusion) bool { return m.excludes(x, cell) }):
			out = append(out, m.entry(cell))
		}
	}
	fill(0)
	return out
}

// has reports whether the matrix has a key.
func (m matrix) has(key string) bool {
	return slices.ContainsFunc(m.axes, func(a axis) bool { return a.key.Value == key })
}

func (m matrix) excludes(x exclusion, cell []value) bool {
	for i, a := range m.axes {
		if id, named := x[a.key.Value]; named && id != cell[i].id {
			return false
		}
	}
	return true
}

func (m matrix) entry(cell []value) entry {
	set := &yaml.Node{Kind: yaml.MappingNode, Line: m.at.Line, Column: m.at.Column}
	var name []string
	for i, v := range cell {
		key := m.axes[i].key
		if v.sets {
			set.Content = append(set.Content, v.node.Content...)
		} else {
			set.Content = append(set.Content, key, v.node)
		}
		name = append(name, key.Value+"="+v.text)
	}
	out := entry{Name: strings.Join(name, ","), Set: settings{set}, Pos: m.at}
	if len(cell) == 1 && cell[0].sets {
		out.Pos = strictyaml.Pos{Line: cell[0].node.Line, Column: cell[0].node.Column}
	}
	return out
}

const excludeKey = "exclude"

// UnmarshalNode reads {<dotted key>: [values], exclude: [{<dotted key>: value}]}.
func (m *matrix) UnmarshalNode(n *yaml.Node) error {
	m.at = strictyaml.Pos{Line: n.Line, Column: n.Column}
	var keys map[string]*yaml.Node // the order of keys is that of the file, which the node keeps
	if err := strictyaml.DecodeNode(n, &keys); err != nil {
		return err
	}
	r := matrixReader{matrix: m}
	for pair := range slices.Chunk(n.Content, 2) {
		if pair[0].Value != excludeKey {
			r.axis(pair[0], pair[1])
		}
	}
	if exclude, given := keys[excludeKey]; given && len(r.wrong) == 0 {
		r.exclude(exclude)
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
	case path == promptsKey:
		var named config.NamedPrompts
		r.wrong = append(r.wrong, strictyaml.DecodeAt("", path, list, &named)...)
		r.axes = append(r.axes, promptsAxis(key, named))
		return
	case list.Kind == yaml.MappingNode:
		example := "…"
		if len(list.Content) > 0 {
			example = list.Content[0].Value
		}
		r.fail(list, path, "expected a list of values, found a mapping: write the key dotted, such as %s.%s: […]",
			path, example)
		return
	case list.Kind != yaml.SequenceNode:
		r.fail(list, path, "expected a list of values, found %s: write [%s]", strictyaml.Describe(list), list.Value)
		return
	case len(list.Content) == 0:
		r.fail(list, path, "the list is empty: give at least one value, or remove the key")
		return
	}
	a := axis{key: key}
	for i, n := range list.Content {
		at := path + "[" + strconv.Itoa(i) + "]"
		v, ok := readValue(n)
		switch {
		case !ok:
			r.fail(n, at, "expected a single value or a list of values, found %s: write one key for each setting",
				strictyaml.Describe(n))
			continue
		case textProblem(v.text, maxCell) != "":
			r.fail(n, at, "%s", textProblem(v.text, maxCell))
			continue
		case a.has(v.id):
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

// promptsAxis returns the axis of prompts with short names.
func promptsAxis(key *yaml.Node, named config.NamedPrompts) axis {
	a := axis{key: key}
	for _, p := range named {
		a.values = append(a.values, value{node: p.Settings(), text: p.Name, id: p.Name, sets: true})
	}
	return a
}

// OfPrompts returns the spec with a row for each prompt of a configuration file. The first is the baseline.
func OfPrompts(file string, named config.NamedPrompts) *Spec {
	axes := []axis{promptsAxis(&yaml.Node{Kind: yaml.ScalarNode, Value: promptsKey}, named)}
	return &Spec{Name: promptsKey, file: file, prompts: true, entries: matrix{axes: axes}.cells(maxRows)}
}

func (a axis) has(id string) bool {
	return slices.ContainsFunc(a.values, func(v value) bool { return v.id == id })
}

// known tries the key's first value to find out whether the key is valid. If the key is not valid, it returns
// false. The other values are then not tried, because each would repeat the error.
func (r *matrixReader) known(key, n *yaml.Node) bool {
	_, err := config.New().Set(&yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{key, n}})
	list, _ := err.(strictyaml.Errors)
	r.wrong = append(r.wrong, list...)
	return !slices.ContainsFunc(list, func(e *strictyaml.Error) bool {
		return e.Line == key.Line &&
			e.Column == key.Column
	})
}

func (r *matrixReader) exclude(list *yaml.Node) {
	var entries []map[string]*yaml.Node
	found := strictyaml.DecodeAt("", excludeKey, list, &entries)
	switch {
	case len(r.axes) == 0:
		r.fail(list, excludeKey, "the matrix has no keys, so there are no cells to exclude: add one, such as k: [1, 3]")
		return
	case found != nil:
		r.wrong = append(r.wrong, found...)
		return
	}
	for i, entry := range list.Content {
		r.rule(entry, fmt.Sprintf("%s[%d]", excludeKey, i))
	}
}

func (r *matrixReader) rule(entry *yaml.Node, path string) {
	if len(entry.Content) == 0 {
		r.fail(entry, path, "an entry without keys would exclude every cell: add keys, or remove the entry")
		return
	}
	var keys []string
	for _, a := range r.axes {
		keys = append(keys, a.key.Value)
	}
	out := exclusion{}
	for pair := range slices.Chunk(entry.Content, 2) {
		key, v := pair[0].Value, value{}
		at := slices.Index(keys, key)
		if at < 0 {
			r.fail(pair[0], path+"."+key, "matches no cell: the matrix has no such key (%s)",
				strictyaml.Suggest(key, keys))
			continue
		}
		if v, _ = readValue(pair[1]); !r.axes[at].has(v.id) {
			var texts []string
			for _, v := range r.axes[at].values {
				texts = append(texts, v.text)
			}
			r.fail(pair[1], path+"."+key, "matches no cell: it is not one of the values of %s: %s", key,
				text.ListedUpTo(maxNames, texts))
		}
		out[key] = v.id
	}
	r.rules = append(r.rules, out)
}

// readValue reads a scalar, or a list of scalars. A cell's name shows a list as calc+web_search.
func readValue(n *yaml.Node) (v value, ok bool) {
	items, none := []*yaml.Node{n}, `""`
	if n.Kind == yaml.SequenceNode {
		items, none = n.Content, "[]"
	}
	var texts []string
	for _, item := range items {
		if item.Kind != yaml.ScalarNode {
			return value{}, false
		}
		texts = append(texts, item.Value)
	}
	var decoded any
	_ = n.Decode(&decoded) // known reports values that cannot be decoded
	return value{node: n, text: cmp.Or(strings.Join(texts, "+"), none), id: fmt.Sprint(decoded)}, true
}
