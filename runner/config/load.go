package config

import "github.com/seed-5817661a/concur/internal/strictyaml"

// File is the content of a concur.yaml: a configuration, and the default dataset of
// commands.
type File struct {
	Dataset       string `yaml:"dataset"` // a built-in name, or a file relative to the concur.yaml; may be ""
	Configuration `yaml:",inline"`
}

// Load reads a concur.yaml over base: keys that the file does not give keep their value.
// All errors are reported at once, with file and line.
func Load(path string, base Configuration) (File, error) {
	f := File{Configuration: base}
	err := strictyaml.DecodeFile(path, &f)
	return f, err
}
