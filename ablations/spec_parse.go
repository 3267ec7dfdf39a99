package ablations

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/seed-5817661a/concur/internal/filekind"
	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/internal/text"
)

// maxRows is the maximum number of rows. A longer table could not be read as a comparison.
const maxRows = 1_000

type document struct {
	Name           string          `yaml:"name"`
	Dataset        string          `yaml:"dataset"`
	Defaults       settings        `yaml:"defaults"`
	Base           settings        `yaml:"base"`
	Baseline       string          `yaml:"baseline"`
	WithoutEach    string          `yaml:"without_each"`
	Configurations []entry         `yaml:"configurations"`
	Matrix         matrix          `yaml:"matrix"`
	Keys           strictyaml.Keys `yaml:",keys"`
}

// parse reads a spec. file is the name of the file in errors. name is the name of the spec if the file does not
// give one.
func parse(file, name string, data []byte) (*Spec, error) {
	var d document
	var p problems
	if err := strictyaml.Decode(file, data, &d); err != nil && !errors.As(err, &p.Errors) {
		return nil, err
	}
	unread := len(p.Errors) > 0
	p.texts(d.Configurations)
	s := &Spec{Name: name, Dataset: d.Dataset, file: file, defaults: d.Defaults.node, base: d.Base.node,
		baseline: d.Baseline, entries: d.Configurations, prompts: d.Matrix.has(promptsKey),
		eachTool: d.WithoutEach == eachTool}
	if at, given := d.Keys["without_each"]; given && !s.eachTool {
		p.fail(at, "without_each", "%q is not known: write %s", d.WithoutEach, eachTool)
	}
	if !unread { // an unreadable part may make the matrix incomplete
		room := maxRows + 1 - min(len(s.entries), maxRows) // one more than allowed, so that rows reports the excess
		s.entries = append(s.entries, d.Matrix.cells(room)...)
		p.rows(s, d.Keys)
	}
	if _, given := d.Keys["name"]; given {
		s.Name = d.Name
	}
	if problem := nameProblem(s.Name, maxName); problem != "" {
		p.fail(d.Keys["name"], "name", "%s", problem)
	}
	if err := s.withFile(p.Err()); err != nil {
		return nil, err
	}
	return s, nil
}

type problems struct{ strictyaml.Errors }

func (p *problems) fail(at strictyaml.Pos, path, format string, args ...any) {
	p.Errors = append(p.Errors, &strictyaml.Error{Line: at.Line, Column: at.Column, Path: path,
		Message: fmt.Sprintf(format, args...)})
}

func (p *problems) texts(list []entry) {
	for i, e := range list {
		if e.Keys == nil { // not a mapping, already reported
			continue
		}
		path := fmt.Sprintf("configurations[%d]", i)
		if problem := nameProblem(e.Name, maxName); problem != "" {
			p.fail(e.at(), path+".name", "%s", problem)
		}
		if problem := textProblem(e.Note, maxNote); problem != "" {
			p.fail(e.Keys["note"], path+".note", "%s", problem)
		}
	}
}

// rows reports too few rows, too many rows, two rows of the same name, and a baseline that is not a row.
func (p *problems) rows(s *Spec, keys strictyaml.Keys) {
	switch n := len(s.entries); {
	case n == 0 && s.eachTool:
		if s.baseline != "" && s.baseline != fullRow && s.baseline != noTools {
			p.fail(keys["baseline"], "baseline", "%q is not one of the rows: name %q or %q", s.baseline, fullRow, noTools)
		}
		return
	case n == 0 && keys["without_each"] != strictyaml.Pos{}: // it has a wrong value, which is reported
		return
	case n == 0:
		p.fail(strictyaml.Pos{}, "", "the spec has no rows: give configurations, such as - {name: full}, or a "+
			"matrix with cells that are not excluded")
		return
	case n > maxRows:
		p.fail(strictyaml.Pos{}, "", "there are more than %d rows: remove values or configurations, or split the spec",
			maxRows)
	}
	first := map[string]strictyaml.Pos{}
	var names []string
	for _, e := range s.entries {
		if n := utf8.RuneCountInString(e.Name); n > maxCell { // the name of a cell
			p.fail(e.at(), "matrix", "a cell's name would have %d characters: give at most %d, with fewer keys, or "+
				"write the rows as configurations and name them", n, maxCell)
			return
		}
		if at, again := first[e.Name]; again && e.Name != "" {
			p.fail(e.at(), "", "two rows are named %q, the first on line %d: rename one", e.Name, at.Line)
			continue
		}
		first[e.Name] = e.at()
		names = append(names, strconv.Quote(e.Name))
	}
	at, given := keys["baseline"]
	_, known := first[s.baseline]
	if known = known || s.eachTool && (s.baseline == fullRow || s.baseline == noTools); given && !known {
		p.fail(at, "baseline", "%q is not one of the rows: name one of %s", s.baseline,
			text.ListedUpTo(maxNames, names))
	}
}

//go:embed presets/*.yaml
var presetFiles embed.FS

const presetExtension = ".yaml"

// Presets lists the names of the built-in specs, sorted.
func Presets() (names []string) {
	entries, _ := presetFiles.ReadDir("presets") // embedded in the binary, and sorted
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), presetExtension))
	}
	return names
}

// Read opens a built-in spec by its name, or a spec file. If a file has the name of a built-in spec, name it as
// ./name.
//
// All errors of the spec itself are reported together, with file and line. Rows reports the errors that depend
// on the base configuration.
func Read(name string) (*Spec, error) {
	if data, err := presetFiles.ReadFile("presets/" + name + presetExtension); err == nil {
		return parse("preset "+name, name, data)
	}
	data, err := os.ReadFile(name)
	switch {
	case name == "" || errors.Is(err, fs.ErrNotExist):
		hint := ""
		if text := strictyaml.Suggest(name, Presets()); strings.HasPrefix(text, "did you mean") {
			hint = "; " + text
		}
		return nil, fmt.Errorf("read ablation spec: %q is neither a file nor a preset%s; the presets are %s",
			name, hint, strings.Join(Presets(), ", "))
	case err != nil:
		return nil, fmt.Errorf("read ablation spec: %w", err)
	}
	base := filepath.Base(name)
	spec, err := parse(name, strings.TrimSuffix(base, filepath.Ext(base)), data)
	if err == nil {
		return spec, nil
	}
	if kind, found := filekind.OfFile(name, data); found && kind.What != filekind.Ablation {
		hint := ""
		if kind.What == filekind.Dataset {
			hint = "; to use it in an ablation: concur ablate --dataset " + name
		}
		return nil, &strictyaml.Error{File: name, Message: kind.Says(name) + hint}
	}
	return nil, err
}
