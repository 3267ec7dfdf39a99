package ablations

import (
	"fmt"
	"strconv"

	"golang.org/x/text/unicode/norm"
	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/runner/config"
)

// maxRows bounds an ablation; a longer table is not readable as a comparison.
const maxRows = 1_000

// document is a spec file.
type document struct {
	Name           string          `yaml:"name"`
	Dataset        string          `yaml:"dataset"`
	Defaults       settings        `yaml:"defaults"`
	Base           settings        `yaml:"base"`
	Baseline       string          `yaml:"baseline"`
	Configurations []entry         `yaml:"configurations"`
	Matrix         matrix          `yaml:"matrix"`
	Keys           strictyaml.Keys `yaml:",keys"`
}

// entry is one named configuration of the file.
type entry struct {
	Name    string          `yaml:"name"`
	Set     settings        `yaml:"set"`
	Without []string        `yaml:"without"`
	Note    string          `yaml:"note"`
	Pos     strictyaml.Pos  `yaml:",pos"`
	Keys    strictyaml.Keys `yaml:",keys"`
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

// parse reads a spec. Errors name file; the spec is called name unless it has a name of its
// own.
func parse(file, name string, data []byte) (*Spec, error) {
	var d document
	p := parser{file: file}
	switch err := strictyaml.Decode(file, data, &d).(type) {
	case nil:
	case strictyaml.Errors:
		p.wrong = err
	default:
		return nil, err
	}
	unread := len(p.wrong) > 0
	p.entries(d.Configurations)
	if !unread { // else the matrix may be incomplete
		room := maxRows + 1 - min(len(p.variants), maxRows) // one too many, for rows to report
		p.variants = append(p.variants, d.Matrix.cells(room)...)
		p.unique()
		p.rows(d)
	}
	s := &Spec{Name: name, Dataset: d.Dataset, file: file, defaults: d.Defaults.node, base: d.Base.node, baseline: d.Baseline, variants: p.variants}
	if _, given := d.Keys["name"]; given {
		s.Name = d.Name
	}
	if problem := nameProblem(s.Name, maxName); problem != "" {
		p.fail(d.Keys["name"], "name", "%s", problem)
	}
	if err := p.wrong.Err(); err != nil {
		return nil, err
	}
	return s, nil
}

// parser collects variants and errors.
type parser struct {
	file     string
	variants []variant
	wrong    strictyaml.Errors
}

func (p *parser) fail(at strictyaml.Pos, path, format string, args ...any) {
	p.wrong = append(p.wrong, &strictyaml.Error{File: p.file, Line: at.Line, Column: at.Column, Path: path, Message: fmt.Sprintf(format, args...)})
}

func (p *parser) entries(list []entry) {
	for i, e := range list {
		if e.Keys == nil { // not a mapping, which is reported already
			continue
		}
		path := fmt.Sprintf("configurations[%d]", i)
		at, given := e.Keys["name"]
		if !given {
			at = e.Pos
		}
		if problem := nameProblem(e.Name, maxName); problem != "" {
			p.fail(at, path+".name", "%s", problem)
		}
		if problem := textProblem(e.Note, maxNote); problem != "" {
			p.fail(e.Keys["note"], path+".note", "%s", problem)
		}
		p.variants = append(p.variants, variant{
			name: e.Name, note: e.Note, set: e.Set.node, without: e.Without, at: at, withoutAt: e.Keys["without"],
		})
	}
}

// unique reports names that two rows have.
func (p *parser) unique() {
	first := map[string]strictyaml.Pos{}
	for _, v := range p.variants {
		key := norm.NFC.String(v.name)
		if at, again := first[key]; again && key != "" {
			p.fail(v.at, "", "two rows are named %q, the first on line %d: rename one", v.name, at.Line)
			continue
		}
		first[key] = v.at
	}
}

// rows reports too few rows, too many, and a baseline that is not one of them.
func (p *parser) rows(d document) {
	switch n := len(p.variants); {
	case n == 0:
		p.fail(strictyaml.Pos{}, "", "the spec has no rows: give configurations, such as - {name: full}, or a matrix with cells that are not excluded")
	case n > maxRows:
		p.fail(strictyaml.Pos{}, "", "there are more than %d rows: remove values or configurations, or split the spec", maxRows)
	}
	at, given := d.Keys["baseline"]
	if !given || len(p.variants) == 0 {
		return
	}
	var names []string
	for _, v := range p.variants {
		if SameName(v.name, d.Baseline) {
			return
		}
		names = append(names, strconv.Quote(v.name))
	}
	p.fail(at, "baseline", "%q is not one of the rows: name one of %s", d.Baseline, some(names, maxNames))
}
