package endpoints

import (
	_ "embed"
	"strings"

	"github.com/seed-5817661a/concur/internal/strictyaml"
)

//go:embed presets.yaml
var presetFile []byte

// presets reads the table of known endpoints; the caller may change what it gets. A mistake in
// the table is a mistake of the build, which tests find.
func presets() []Endpoint {
	var rows []struct {
		Name     string   `yaml:"name"`
		Env      []string `yaml:"env"`
		Endpoint `yaml:",inline"`
	}
	if err := strictyaml.Decode("presets.yaml", presetFile, &rows); err != nil {
		panic(err)
	}
	var out []Endpoint
	for _, r := range rows {
		e := r.Endpoint
		e.Name, e.AddressEnv, e.Auth = r.Name, strings.ToUpper(r.Name)+"_BASE_URL", Auth{Env: r.Env, None: r.Env == nil}
		out = append(out, e)
	}
	return out
}

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
	for _, e := range presets() {
		if e.Name == name {
			return e, true
		}
	}
	return Endpoint{}, false
}
