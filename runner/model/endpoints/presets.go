package endpoints

import (
	_ "embed"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/seed-5817661a/concur/internal/strictyaml"
)

//go:embed presets.yaml
var presetFile []byte

// presets is the table of known endpoints, read once. A mistake in it is a mistake of the build, which tests find.
var presets = sync.OnceValue(func() (out []Endpoint) {
	var rows []struct {
		Name     string   `yaml:"name"`
		Env      []string `yaml:"env"`
		Endpoint `yaml:",inline"`
	}
	if err := strictyaml.Decode("presets.yaml", presetFile, &rows); err != nil {
		panic(err)
	}
	for _, r := range rows {
		e := r.Endpoint
		e.Name, e.AddressEnv, e.Auth = r.Name, strings.ToUpper(r.Name)+"_BASE_URL", Auth{Env: r.Env, None: r.Env == nil}
		out = append(out, e)
	}
	return out
})

// Names lists the presets.
func Names() []string {
	var names []string
	for _, e := range presets() {
		names = append(names, e.Name)
	}
	return names
}

// Lookup finds a preset. The caller may change what it gets.
func Lookup(name string) (e Endpoint, ok bool) {
	i := slices.IndexFunc(presets(), func(e Endpoint) bool { return e.Name == name })
	if i < 0 {
		return Endpoint{}, false
	}
	e = presets()[i].Over(Endpoint{}) // which copies lists and maps
	e.Auth.Env = slices.Clone(e.Auth.Env)
	for i, r := range e.Models {
		e.Models[i].Omit, e.Models[i].ExtraBody = slices.Clone(r.Omit), maps.Clone(r.ExtraBody)
	}
	return e, true
}
