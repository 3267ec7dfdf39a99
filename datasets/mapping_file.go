package datasets

import (
	"fmt"
	"maps"
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// mapped is a line of a mapping file: the field of the foreign file, or what is taken of it,
// or a value for all.
type mapped struct {
	Field   string `yaml:"field"`
	Extract string `yaml:"extract"`
	Value   string `yaml:"value"`
}

// UnmarshalNode takes a name, or an object.
func (m *mapped) UnmarshalNode(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		return strictyaml.DecodeNode(n, &m.Field)
	}
	type object mapped
	if err := strictyaml.DecodeNode(n, (*object)(m)); err != nil {
		return err
	}
	if (m.Field == "") == (m.Value == "") || m.Extract != "" && m.Field == "" {
		return strictyaml.Errorf(n, "give field, with extract or without, or value")
	}
	return nil
}

// ReadMapping reads a mapping from a YAML file: for a field of ours the field of the foreign
// file, or {field: …, extract: …}, or {value: …} for every query. gold is another name for
// answer:
//
//	query: question
//	gold: {field: answer, extract: "#### (.*)"}
//	type: {value: decimal}
func ReadMapping(path string) (Mapping, error) {
	m := Mapping{Fields: map[string]string{}, Set: map[string]string{}, Extract: map[string]string{}}
	data, err := strictyaml.ReadFile(path)
	if err != nil {
		return m, fmt.Errorf("read mapping: %w", err)
	}
	var file map[string]mapped
	if err := strictyaml.Decode(path, data, &file); err != nil {
		return m, err
	}
	for _, name := range slices.Sorted(maps.Keys(file)) {
		from, field := file[name], name
		if name == "gold" {
			field = "answer"
			if _, both := file[field]; both {
				return m, fmt.Errorf("read mapping %s: gold and answer are one field; keep one", path)
			}
		}
		if from.Value != "" {
			m.Set[field] = from.Value
			continue
		}
		m.Fields[field] = from.Field
		if from.Extract != "" {
			m.Extract[field] = from.Extract
		}
	}
	return m, m.Validate()
}
