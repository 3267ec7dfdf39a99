package ablations

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/runner/config"
)

// Spec is an ablation as its file describes it: configurations that change a few keys of a
// base, a matrix of keys, or both (DESIGN.md §5).
type Spec struct {
	Name    string // the file's name without extension, if the file gives none
	Dataset string // "" if the spec names none

	file           string // as printed in errors
	defaults, base *yaml.Node
	baseline       string
	entries        []entry // the cells of the matrix among them
}

// entry is what one row changes in the base.
type entry struct {
	Name    string          `yaml:"name"`
	Set     settings        `yaml:"set"`
	Without []string        `yaml:"without"`
	Note    string          `yaml:"note"`
	Pos     strictyaml.Pos  `yaml:",pos"`
	Keys    strictyaml.Keys `yaml:",keys"`
}

// at is the place of its name, of a cell that of the matrix.
func (e entry) at() strictyaml.Pos {
	if at, given := e.Keys["name"]; given {
		return at
	}
	return e.Pos
}

// settings are keys of a configuration. Unknown keys and wrong types are reported on
// reading, before the base is known.
type settings struct{ node *yaml.Node }

// UnmarshalNode keeps the node for Set, and reports the errors of its keys.
func (s *settings) UnmarshalNode(n *yaml.Node) error {
	s.node = n
	_, err := config.New().Set(n)
	return err
}

// Row is one configuration of an ablation, resolved. Configuration.Name is the row's name.
type Row struct {
	config.Configuration
	Note string
}

// Baseline is the name of the row that the others are compared with: the one that the spec names, else the first.
func (s *Spec) Baseline() string {
	if s.baseline == "" && len(s.entries) > 0 {
		return s.entries[0].Name
	}
	return s.baseline
}

// Defaults applies the spec's defaults to c: settings that neither a configuration file nor a flag overrides.
func (s *Spec) Defaults(c config.Configuration) (config.Configuration, error) {
	out, err := c.Set(s.defaults)
	return out, s.withFile(err)
}

// Base applies the spec's base to c. Flags are applied to the result, then Rows.
func (s *Spec) Base(c config.Configuration) (config.Configuration, error) {
	out, err := c.Set(s.base)
	return out, s.withFile(err)
}

// withFile adds the file's name to errors.
func (s *Spec) withFile(err error) error {
	if list, ok := err.(strictyaml.Errors); ok {
		for _, e := range list {
			e.File = s.file
		}
	}
	return err
}

// The longest texts, in characters. A cell's name consists of keys and values, which the
// author of a spec cannot shorten.
const (
	maxName = 80
	maxCell = 200
	maxNote = 200
)

// nameProblem describes what is wrong with a name; "" if nothing is.
func nameProblem(name string, most int) string {
	switch {
	case strings.TrimSpace(name) == "":
		return "the name is empty: give one"
	case strings.TrimSpace(name) != name:
		return fmt.Sprintf("the name %q begins or ends with a space: remove it", name)
	}
	return textProblem(name, most)
}

// textProblem describes why a text cannot be shown in a table; "" if it can.
func textProblem(text string, most int) string {
	if n := utf8.RuneCountInString(text); n > most {
		return fmt.Sprintf("a text of %d characters: give at most %d", n, most)
	}
	for _, r := range text {
		if !unicode.IsGraphic(r) {
			return fmt.Sprintf("%q contains the control character %U: remove it", text, r)
		}
	}
	return ""
}
