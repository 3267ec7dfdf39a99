package config

import "github.com/seed-5817661a/concur/internal/strictyaml"

// Load reads a concur.yaml over base: keys that the file does not give keep their value.
// Errors name file and line, all at once.
func Load(path string, base Configuration) (Configuration, error) {
	err := strictyaml.DecodeFile(path, &base)
	return base, err
}
