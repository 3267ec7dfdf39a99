package price

import (
	_ "embed"
	"fmt"
	"maps"
	"os"
	"regexp"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/strictyaml"
)

//go:embed prices.yaml
var builtin []byte

// Builtin is the built-in table.
func Builtin() (*Table, error) {
	rows, err := read("prices.yaml", builtin)
	if err != nil {
		return nil, fmt.Errorf("read built-in prices: %w", err)
	}
	return &Table{rows}, nil
}

// Load reads a price file over a table: its rows override those of the same name, and t is not
// changed. The file has the form of the built-in one:
//
//	prices:
//	  - {model: "openai:gpt-4o", input: 2.50, cached: 1.25, output: 10}
//	  - {model: "local:llama", aliases: ["local:llama-latest"], input: 0, output: 0}
//
// in USD per million tokens. Without cached, cached input costs as much as input. The error
// names every wrong row with file and line.
func (t *Table) Load(path string) (*Table, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read prices: %w", err)
	}
	rows, err := read(path, data)
	if err != nil {
		return nil, fmt.Errorf("read prices: %w", err)
	}
	merged := map[string]Price{}
	maps.Copy(merged, t.prices)
	maps.Copy(merged, rows)
	return &Table{merged}, nil
}

// file is a price file.
type file struct {
	AsOf   string `yaml:"as_of"` // when the rows were last checked, for readers
	Prices []row  `yaml:"prices"`
}

type row struct {
	Model   modelName       `yaml:"model"`
	Aliases []modelName     `yaml:"aliases"`
	Input   rate            `yaml:"input"`
	Cached  rate            `yaml:"cached"`
	Output  rate            `yaml:"output"`
	AsOf    string          `yaml:"as_of"`  // month of the source, such as 2025-08, for readers
	Source  string          `yaml:"source"` // page of publication, likewise
	Pos     strictyaml.Pos  `yaml:",pos"`
	Given   strictyaml.Keys `yaml:",keys"`
}

// modelName is provider:model.
type modelName string

var nameForm = regexp.MustCompile(`^[^: ?\t\n]+:[^ ?\t\n]+$`)

// UnmarshalNode checks the form.
func (m *modelName) UnmarshalNode(n *yaml.Node) error {
	err := strictyaml.DecodeNode(n, (*string)(m))
	if err == nil && !nameForm.MatchString(string(*m)) {
		return strictyaml.Errorf(n, "%q is not provider:model, such as openai:gpt-4o", *m)
	}
	return err
}

// rate is USD per million tokens.
type rate float64

// mostUSD is far above any price, and far below a price per token in a wrong unit.
const mostUSD = 10_000

// UnmarshalNode refuses impossible prices.
func (r *rate) UnmarshalNode(n *yaml.Node) error {
	err := strictyaml.DecodeNode(n, (*float64)(r))
	if err == nil && !(*r >= 0 && *r <= mostUSD) { // NaN is neither
		return strictyaml.Errorf(n, "%v is not a price: give USD per million tokens, 0 to %d", *r, mostUSD)
	}
	return err
}

// read gives the rows of a file by every name.
func read(path string, data []byte) (rows map[string]Price, err error) {
	var f file
	if err := strictyaml.Decode(path, data, &f); err != nil {
		return nil, err
	}
	var errs strictyaml.Errors
	rows, lines := map[string]Price{}, map[modelName]int{}
	for i, r := range f.Prices {
		bad := func(format string, args ...any) {
			errs = append(errs, &strictyaml.Error{File: path, Line: r.Pos.Line, Column: r.Pos.Column, Path: fmt.Sprintf("prices[%d]", i), Message: fmt.Sprintf(format, args...)})
		}
		for _, field := range []string{"model", "input", "output"} {
			if _, given := r.Given[field]; !given {
				bad("%s is missing", field)
			}
		}
		p := Price{Input: float64(r.Input), Cached: float64(r.Cached), Output: float64(r.Output)}
		if _, given := r.Given["cached"]; !given {
			p.Cached = p.Input
		}
		if p.Cached > p.Input {
			bad("cached input (%v) costs more than input (%v)", p.Cached, p.Input)
		}
		for _, name := range append([]modelName{r.Model}, r.Aliases...) {
			if first, twice := lines[name]; twice {
				bad("%s has a price already, on line %d", name, first)
			}
			lines[name] = r.Pos.Line
			rows[string(name)] = p
		}
	}
	return rows, errs.Err()
}
