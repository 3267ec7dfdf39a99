package config

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// Set returns a copy of the configuration with the keys of a mapping applied. Keys are nested as in
// concur.yaml, or dotted as agent.temperature. Lists, headers and extra_body are replaced as a whole. If the
// node is nil, nothing changes. Set reports the same errors as Load. It does not validate values.
func (c Configuration) Set(n *yaml.Node) (Configuration, error) {
	out := c.clone()
	if n == nil {
		return out, nil
	}
	var wrong strictyaml.Errors
	given := map[string]int{} // lines, by dotted key
	eachSetting(n, nil, func(path []*yaml.Node, value *yaml.Node) {
		name, at := "", 0
		for _, key := range path {
			at = key.Line
			name = strings.TrimPrefix(name+"."+key.Value, ".")
			if line, again := given[name]; again {
				message := fmt.Sprintf("given twice, first on line %d: remove one", line)
				wrong = append(wrong, &strictyaml.Error{Line: key.Line, Column: key.Column, Path: name,
					Message: message})
				return
			}
		}
		if value.Kind != yaml.MappingNode || len(path) == maxKeys {
			given[name] = at
		}
		for _, key := range slices.Backward(path) {
			inner := []*yaml.Node{key, value}
			value = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: key.Line, Column: key.Column, Content: inner}
		}
		wrong = append(wrong, strictyaml.DecodeAt("", "", value, &out)...)
	})
	// An unknown key causes several equal findings.
	wrong = slices.CompactFunc(wrong, func(a, b *strictyaml.Error) bool { return *a == *b })
	if err := wrong.Err(); err != nil {
		return c, err
	}
	return out, nil
}

// maxKeys is the largest number of keys that lead to a setting, as in search.urls.wikipedia and
// agents.researcher.tools.
const maxKeys = 3

// eachSetting calls set with each value in a mapping, and with the keys that lead to the value. The outermost
// keys may be dotted.
func eachSetting(n *yaml.Node, above []*yaml.Node, set func(path []*yaml.Node, value *yaml.Node)) {
	if n.ShortTag() != "!!map" || len(n.Content) == 0 || len(above) == maxKeys {
		set(above, n)
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, path := n.Content[i], slices.Clip(above)
		steps := []string{key.Value}
		if len(above) == 0 {
			steps = strings.SplitN(key.Value, ".", maxKeys)
		}
		for _, step := range steps {
			named := *key
			named.Value = step
			path = append(path, &named)
		}
		eachSetting(n.Content[i+1], path, set)
	}
}

// clone returns a copy that shares no list and no map with c.
func (c Configuration) clone() Configuration {
	separate(reflect.ValueOf(&c).Elem())
	return c
}

// separate replaces the lists and maps in v by copies, at any depth.
func separate(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			separate(v.Field(i))
		}
	case reflect.Interface:
		if !v.IsNil() {
			v.Set(separated(v.Elem()))
		}
	case reflect.Slice:
		if !v.IsNil() {
			v.Set(reflect.AppendSlice(reflect.MakeSlice(v.Type(), 0, v.Len()), v))
		}
		for i := range v.Len() {
			separate(v.Index(i))
		}
	case reflect.Map:
		if v.IsNil() {
			return
		}
		out := reflect.MakeMapWithSize(v.Type(), v.Len())
		for key, value := range v.Seq2() {
			out.SetMapIndex(key, separated(value))
		}
		v.Set(out)
	}
}

func separated(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	separate(out)
	return out
}
