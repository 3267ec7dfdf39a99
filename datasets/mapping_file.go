package datasets

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// mapped is a line of a mapping file: the field of the foreign file, or what is taken of it,
// or a value for all.
type mapped struct {
	Field   string `yaml:"field"`
	Extract string `yaml:"extract"`
	Value   string `yaml:"value"`
	Text    string `yaml:"text"`
	Cases   []Case `yaml:"cases"`
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
	given := 0
	for _, is := range []bool{m.Field != "", m.Value != "", m.Text != "", len(m.Cases) > 0} {
		if is {
			given++
		}
	}
	if given != 1 || m.Extract != "" && m.Field == "" {
		return strictyaml.Errorf(n, "give field, with extract or without, or value, text or cases")
	}
	return nil
}

//go:embed mappings/*.yaml
var mappings embed.FS

// Mappings are the names of the built-in mappings, sorted: of datasets that many use.
func Mappings() []string {
	files, _ := fs.Glob(mappings, "mappings/*.yaml") // the pattern is well formed
	for i, file := range files {
		files[i] = strings.TrimSuffix(strings.TrimPrefix(file, "mappings/"), ".yaml")
	}
	return files
}

// ReadMapping reads a built-in mapping, or one from a YAML file: for a field of ours the field
// of the foreign file, or {field: …, extract: …}, {value: …} for every query, {text: "…{path}…"},
// or {cases: [{field: …, matches: …, value: …}]}. gold is another name for answer, and records
// is Mapping.Records:
//
//	query: question
//	gold: {field: answer, extract: "#### (.*)"}
//	type: {value: decimal}
func ReadMapping(nameOrPath string) (Mapping, error) {
	m := Mapping{Fields: map[string]string{}, Set: map[string]string{}, Extract: map[string]string{}, Cases: map[string][]Case{}, Text: map[string]string{}}
	var data []byte
	var err error
	if slices.Contains(Mappings(), nameOrPath) {
		data, err = mappings.ReadFile("mappings/" + nameOrPath + ".yaml")
	} else if data, err = strictyaml.ReadFile(nameOrPath); errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w; built in are %s", err, strings.Join(Mappings(), ", "))
	}
	if err != nil {
		return m, fmt.Errorf("read mapping: %w", err)
	}
	var file map[string]mapped
	if err := strictyaml.Decode(nameOrPath, data, &file); err != nil {
		return m, err
	}
	for _, name := range slices.Sorted(maps.Keys(file)) {
		from, field := file[name], name
		if name == "gold" {
			field = "answer"
			if _, both := file[field]; both {
				return m, fmt.Errorf("read mapping %s: gold and answer are one field; keep one", nameOrPath)
			}
		}
		switch {
		case name == "records":
			m.Records = from.Field
		case from.Value != "":
			m.Set[field] = from.Value
		case from.Text != "":
			m.Text[field] = from.Text
		case len(from.Cases) > 0:
			m.Cases[field] = from.Cases
		default:
			m.Fields[field] = from.Field
		}
		if from.Extract != "" {
			m.Extract[field] = from.Extract
		}
	}
	return m, m.Validate()
}

// Replace makes room for another source of a field.
func (m Mapping) Replace(field string) {
	for _, from := range []map[string]string{m.Fields, m.Set, m.Extract, m.Text} {
		delete(from, field)
	}
	delete(m.Cases, field)
}
