package tool

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/schema"
	"github.com/seed-5817661a/concur/model"
)

// nameForm is the form of function names that all providers accept.
var nameForm = lazy.Compile(`^[A-Za-z_][A-Za-z0-9_-]{0,63}$`)

// Registry is the set of an agent's tools, in the order in which models see them. It does not change after
// New.
type Registry struct{ entries []entry }

type entry struct {
	tool   Tool
	spec   Spec // its schema is on one line, because white space costs tokens
	schema *schema.Schema
}

// New validates the tools: name, description, and a schema of parameters of type object. If a schema does not
// say whether unknown arguments are allowed, the registry forbids them.
func New(tools ...Tool) (*Registry, error) {
	r := &Registry{}
	for _, t := range tools {
		e := entry{tool: t, spec: t.Spec()}
		name := e.spec.Name
		if !nameForm.MatchString(name) {
			return nil, fmt.Errorf("register tool %q: a name has 1 to 64 letters, digits, _ or -, and begins with a "+
				"letter or _", name)
		}
		if r.index(name) >= 0 {
			return nil, fmt.Errorf("register tool %s: two tools have this name", name)
		}
		if err := e.prepare(); err != nil {
			return nil, fmt.Errorf("register tool %s: %w", name, err)
		}
		r.entries = append(r.entries, e)
	}
	return r, nil
}

// prepare checks and completes the spec of a tool.
func (e *entry) prepare() (err error) {
	if strings.TrimSpace(e.spec.Description) == "" {
		return errors.New("it has no description: write one for the models")
	}
	if e.spec.Parameters, e.schema, err = readSchema(e.spec.Parameters); err != nil {
		return err
	}
	line, err := json.Marshal(e.spec.ToolSpec)
	e.spec.Line = string(line)
	return err
}

// Lookup finds a tool by name.
func (r *Registry) Lookup(name string) (Tool, bool) {
	i := r.index(name)
	if i < 0 {
		return nil, false
	}
	return r.entries[i].tool, true
}

func (r *Registry) index(name string) int {
	return slices.IndexFunc(r.entries, func(e entry) bool { return e.spec.Name == name })
}

// Specs returns the specifications of all tools, in order.
func (r *Registry) Specs() []Spec { return mapEntries(r, func(e entry) Spec { return e.spec }) }

// ModelSpecs returns the parts of the specifications that models get.
func (r *Registry) ModelSpecs() []model.ToolSpec {
	return mapEntries(r, func(e entry) model.ToolSpec { return e.spec.ToolSpec })
}

func mapEntries[T any](r *Registry, of func(entry) T) []T {
	out := make([]T, len(r.entries))
	for i, e := range r.entries {
		out[i] = of(e)
	}
	return out
}
