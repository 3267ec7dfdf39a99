package datasets

import (
	"fmt"
	"io"
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
	// Extract gives regular expressions (RE2) for fields of Fields: the text of the first
	// group of the last match, or of the match without groups, is taken. A record without a
	// match is an error.
	Extract map[string]string
}

// Validate reports names that are not fields, empty values, a field that is both
// mapped and set, and a type that there is not.
func (m Mapping) Validate() error {
	for _, fields := range []map[string]string{m.Fields, m.Set, m.Extract} {
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
	return m.load(nameOrPath, func(l *loader) (*Dataset, error) { return l.openNamed(nameOrPath) })
}

// ImportFrom reads a dataset of a form and a name, as Import opens one.
func ImportFrom(r io.Reader, f Format, name string, m Mapping) (d *Dataset, unused []string, err error) {
	return m.load(name, func(l *loader) (*Dataset, error) { return l.load(r, f, name) })
}

func (m Mapping) load(nameOrPath string, load func(*loader) (*Dataset, error)) (d *Dataset, unused []string, err error) {
	if err := m.Validate(); err != nil {
		return nil, nil, err
	}
	l := newLoader(nameOrPath)
	l.remap = newRemapper(m)
	l.remap.number = true
	d, err = load(l)
	if absent := l.remap.absent(); absent != nil && l.records > 0 {
		return nil, nil, fmt.Errorf("map fields of %s: %w", nameOrPath, absent) // what follows from it would hide it
	}
	if err != nil {
		return nil, nil, err
	}
	return d, slices.Sorted(maps.Keys(l.remap.unused)), nil
}
