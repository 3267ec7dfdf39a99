package ablations

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/seed-5817661a/concur/internal/strictyaml"
)

//go:embed presets/*.yaml
var presetFiles embed.FS

const presetExtension = ".yaml"

// Presets lists the names of the built-in specs, sorted.
func Presets() (names []string) {
	entries, _ := presetFiles.ReadDir("presets") // a part of the binary, sorted
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), presetExtension))
	}
	return names
}

// Read opens a preset by its name, or a spec file. A preset takes precedence over a file of
// the same name, which can be given as ./name.
//
// All errors of the spec itself are reported at once, with file and line; Rows reports
// those that depend on the base configuration.
func Read(name string) (*Spec, error) {
	if data, err := presetFiles.ReadFile("presets/" + name + presetExtension); err == nil {
		return parse("preset "+name, name, data)
	}
	data, err := strictyaml.ReadFile(name)
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
	return parse(name, strings.TrimSuffix(base, filepath.Ext(base)), data)
}
