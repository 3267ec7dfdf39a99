package config

import "github.com/seed-5817661a/concur/internal/strictyaml"

// File is what a concur.yaml says: a configuration, and the dataset that commands take
// where none is named.
type File struct {
	Dataset       string `yaml:"dataset"` // a built-in name or a file, from the folder of the concur.yaml; "" names none
	Configuration `yaml:",inline"`
}

// Load reads a concur.yaml over base: keys that the file does not give keep their value.
// Errors name file and line, all at once.
func Load(path string, base Configuration) (File, error) {
	f := File{Configuration: base}
	err := strictyaml.DecodeFile(path, &f)
	return f, err
}
