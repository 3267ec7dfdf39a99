package ablations

import (
	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/runner/config"
)

// Spec is an ablation as its file gives it: configurations that differ from a base in a
// few keys, a matrix of keys, or both (DESIGN.md §5).
type Spec struct {
	Name    string // of the file, less its extension, where it gives none
	Dataset string // "" where the spec names none

	file     string // as errors name it
	defaults *yaml.Node
	base     *yaml.Node
	baseline string
	variants []variant
}

// variant is what one row changes in the base.
type variant struct {
	name, note string
	set        *yaml.Node // nil for nothing
	without    []string
	at         strictyaml.Pos // of its entry, or of the matrix
	withoutAt  strictyaml.Pos
}

// Row is one configuration of an ablation, resolved. Configuration.Name is the row's name.
type Row struct {
	config.Configuration
	Note string
}

// Baseline names the row that the others are held against: the one that the spec names,
// else the first.
func (s *Spec) Baseline() string {
	for _, v := range s.variants {
		if s.baseline == "" || SameName(v.name, s.baseline) {
			return v.name
		}
	}
	return s.baseline
}

// Defaults puts the spec's defaults over c: settings that hold where neither a configuration
// file nor a flag says otherwise.
func (s *Spec) Defaults(c config.Configuration) (config.Configuration, error) {
	out, err := c.Set(s.defaults)
	return out, s.named(err)
}

// Base puts the spec's base over c. Flags go over the result, then Rows.
func (s *Spec) Base(c config.Configuration) (config.Configuration, error) {
	out, err := c.Set(s.base)
	return out, s.named(err)
}

// named puts the file's name to findings that have none.
func (s *Spec) named(err error) error {
	if list, ok := err.(strictyaml.Errors); ok {
		for _, e := range list {
			e.File = s.file
		}
	}
	return err
}
