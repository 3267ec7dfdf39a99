package config

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// Set returns the configuration with the keys of a mapping applied, nested as in concur.yaml or dotted
// as agent.temperature. Lists, headers and extra_body are replaced; a nil node changes nothing. It is as
// strict as Load, leaves values to Validate, and shares no memory with c.
func (c Configuration) Set(n *yaml.Node) (Configuration, error) {
	out := c.clone()
	if n == nil {
		return out, nil
	}
	tree, wrong := nestKeys(n)
	providers, servers, agents := take(tree, "providers"), take(tree, "mcp"), take(tree, "agents")
	wrong = append(wrong, strictyaml.DecodeAt("", "", tree, &out)...)
	wrong = append(wrong, setEach(&out.Providers, providers, "providers")...)
	wrong = append(wrong, setEach(&out.MCP, servers, "mcp")...)
	wrong = append(wrong, setEach(&out.Agents, agents, "agents")...)
	if err := wrong.Err(); err != nil {
		return c, err
	}
	return out, nil
}

// setEach applies keys to each entry of a map separately, because the decoder would start a new map.
func setEach[T any](into *map[string]T, n *yaml.Node, key string) strictyaml.Errors {
	if n == nil {
		return nil
	}
	var given map[string]*yaml.Node
	wrong := strictyaml.DecodeAt("", key, n, &given)
	if *into == nil {
		*into = map[string]T{}
	}
	for name, value := range sorted(given) {
		e := (*into)[name]
		wrong = append(wrong, strictyaml.DecodeAt("", key+"."+name, value, &e)...)
		(*into)[name] = e
	}
	return wrong
}

// take removes a key from a mapping and returns its value, or nil.
func take(mapping *yaml.Node, name string) *yaml.Node {
	i := keyAt(mapping, name)
	if i < 0 {
		return nil
	}
	value := mapping.Content[i+1]
	mapping.Content = slices.Delete(mapping.Content, i, i+2)
	return value
}

// clone is a copy that shares no list and no map with c.
func (c Configuration) clone() Configuration {
	separate(reflect.ValueOf(&c).Elem())
	return c
}

// separate puts copies in the place of the lists and maps in v, at any depth.
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

// maxKeys is the depth of search.urls.wikipedia and of agents.researcher.tools, the deepest settings.
const maxKeys = 3

// nestKeys turns dotted keys into nested mappings. It reports keys that are given twice.
// Other errors are left for the decoder.
func nestKeys(n *yaml.Node) (*yaml.Node, strictyaml.Errors) {
	if n.Kind != yaml.MappingNode {
		return n, nil
	}
	root := like(n)
	var wrong strictyaml.Errors
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		steps := []string{key.Value}
		if key.Kind == yaml.ScalarNode {
			steps = strings.SplitN(key.Value, ".", maxKeys)
		}
		for _, step := range slices.Backward(steps[1:]) {
			outer := like(value)
			outer.Tag, outer.Kind, outer.Content = "!!map", yaml.MappingNode, []*yaml.Node{withName(key, step), value}
			value = outer
		}
		wrong = append(wrong, merge(root, withName(key, steps[0]), value, nil)...)
	}
	return root, wrong
}

// merge adds a key to a mapping, or joins its mapping with the one that is there.
func merge(into, key, value *yaml.Node, above []string) (wrong strictyaml.Errors) {
	path := append(slices.Clip(above), key.Value)
	open := value.Kind == yaml.MappingNode && len(path) < maxKeys
	at := -1
	if key.Kind == yaml.ScalarNode {
		at = keyAt(into, key.Value)
	}
	if at < 0 {
		added := value
		if open {
			added = like(value)
		}
		at = len(into.Content)
		into.Content = append(into.Content, key, added)
	} else if !open || into.Content[at+1].Kind != yaml.MappingNode {
		return strictyaml.Errors{{Line: key.Line, Column: key.Column, Path: strings.Join(path, "."),
			Message: "given twice, first on line " + strconv.Itoa(into.Content[at].Line) + ": remove one"}}
	}
	for i := 0; open && i+1 < len(value.Content); i += 2 {
		wrong = append(wrong, merge(into.Content[at+1], value.Content[i], value.Content[i+1], path)...)
	}
	return wrong
}

// keyAt is the place of a key in the content of a mapping, or -1.
func keyAt(mapping *yaml.Node, name string) int {
	for i := 0; mapping.Kind == yaml.MappingNode && i+1 < len(mapping.Content); i += 2 {
		if key := mapping.Content[i]; key.Kind == yaml.ScalarNode && key.Value == name {
			return i
		}
	}
	return -1
}

// like is an empty node with the same position.
func like(n *yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: n.Kind, Tag: n.Tag, Line: n.Line, Column: n.Column}
}

func withName(key *yaml.Node, name string) *yaml.Node {
	out := *key
	out.Value = name
	return &out
}
