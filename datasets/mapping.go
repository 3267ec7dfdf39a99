package datasets

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

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
