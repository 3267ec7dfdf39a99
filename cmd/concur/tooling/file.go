package tooling

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool/api"
	"github.com/seed-5817661a/concur/tool/api/catalog"
	"github.com/seed-5817661a/concur/tool/api/spec"
)

// Text returns the text of a tool's file: of a tool that the configuration declares, or of the catalog.
func Text(conf config.Configuration, name string) ([]byte, error) {
	if t, declared := conf.Tools[name]; declared {
		switch text := t.Settings[api.Key].(type) {
		case nil:
			return yaml.Marshal(map[string]any{"tools": map[string]any{name: t.Settings}}) // not a file, but can be copied
		case string:
			return []byte(text), nil
		default:
			return yaml.Marshal(text)
		}
	}
	if text := catalog.Text(name); text != nil {
		return text, nil
	}
	return nil, fmt.Errorf("no file describes a tool %q; known: %s", name, strings.Join(fileTools(conf), ", "))
}

// fileTools lists the tools that are files.
func fileTools(conf config.Configuration) []string {
	names := catalog.Names()
	for name, t := range conf.Tools {
		if _, is := t.Settings[api.Key]; is && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// CatalogWithout lists the tools of the catalog that are not among some names.
func CatalogWithout(names []string) []string {
	return slices.DeleteFunc(catalog.Names(), func(name string) bool { return slices.Contains(names, name) })
}

// Open reads the file of a tool: the file of a path, or of a tool of the catalog.
func Open(path string) (*spec.File, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) && catalog.Has(path) {
		text, err = catalog.Text(path), nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the tool's file: %w", err)
	}
	return spec.Read(path, text)
}

// Needs says in a few words what a tool of a file needs: variables with keys, and settings.
func Needs(f *spec.File) string {
	var keys, needs []string
	optional := len(f.Auth) == 0
	for i := range f.Auth {
		if name := f.Auth[i].Variable(); name != "" {
			keys = append(keys, name)
		} else {
			optional = true
		}
	}
	switch {
	case len(keys) == 0:
		needs = append(needs, "needs no key")
	case optional:
		needs = append(needs, "better with "+strings.Join(keys, " or "))
	default:
		needs = append(needs, "needs "+strings.Join(keys, " or "))
	}
	for _, s := range f.Settings {
		address, isText := s.Default.(string)
		switch {
		case s.Default == nil && !s.Optional:
			needs = append(needs, "and the setting "+s.Name)
		case isText && strings.HasPrefix(address, "http://127.0.0.1:"):
			needs = append(needs, "and a server of yours at the setting "+s.Name+", "+address)
		}
	}
	return strings.Join(needs, " ")
}

// Declared returns the file of a tool, and the user's settings.
func Declared(conf config.Configuration, name string) (*spec.File, map[string]any, error) {
	text, err := Text(conf, name)
	if err != nil {
		return nil, nil, err
	}
	f, err := spec.Read(name, text)
	settings, _ := conf.Tools[name].Settings["settings"].(map[string]any)
	return f, settings, err
}

// Needed returns Needs of a tool in brackets; "" if no file describes the tool.
func Needed(conf config.Configuration, name string) string {
	f, _, err := Declared(conf, name)
	if err != nil {
		return ""
	}
	return " (" + Needs(f) + ")"
}

// Described returns the description of a tool with what it needs; "" if no file describes the tool.
func Described(conf config.Configuration, name string) string {
	f, _, err := Declared(conf, name)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(f.Description) + Needed(conf, name)
}
