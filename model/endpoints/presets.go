package endpoints

import (
	"cmp"
	_ "embed"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/internal/strictyaml"
)

//go:embed presets.yaml
var presetFile []byte

// preset is a row of the table of known endpoints.
type preset struct {
	Name     string   `yaml:"name"`
	Families []string `yaml:"families"`
	Env      []string `yaml:"env"`
	Address  string   `yaml:"address"` // the variable of another address, if it is not NAME_BASE_URL
	Endpoint `yaml:",inline"`
}

// rows returns the rows of the table, which it reads once. The tests of this package find errors in the
// table.
var rows = sync.OnceValue(func() (out []preset) {
	if err := strictyaml.Decode("presets.yaml", presetFile, &out); err != nil {
		panic(err)
	}
	return out
})

// presets returns the known endpoints.
var presets = sync.OnceValue(func() (out []Endpoint) {
	for _, r := range rows() {
		e := r.Endpoint
		e.Name, e.Auth = r.Name, Auth{Env: r.Env, None: r.Env == nil}
		e.AddressEnv = cmp.Or(r.Address, strings.ToUpper(r.Name)+"_BASE_URL")
		out = append(out, e)
	}
	return out
})

// Guess returns the provider whose models have such names; "" if unknown.
func Guess(model string) string {
	model = strings.ToLower(model)
	for _, r := range rows() {
		if slices.ContainsFunc(r.Families, func(family string) bool { return strings.HasPrefix(model, family) }) {
			return r.Name
		}
	}
	return ""
}

// Names returns the names of the presets.
func Names() []string {
	var names []string
	for _, e := range presets() {
		names = append(names, e.Name)
	}
	return names
}

// Lookup returns a copy of the preset with a name, which the caller may change.
func Lookup(name string) (e Endpoint, ok bool) {
	i := slices.IndexFunc(presets(), func(e Endpoint) bool { return e.Name == name })
	if i < 0 {
		return Endpoint{}, false
	}
	e = presets()[i].Over(Endpoint{}) // copies lists and maps
	e.Auth.Env = slices.Clone(e.Auth.Env)
	for i, r := range e.Models {
		e.Models[i].Omit, e.Models[i].ExtraBody = slices.Clone(r.Omit), maps.Clone(r.ExtraBody)
	}
	return e, true
}
