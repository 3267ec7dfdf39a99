package assemble

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool"
)

// Place returns the place of a setting in the user's file, such as concur.yaml:6:15; "" if the configuration does not
// have the setting from there.
type Place func(c config.Configuration, key string) string

// SetPlaces sets a function with which errors of tools name the place of a setting.
func (a *Assembler) SetPlaces(place Place) { a.place = place }

// located adds the place of a setting to an error.
func (a *Assembler) located(c config.Configuration, key string, err error) error {
	if a.place == nil {
		return err
	}
	if place := a.place(c, key); place != "" {
		return fmt.Errorf("%s: %w", place, err)
	}
	return err
}

// withPaths makes the paths in the settings of declared tools absolute, and replaces the names of files whose text
// belongs to the settings by that text, so that a run can be resumed from any folder. The error lists all mistakes, and
// each begins with its key.
func withPaths(c config.Configuration) (config.Configuration, error) {
	out := map[string]config.DeclaredTool{}
	var wrong []error
	for _, name := range slices.Sorted(maps.Keys(c.Tools)) {
		t := c.Tools[name]
		out[name] = t
		kind, err := kindOf(name, t, nil)
		if err != nil {
			continue // CheckTools has reported it
		}
		settings := maps.Clone(t.Settings)
		if err := withTexts(name, kind, settings); err != nil {
			wrong = append(wrong, err)
		}
		for _, key := range kind.Paths {
			if settings[key], err = absolute(kind, settings[key]); err != nil {
				wrong = append(wrong, fmt.Errorf("tools.%s.%s: %w", name, key, err))
			}
		}
		out[name] = config.DeclaredTool{Settings: settings}
	}
	if len(out) > 0 && len(wrong) == 0 {
		c.Tools = out
	}
	return c, errors.Join(wrong...)
}

// absolute makes a path, or each path of a list, absolute. It returns other values unchanged.
func absolute(kind tool.Kind, value any) (any, error) {
	switch v := value.(type) {
	case string:
		if v == "" || datasets.IsBuiltinFolder(v) || kind.NoPath != nil && kind.NoPath(v) {
			return v, nil
		}
		return filepath.Abs(v)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			var err error
			if out[i], err = absolute(kind, v[i]); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	return value, nil
}

// withTexts replaces the names of files in settings by the texts of the files.
func withTexts(name string, kind tool.Kind, settings map[string]any) error {
	for _, key := range slices.Sorted(maps.Keys(kind.Texts)) {
		path, isName := settings[key].(string)
		if !isName || path == "" || strings.Contains(path, "\n") {
			continue
		}
		text, err := kind.Texts[key](path)
		if err != nil {
			return fmt.Errorf("tools.%s.%s: %w", name, key, err)
		}
		settings[key] = text
	}
	return nil
}
