package datasets

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// Load reads a dataset from a YAML file (.yaml or .yml, at most 64 MiB). Its name
// is that of the file without the extension.
//
// The hash is over the content and independent of formatting, comments and the
// order of keys and queries: the SHA-256 of the line
// {"schema":"concur/dataset/v1"} and of one line of JSON per query, all fields
// present, sorted by id.
//
// The error lists everything that is wrong with the file, one
// "file:line:column: path: message" per line.
func Load(path string) (*Dataset, error) {
	extension := filepath.Ext(path)
	if !slices.Contains([]string{".yaml", ".yml"}, extension) {
		return nil, fmt.Errorf("load dataset %s: the extension is %q; datasets are read from .yaml and .yml files", path, extension)
	}
	data, err := strictyaml.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("load dataset: %w", err)
	}
	return parse(path, strings.TrimSuffix(filepath.Base(path), extension), data)
}

// parse reads a dataset from the content of a file.
func parse(file, name string, data []byte) (*Dataset, error) {
	var entries []entry
	var found strictyaml.Errors
	if err := strictyaml.Decode(file, data, &entries); err != nil && !errors.As(err, &found) {
		return nil, fmt.Errorf("load dataset %s: %w", file, err)
	}
	c := newChecker(file, found)
	if len(entries) == 0 && len(found) == 0 {
		c.fail(strictyaml.Pos{}, "", "the list is empty; a dataset needs at least one query")
	}
	queries := make([]Query, len(entries))
	for i := range entries {
		queries[i] = c.query(fmt.Sprintf("[%d]", i), &entries[i])
	}
	if err := c.errs.Err(); err != nil {
		return nil, err
	}
	return &Dataset{Name: name, Queries: queries, Hash: hashQueries(queries)}, nil
}
