package tool

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/seed-5817661a/concur/runner/model"
)

// nameForm is the form of function names that all providers accept.
var nameForm = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]{0,63}$`)

// Registry is the set of an agent's tools, in the order shown to models. It does not change
// after New.
type Registry struct {
	tools   []Tool
	specs   []Spec // with their schemas on one line: white space would cost tokens
	byName  map[string]int
	schemas []*jsonschema.Schema
}

// New validates the tools: name, description, and a parameters schema of an object. Unless
// a schema says whether unknown arguments are allowed, the registry's specs forbid them.
func New(tools ...Tool) (*Registry, error) {
	r := &Registry{byName: make(map[string]int, len(tools))}
	for _, t := range tools {
		s := t.Spec()
		if !nameForm.MatchString(s.Name) {
			return nil, fmt.Errorf("register tool %q: a name has 1 to 64 letters, digits, _ or -, and begins with a letter or _", s.Name)
		}
		if _, dup := r.byName[s.Name]; dup {
			return nil, fmt.Errorf("register tool %s: two tools have this name", s.Name)
		}
		if strings.TrimSpace(s.Description) == "" {
			return nil, fmt.Errorf("register tool %s: it has no description, which models need", s.Name)
		}
		var err error
		if s.Parameters, err = closeSchema(s.Parameters); err != nil {
			return nil, fmt.Errorf("register tool %s: %w", s.Name, err)
		}
		schema, err := compileSchema(s.Name, s.Parameters)
		if err != nil {
			return nil, fmt.Errorf("register tool %s: %w", s.Name, err)
		}
		line, err := json.Marshal(s.ToolSpec)
		if err != nil {
			return nil, fmt.Errorf("register tool %s: %w", s.Name, err)
		}
		s.Line = string(line)
		r.byName[s.Name] = len(r.tools)
		r.tools = append(r.tools, t)
		r.specs = append(r.specs, s)
		r.schemas = append(r.schemas, schema)
	}
	return r, nil
}

// Lookup finds a tool by name.
func (r *Registry) Lookup(name string) (Tool, bool) {
	i, ok := r.byName[name]
	if !ok {
		return nil, false
	}
	return r.tools[i], true
}

// Specs lists the specifications of all tools, in order.
func (r *Registry) Specs() []Spec { return slices.Clone(r.specs) }

// ModelSpecs are the parts of the specifications that a model gets.
func (r *Registry) ModelSpecs() []model.ToolSpec {
	out := make([]model.ToolSpec, len(r.specs))
	for i, s := range r.specs {
		out[i] = s.ToolSpec
	}
	return out
}

// Names lists the tools, in order.
func (r *Registry) Names() []string {
	out := make([]string, len(r.specs))
	for i, s := range r.specs {
		out[i] = s.Name
	}
	return out
}

// check validates the arguments of a call of the i-th tool.
func (r *Registry) check(i int, arguments json.RawMessage) error {
	return checkArguments(r.schemas[i], arguments)
}
