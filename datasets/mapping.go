package datasets

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// Mapping says how the records of a foreign file become queries. It names our
// fields as the columns of a CSV file do: id, category, query, type, answer,
// aliases, tolerance, ordered, unit_optional, prefix_date, bare_percent, all_of,
// none_of, condition, outcome, max_steps, cluster, source, tags, expects.
type Mapping struct {
	// Fields gives the field of the file for a field of ours, "question" for
	// "query". A path leads into objects and lists: "gold.text", "answers.0". Text
	// for a list, a number or a flag is read as in a CSV cell; null and blank text stand
	// for nothing.
	// Fields of the file that are not named and have none of our names are not used.
	Fields map[string]string
	// Set gives every query this value, in the form of a CSV cell, whatever the
	// file says.
	Set map[string]string
	// Cases choose the value of a field by what a record holds: that of the first case that
	// fits. Without one, the field is not given.
	Cases map[string][]Case
	// Text composes a field of several: {path} stands for the text of a field of the file.
	Text map[string]string
	// Records is the path of lists that hold the records, such as data.paragraphs.qas: a
	// record also has the fields of what it lies in. "" for a file that is a list of them.
	Records string
	// Extract gives regular expressions (RE2) for fields of Fields: the text of the first
	// group of the last match, or of the match without groups, is taken. A record without a
	// match is an error.
	Extract map[string]string
}

// Case is a value for records whose field matches a regular expression (RE2) as a whole; for
// all if Field is "".
type Case struct {
	Field   string `yaml:"field"`
	Matches string `yaml:"matches"`
	Value   string `yaml:"value"`
}

func (c Case) expression() (*regexp.Regexp, error) { return regexp.Compile(`^(?s:` + c.Matches + `)$`) }

// Validate reports names that are not fields, empty values, a field that is both
// mapped and set, and a type that there is not.
func (m Mapping) Validate() error {
	cased := map[string]string{}
	for name, cases := range m.Cases {
		for _, c := range cases {
			cased[name] = c.Value
			if _, err := c.expression(); err != nil {
				return fmt.Errorf("map fields: cases of %s: %w", name, err)
			}
		}
	}
	for _, fields := range []map[string]string{m.Fields, m.Set, m.Extract, m.Text, cased} {
		for _, name := range slices.Sorted(maps.Keys(fields)) {
			if !slices.Contains(fieldNames(), name) {
				return fmt.Errorf("map fields: unknown field %q (%s)", name, strictyaml.Suggest(name, fieldNames()))
			}
			if strings.TrimSpace(fields[name]) == "" {
				return fmt.Errorf("map fields: nothing is given for %s; write %s=…", name, name)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m.Set)) {
		if from, both := m.Fields[name]; both {
			return fmt.Errorf("map fields: %s is both mapped from %q and set to %q; choose one", name, from, m.Set[name])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m.Extract)) {
		if _, mapped := m.Fields[name]; !mapped {
			return fmt.Errorf("map fields: %s is extracted from no field; name the field too", name)
		}
		if _, err := regexp.Compile(m.Extract[name]); err != nil {
			return fmt.Errorf("map fields: extract %s: %w", name, err)
		}
	}
	if t, given := m.Set["type"]; given {
		if _, err := answer.ParseType(t); err != nil {
			return fmt.Errorf("map fields: type: %w", err)
		}
	}
	return nil
}

// Import opens a dataset as Open does, with the fields that the mapping names. A
// query without an id is named by its place among the queries: q-0001, q-0002 ….
//
// unused lists the fields of the file that were passed over, sorted. It is empty
// where the mapping names no fields: then an unknown field is an error.
func Import(nameOrPath string, m Mapping) (d *Dataset, unused []string, err error) {
	l := newLoader(nameOrPath)
	d, err = m.load(l, func() (*Dataset, error) { return l.openNamed(nameOrPath) })
	if err != nil {
		return nil, nil, err
	}
	return d, slices.Sorted(maps.Keys(l.remap.unused)), nil
}

// load maps what open reads.
func (m Mapping) load(l *loader, open func() (*Dataset, error)) (*Dataset, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	l.remap = newRemapper(m)
	l.remap.number = true
	d, err := open()
	if absent := l.remap.absent(); absent != nil && l.records > 0 {
		return nil, fmt.Errorf("map fields of %s: %w", l.file, absent) // what follows from it would hide it
	}
	return d, err
}

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
