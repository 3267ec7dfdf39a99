package kinds

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/tool/api"
	"github.com/seed-5817661a/concur/tool/code"
	"github.com/seed-5817661a/concur/tool/kb"
	"github.com/seed-5817661a/concur/tool/sql"
)

// listAll lists the kinds of tools that concur.yaml can declare. services is what tools of APIs share; nil if no tool
// is opened.
func listAll(services *api.Run) []tool.Kind {
	return []tool.Kind{kb.Kind, sql.Kind, code.Kind, api.Kind(services)}
}

// Of returns the kind of a declared tool. An error begins with the key that is wrong.
func Of(name string, t config.DeclaredTool, services *api.Run) (tool.Kind, error) {
	var keys, chosen []string
	var kind tool.Kind
	for _, k := range listAll(services) {
		keys = append(keys, k.Key)
		if _, given := t.Settings[k.Key]; given {
			kind, chosen = k, append(chosen, k.Key)
		}
	}
	switch len(chosen) {
	case 0:
		return kind, fmt.Errorf("tools.%s: no setting selects the kind of tool; give one of: %s", name,
			strings.Join(keys, ", "))
	case 1:
		return kind, nil
	}
	return kind, fmt.Errorf("tools.%s: %s select different kinds of tools: give one of them", name,
		strings.Join(chosen, " and "))
}

// Read reads the settings of a declared tool. The error lists all mistakes, and each begins with its
// key.
func Read(name string, t config.DeclaredTool, services *api.Run) (tool.Declared, error) {
	kind, err := Of(name, t, services)
	if err != nil {
		return nil, err
	}
	return ReadAs(kind.Read, name, name, t)
}

// ReadAs reads the settings under tools.NAME with a reader, which gets the name of the tool.
func ReadAs(read tool.Reader, toolName, name string, t config.DeclaredTool) (tool.Declared, error) {
	var settings yaml.Node
	if err := settings.Encode(t.Settings); err != nil {
		return nil, fmt.Errorf("tools.%s: encode settings: %w", name, err)
	}
	key := "tools." + name
	var wrong []error
	declared, err := read(toolName, func(into any) error {
		for _, e := range strictyaml.DecodeAt("", key, &settings, into) {
			wrong = append(wrong, fmt.Errorf("%s: %s", e.Path, e.Message))
		}
		return errors.Join(wrong...)
	})
	if len(wrong) > 0 {
		return nil, errors.Join(wrong...)
	}
	return declared, withKey(key, err)
}

// withKey adds a key before each of the joined errors.
func withKey(key string, err error) error {
	joined, several := err.(interface{ Unwrap() []error })
	if !several {
		return err
	}
	var out []error
	for _, e := range joined.Unwrap() {
		out = append(out, fmt.Errorf("%s.%w", key, e))
	}
	return errors.Join(out...)
}

// Names lists the names of all tools that a configuration declares.
func Names(c config.Configuration) []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(c.Tools)) {
		names = append(names, name)
		if kind, err := Of(name, c.Tools[name], nil); err == nil {
			for _, suffix := range slices.Sorted(maps.Keys(kind.Second)) {
				names = append(names, name+suffix)
			}
		}
	}
	return names
}
