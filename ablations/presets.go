package ablations

import (
	"embed"
	"strings"
)

//go:embed presets/*.yaml
var presetFiles embed.FS

const presetExtension = ".yaml"

// Presets lists the names of the built-in specs, sorted.
func Presets() []string {
	entries, err := presetFiles.ReadDir("presets") // sorted
	if err != nil {
		return nil // the folder is part of the binary
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), presetExtension))
	}
	return names
}
