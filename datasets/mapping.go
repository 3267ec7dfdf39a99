package datasets

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// Mapping defines how the records of another program's file become queries.
type Mapping struct {
	// Records is the path of the lists that have the records, such as data.paragraphs.qas. A record also gets
	// the fields of the objects that contain it. If Records is "", the file is a list of records.
	Records string
	// Fields has the source of each of concur's fields. The names of the fields are those of the columns of a
	// CSV file: id, category, query, type, answer, aliases, tolerance, ordered, unit_optional, prefix_date,
	// bare_percent, all_of, none_of, condition, outcome, max_steps, cluster, source, tags, expects, history,
	// owner, now, meta (as JSON).
	Fields map[string]Source
}

// Source defines the value of a field by one of Field, Value, Text and Cases.
type Source struct {
	// Field is a field of the file, such as "question" for concur's field query. A path leads into objects and
	// lists: "gold.text", "answers.0". If concur's field is a list, a number or a flag, a text in the file is
	// read like a cell of a CSV file. If the value is null or blank text, the query does not have the field.
	//
	// If at least one source has a Field, other fields of the file are used only if they have one of concur's
	// names.
	Field string `yaml:"field"`
	// Extract is a regular expression (RE2) for the value of Field. The result is the first group of the last
	// match, or the whole match if there are no groups. If the expression does not match in a record, this is
	// an error.
	Extract string `yaml:"extract"`
	// Value is a fixed value that every query gets for this field. It is written as in a cell of a CSV file. If the
	// mapped file has the field too, its value is ignored.
	Value string `yaml:"value"`
	// Text is the value with placeholders: {path} is replaced with the text of the field at this path in the
	// file.
	Text string `yaml:"text"`
	// Cases are values with conditions. The first case whose condition a record meets gives the value. If a
	// record meets no condition, the query does not have the field.
	Cases []Case `yaml:"cases"`
}

// Case is a value with a condition. It is used for records whose field Field matches a regular expression (RE2)
// completely. If Field is "", it is used for all records.
type Case struct {
	Field   string `yaml:"field"`
	Matches string `yaml:"matches"`
	Value   string `yaml:"value"`
}

// UnmarshalNode reads a name as Field, or an object.
func (s *Source) UnmarshalNode(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		return strictyaml.DecodeNode(n, &s.Field)
	}
	type object Source
	return strictyaml.DecodeNode(n, (*object)(s))
}

// compiled is a source with its regular expressions.
type compiled struct {
	Source
	extract *regexp.Regexp // nil if Extract is ""
	cases   []*regexp.Regexp
}

// compile checks the source of a field, and prepares it for use. It returns an error for an unknown field, a
// missing source, more than one source, and an unknown type.
func (s Source) compile(field string) (out compiled, err error) {
	out.Source = s
	given := 0
	for _, is := range []bool{strings.TrimSpace(s.Field) != "", s.Value != "", s.Text != "", len(s.Cases) > 0} {
		if is {
			given++
		}
	}
	switch {
	case !slices.Contains(mappedFields, field):
		return out, fmt.Errorf("unknown field %q (%s)", field, strictyaml.Suggest(field, mappedFields))
	case s.Extract != "" && s.Field == "":
		return out, fmt.Errorf("%s has extract but no field; name the field too", field)
	case given == 0:
		return out, fmt.Errorf("%s has no source; write %s=…", field, field)
	case given > 1:
		return out, fmt.Errorf("%s has several sources; give only one of field, value, text and cases",
			field)
	case s.Extract != "":
		if out.extract, err = regexp.Compile(s.Extract); err != nil {
			return out, fmt.Errorf("extract %s: %w", field, err)
		}
	case field == "type" && s.Value != "":
		if _, err := answer.ParseType(s.Value); err != nil {
			return out, fmt.Errorf("type: %w", err)
		}
	}
	for _, c := range s.Cases {
		expression, err := regexp.Compile(`^(?s:` + c.Matches + `)$`)
		if err == nil && c.Value == "" {
			err = errors.New("give each a value")
		}
		if err != nil {
			return out, fmt.Errorf("cases of %s: %w", field, err)
		}
		out.cases = append(out.cases, expression)
	}
	return out, nil
}

// load reads the dataset by calling open, and maps its records. A query without an id gets an id from its
// position: q-0001, q-0002 ….
func (m Mapping) load(l *loader, open func() (*Dataset, error)) (d *Dataset, err error) {
	if l.remap, err = newRemapper(m); err != nil {
		return nil, err
	}
	d, err = open()
	if absent := l.remap.absent(); absent != nil && l.records > 0 {
		// Other errors would only follow from this one.
		return nil, fmt.Errorf("map fields of %s: %w", l.file, absent)
	}
	return d, err
}

//go:embed mappings/*.yaml
var mappings embed.FS

// Mappings returns the names of the built-in mappings for widely used datasets, sorted.
func Mappings() []string { return stems(mappings, "mappings") }

// ReadMapping reads a built-in mapping, or a mapping from a YAML file. A mapping has for each of concur's
// fields one of these: a field of the foreign file; {field: …, extract: …}; {value: …} for every query; {text:
// "…{path}…"}; or {cases: [{field: …, matches: …, value: …}]}. gold is another name for answer, and the key
// records is Mapping.Records:
//
//	query: question
//	gold: {field: answer, extract: "#### (.*)"}
//	type: {value: decimal}
func ReadMapping(nameOrPath string) (Mapping, error) {
	m := Mapping{Fields: map[string]Source{}}
	var data []byte
	var err error
	if slices.Contains(Mappings(), nameOrPath) {
		data, err = mappings.ReadFile("mappings/" + nameOrPath + ".yaml")
	} else if data, err = os.ReadFile(nameOrPath); errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w; built in are %s", err, strings.Join(Mappings(), ", "))
	}
	if err != nil {
		return m, fmt.Errorf("read mapping: %w", err)
	}
	if err := strictyaml.Decode(nameOrPath, data, &m.Fields); err != nil {
		return m, err
	}
	m.Records = m.Fields["records"].Field
	delete(m.Fields, "records")
	if gold, given := m.Fields["gold"]; given {
		if _, both := m.Fields["answer"]; both {
			return m, fmt.Errorf("read mapping %s: gold and answer are the same field; keep one", nameOrPath)
		}
		m.Fields["answer"] = gold
		delete(m.Fields, "gold")
	}
	if _, err := newRemapper(m); err != nil {
		return m, fmt.Errorf("read mapping %s: %w", nameOrPath, err)
	}
	return m, nil
}
