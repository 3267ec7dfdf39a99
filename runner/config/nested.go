package config

import (
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// maxKeys is the depth of search.urls.wikipedia and of agents.researcher.tools, the deepest
// settings.
const maxKeys = 3

// nestKeys turns dotted keys into nested mappings. It reports keys that are given twice.
// Other errors are left for the decoder.
func nestKeys(n *yaml.Node) (*yaml.Node, strictyaml.Errors) {
	if n.Kind != yaml.MappingNode {
		return n, nil
	}
	m := merger{given: map[string]place{}}
	root := like(n)
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
		m.add(root, withName(key, steps[0]), value, nil)
	}
	return root, m.wrong
}

// merger joins mappings; given holds the value at each path so far.
type merger struct {
	given map[string]place
	wrong strictyaml.Errors
}

type place struct {
	line int
	node *yaml.Node
}

func (m *merger) add(into, key, value *yaml.Node, above []string) {
	path := append(slices.Clip(above), key.Value)
	open := value.Kind == yaml.MappingNode && len(path) < maxKeys
	id := strings.Join(path, "\x00") // YAML text cannot contain this character
	have, again := m.given[id]
	switch {
	case key.Kind != yaml.ScalarNode:
		into.Content = append(into.Content, key, value)
		return
	case again && !(open && have.node.Kind == yaml.MappingNode):
		m.wrong = append(m.wrong, &strictyaml.Error{Line: key.Line, Column: key.Column, Path: strings.Join(path, "."),
			Message: "given twice, first on line " + strconv.Itoa(have.line) + ": remove one"})
		return
	case !again:
		have = place{key.Line, value}
		if open {
			have.node = like(value)
		}
		m.given[id] = have
		into.Content = append(into.Content, key, have.node)
	}
	for i := 0; open && i+1 < len(value.Content); i += 2 {
		m.add(have.node, value.Content[i], value.Content[i+1], path)
	}
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
