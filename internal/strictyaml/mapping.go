package strictyaml

import (
	"reflect"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// Pos is a place in a file. Line and column count from 1, columns in characters.
type Pos struct {
	Line, Column int
}

// Keys holds the fields of a mapping, each with the place of its value.
type Keys map[string]Pos

// plan describes the fields of a struct type.
type plan struct {
	names  []string // names of the fields in the order of the struct, including inline structs
	fields [][]int  // their indexes for FieldByIndex
	pos    int      // index of the `,pos` field, or -1
	keys   int      // index of the `,keys` field, or -1
}

func (d *decoder) plan(t reflect.Type) *plan {
	if p, ok := d.plans[t]; ok {
		return p
	}
	p := &plan{pos: -1, keys: -1}
	for i := range t.NumField() {
		f := t.Field(i)
		tag, tagged := f.Tag.Lookup("yaml")
		if !tagged || !f.IsExported() {
			continue
		}
		name, option, _ := strings.Cut(tag, ",")
		switch {
		case option == "pos" && f.Type == reflect.TypeFor[Pos]():
			p.pos = i
		case option == "keys" && f.Type == reflect.TypeFor[Keys]():
			p.keys = i
		case option == "inline" && f.Type.Kind() == reflect.Struct:
			inner := d.plan(f.Type)
			p.names = append(p.names, inner.names...)
			for _, index := range inner.fields {
				p.fields = append(p.fields, append([]int{i}, index...))
			}
		case name != "" && name != "-":
			p.names = append(p.names, name)
			p.fields = append(p.fields, []int{i})
		}
	}
	d.plans[t] = p
	return p
}

// adviceFor returns advice about an unknown key. In braces, a key without a colon is the rest of a text with a comma.
func adviceFor(in, key, value *yaml.Node, known []string) string {
	if in.Style&yaml.FlowStyle != 0 && value.ShortTag() == "!!null" && value.Value == "" {
		return "within { }, text with a comma needs quotes"
	}
	return Suggest(key.Value, known)
}

func (d *decoder) structure(n *yaml.Node, path string, out reflect.Value) {
	p := d.plan(out.Type())
	keys := Keys{}
	ok := d.pairs(n, path, func(key, value *yaml.Node) {
		at := joinPath(path, key.Value)
		field := slices.Index(p.names, key.Value)
		if field < 0 {
			d.fail(key, at, "unknown field %s (%s)", quote(key.Value), adviceFor(n, key, value, p.names))
			return
		}
		keys[key.Value] = Pos{value.Line, value.Column}
		d.value(value, at, out.FieldByIndex(p.fields[field]))
	})
	if !ok {
		return
	}
	if p.pos >= 0 {
		out.Field(p.pos).Set(reflect.ValueOf(Pos{n.Line, n.Column}))
	}
	if p.keys >= 0 {
		out.Field(p.keys).Set(reflect.ValueOf(keys))
	}
}

func (d *decoder) mapping(n *yaml.Node, path string, out reflect.Value) {
	t := out.Type()
	if t.Key().Kind() != reflect.String {
		d.fail(n, path, "cannot be read: Go type %s has keys that are not strings", t)
		return
	}
	m := reflect.MakeMap(t)
	if t.Elem().Kind() == reflect.Struct { // their entries keep values that the file does not give
		for name, element := range out.Seq2() {
			m.SetMapIndex(name, element)
		}
	}
	ok := d.pairs(n, path, func(key, value *yaml.Node) {
		name, element := reflect.ValueOf(key.Value).Convert(t.Key()), reflect.New(t.Elem()).Elem()
		if old := m.MapIndex(name); old.IsValid() {
			element.Set(old)
		}
		d.value(value, joinPath(path, key.Value), element)
		m.SetMapIndex(name, element)
	})
	if ok {
		out.Set(m)
	}
}

// pairs calls each for every pair of a mapping with a valid key, and reports the other pairs. It returns false
// if n is not a mapping.
func (d *decoder) pairs(n *yaml.Node, path string, each func(key, value *yaml.Node)) bool {
	if n.Kind != yaml.MappingNode {
		d.fail(n, path, "expected a mapping (name: value), found %s", Describe(n))
		return false
	}
	first := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		switch {
		case key.Kind != yaml.ScalarNode || isNull(key):
			d.fail(key, path, "expected a name before the colon, found %s", Describe(key))
			continue
		case key.Tag == "!!merge":
			d.fail(key, path, `merge keys ("<<") are not supported; write the fields out`)
			continue
		}
		if line, again := first[key.Value]; again {
			d.fail(key, joinPath(path, key.Value), "duplicate field %s, first on line %d", quote(key.Value), line)
			continue
		}
		first[key.Value] = key.Line
		each(key, n.Content[i+1])
	}
	return true
}
