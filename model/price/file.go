package price

import (
	"cmp"
	_ "embed"
	"fmt"
	"maps"
	"os"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/strictyaml"
)

//go:embed prices.yaml
var builtin []byte

// Builtin returns the built-in table. An error means that the table is malformed, which is a bug.
func Builtin() (*Table, error) {
	t, err := parse("prices.yaml", builtin)
	if err != nil {
		return nil, fmt.Errorf("read built-in prices: %w", err)
	}
	return t, nil
}

// Load reads a price file, and returns t with the rows of the file. A row of the file replaces the row of t
// with the same name. t itself is not changed. The file has the form of the built-in one:
//
//	prices:
//	  - {model: "openai:gpt-4o", input: 2.50, cached: 1.25, output: 10}
//	  - {model: "local:llama", aliases: ["local:llama-latest"], input: 0, output: 0}
//	tiers:
//	  openai: {batch: 0.5, priority: 2}
//	cache_writes:
//	  anthropic: {short: 1.25, long: 2}
//
// Prices are in USD per million tokens. tiers are multiples of the base price, and cache_writes are multiples
// of the input price. These prices are optional:
//
//   - Cached input costs as much as input if a row has no "cached".
//   - Writing to a cache costs what "write" or "write_long" of the row says; without these, input ×
//     cache_writes of the provider; without both, as much as input.
//
// The error names every wrong row with file and line.
func (t *Table) Load(path string) (*Table, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read prices: %w", err)
	}
	own, err := parse(path, data)
	if err != nil {
		return nil, fmt.Errorf("read prices: %w", err)
	}
	merged := Table{prices: map[string]Price{}, tiers: map[string]map[string]float64{}, asOf: t.asOf}
	for _, from := range []*Table{t, own} {
		maps.Copy(merged.prices, from.prices)
		maps.Copy(merged.tiers, from.tiers)
	}
	return &merged, nil
}

// file is the content of a price file.
type file struct {
	AsOf   string                       `yaml:"as_of"` // month when the rows were last checked
	Tiers  map[string]map[string]factor `yaml:"tiers"`
	Writes map[string]writes            `yaml:"cache_writes"`
	Prices []row                        `yaml:"prices"`
}

// writes are the prices of writing to a provider's cache, as multiples of the price of input.
type writes struct {
	Short factor `yaml:"short"`
	Long  factor `yaml:"long"`
}

// factor is a multiple of a price, above 0 and at most mostTimes.
type factor float64

// mostTimes is the highest accepted factor, far above any real surcharge.
const mostTimes = 100

// UnmarshalNode reads a factor, and returns an error for an impossible one.
func (f *factor) UnmarshalNode(n *yaml.Node) error {
	err := strictyaml.DecodeNode(n, (*float64)(f))
	if err == nil && !(*f > 0 && *f <= mostTimes) { // also false for NaN
		return strictyaml.Errorf(n, "%v is not a factor: give a number above 0, at most %d", *f, mostTimes)
	}
	return err
}

type row struct {
	Model   modelName       `yaml:"model"`
	Aliases []modelName     `yaml:"aliases"`
	Input   rate            `yaml:"input"`
	Cached  rate            `yaml:"cached"`
	Write   rate            `yaml:"write"`
	Long    rate            `yaml:"write_long"`
	Output  rate            `yaml:"output"`
	AsOf    string          `yaml:"as_of"`  // month of the source, such as 2025-08, for readers
	Source  string          `yaml:"source"` // page of the source, for readers
	Pos     strictyaml.Pos  `yaml:",pos"`
	Given   strictyaml.Keys `yaml:",keys"`
}

// modelName has the form provider:model.
type modelName string

var nameForm = lazy.Compile(`^[^: ?\t\n]+:[^ ?\t\n]+$`)

// UnmarshalNode reads a name, and returns an error if it has another form.
func (m *modelName) UnmarshalNode(n *yaml.Node) error {
	err := strictyaml.DecodeNode(n, (*string)(m))
	if err == nil && !nameForm.MatchString(string(*m)) {
		return strictyaml.Errorf(n, "%q is not provider:model, such as openai:gpt-4o", *m)
	}
	return err
}

// rate is a price in USD per million tokens.
type rate float64

// mostUSD is the highest accepted rate: far above any real price, and far below a price per token given in a
// wrong unit.
const mostUSD = 10_000

// UnmarshalNode reads a rate, and returns an error for an impossible one.
func (r *rate) UnmarshalNode(n *yaml.Node) error {
	err := strictyaml.DecodeNode(n, (*float64)(r))
	if err == nil && !(*r >= 0 && *r <= mostUSD) { // also false for NaN
		return strictyaml.Errorf(n, "%v is not a price: give USD per million tokens, 0 to %d", *r, mostUSD)
	}
	return err
}

// price returns the row's price with the defaults of missing rates.
func (r row) price(w writes) Price {
	p := Price{Input: float64(r.Input), Cached: float64(r.Cached), Write: float64(r.Write), WriteLong: float64(r.Long),
		Output: float64(r.Output)}
	missing := func(field string) bool { _, given := r.Given[field]; return !given }
	if missing("cached") {
		p.Cached = p.Input
	}
	if missing("write") {
		p.Write = p.Input * cmp.Or(float64(w.Short), 1)
	}
	if missing("write_long") {
		p.WriteLong = max(p.Write, p.Input*float64(w.Long))
	}
	return p
}

// parse reads a file into a table with an entry for every name and alias.
func parse(path string, data []byte) (*Table, error) {
	var f file
	if err := strictyaml.Decode(path, data, &f); err != nil {
		return nil, err
	}
	var errs strictyaml.Errors
	out, lines := &Table{prices: map[string]Price{}, tiers: map[string]map[string]float64{}, asOf: f.AsOf},
		map[modelName]int{}
	for provider, tiers := range f.Tiers {
		out.tiers[provider] = map[string]float64{}
		for tier, times := range tiers {
			out.tiers[provider][tier] = float64(times)
		}
	}
	for i, r := range f.Prices {
		bad := func(format string, args ...any) {
			errs = append(errs, &strictyaml.Error{File: path, Line: r.Pos.Line, Column: r.Pos.Column,
				Path: fmt.Sprintf("prices[%d]", i), Message: fmt.Sprintf(format, args...)})
		}
		for _, field := range []string{"model", "input", "output"} {
			if _, given := r.Given[field]; !given {
				bad("%s is missing", field)
			}
		}
		provider, _, _ := strings.Cut(string(r.Model), ":")
		p := r.price(f.Writes[provider])
		if p.Cached > p.Input {
			bad("cached input (%v) costs more than input (%v)", p.Cached, p.Input)
		}
		for _, name := range append([]modelName{r.Model}, r.Aliases...) {
			if first, twice := lines[name]; twice {
				bad("%s has a price already, on line %d", name, first)
			}
			lines[name] = r.Pos.Line
			out.prices[string(name)] = p
		}
	}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	return out, nil
}
