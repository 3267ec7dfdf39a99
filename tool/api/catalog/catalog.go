package catalog

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"
)

//go:embed *.yaml
var files embed.FS

const extension = ".yaml"

// Names returns the names of all tools of the catalog in alphabetical order.
func Names() []string { return slices.Clone(names()) }

var names = sync.OnceValue(func() []string {
	entries, err := files.ReadDir(".")
	if err != nil { // cannot happen: the folder is embedded
		panic(fmt.Sprintf("read the catalog: %v", err))
	}
	var out []string
	for _, e := range entries {
		out = append(out, strings.TrimSuffix(e.Name(), extension))
	}
	return out
})

// Has reports whether the catalog has a tool of this name.
func Has(name string) bool { return slices.Contains(names(), name) }

// Text returns the YAML file of a tool; nil if the catalog has none of this name.
func Text(name string) []byte {
	if !Has(name) {
		return nil
	}
	text, err := files.ReadFile(path.Clean(name + extension))
	if err != nil { // cannot happen: the name is that of an embedded file
		panic(fmt.Sprintf("read the catalog: %v", err))
	}
	return text
}
