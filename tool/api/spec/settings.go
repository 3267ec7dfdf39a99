package spec

import (
	"fmt"
	"maps"
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/internal/lazy"
	"github.com/seed-5817661a/concur/internal/strictyaml"
)

// identifier matches names that jq can use after a dot.
var identifier = lazy.Compile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// Settings are the settings of a file, each with its default.
type Settings []Setting

// Setting is one setting.
type Setting struct {
	Name    string
	Default any // nil if the file gives no value
	// Optional means that the user need not set it: everywhere it is used it is a whole value, which is left out then.
	Optional bool

	at strictyaml.Pos
}

// UnmarshalNode reads the defaults by name.
func (s *Settings) UnmarshalNode(n *yaml.Node) error {
	defaults := map[string]any{}
	if err := strictyaml.DecodeNode(n, &defaults); err != nil {
		return err
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if !identifier.MatchString(key.Value) {
			return strictyaml.Errorf(key, "%q is no name of a setting: use letters, digits and _", key.Value)
		}
		*s = append(*s, Setting{Name: key.Value, Default: defaults[key.Value],
			at: strictyaml.Pos{Line: key.Line, Column: key.Column}})
	}
	return nil
}

// With returns all settings with the user's values. The errors name each wrong setting.
func (s Settings) With(given map[string]any) (out map[string]any, wrong []error) {
	out = make(map[string]any, len(s))
	var names []string
	for _, one := range s {
		names = append(names, one.Name)
		value, is := given[one.Name]
		switch {
		case !is && one.Default == nil && !one.Optional:
			wrong = append(wrong, fmt.Errorf("settings.%s: the tool needs a value: set it", one.Name))
		case !is:
			value = one.Default
		case one.Default != nil && typeOf(value) != typeOf(one.Default):
			wrong = append(wrong, fmt.Errorf("settings.%s: expected %s, found %s", one.Name, typeOf(one.Default),
				typeOf(value)))
		}
		out[one.Name] = value
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !slices.Contains(names, name) {
			wrong = append(wrong, fmt.Errorf("settings.%s: the tool has no such setting (%s)", name,
				strictyaml.Suggest(name, names)))
		}
	}
	return out, wrong
}

func typeOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "true or false"
	case int, float64:
		return "a number"
	case string:
		return "a text"
	case []any:
		return "a list"
	}
	return "a mapping"
}
