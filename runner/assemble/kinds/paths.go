package kinds

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

// Absolute makes the paths in the settings of declared tools absolute, and replaces the names of files whose text
// belongs to the settings by that text, so that a run can be resumed from any folder. The error lists all mistakes, and
// each begins with its key.
func Absolute(c config.Configuration) (config.Configuration, error) {
	out := map[string]config.DeclaredTool{}
	var wrong []error
	for _, name := range slices.Sorted(maps.Keys(c.Tools)) {
		t := c.Tools[name]
		out[name] = t
		kind, err := Of(name, t, nil)
		if err != nil {
			continue // the check of the tools has reported it
		}
		settings := maps.Clone(t.Settings)
		if err := insertTexts(name, kind, settings); err != nil {
			wrong = append(wrong, err)
		}
		for _, key := range kind.Paths {
			if settings[key], err = replacePath(kind, settings[key], filepath.Abs); err != nil {
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

// ReplacePaths returns a declared tool with the results of replace in the place of the paths in its settings. It leaves
// out what is built in.
func ReplacePaths(name string, t config.DeclaredTool, replace func(path string) (string, error)) (
	config.DeclaredTool, error) {
	kind, err := Of(name, t, nil)
	if err != nil {
		return t, err
	}
	settings := maps.Clone(t.Settings)
	for _, key := range kind.Paths {
		if settings[key], err = replacePath(kind, settings[key], replace); err != nil {
			return t, err
		}
	}
	return config.DeclaredTool{Settings: settings}, nil
}

// replacePath replaces a path, or each path of a list. It returns other values unchanged.
func replacePath(kind tool.Kind, value any, replace func(path string) (string, error)) (any, error) {
	switch v := value.(type) {
	case string:
		if v == "" || datasets.IsBuiltinFolder(v) || kind.NoPath != nil && kind.NoPath(v) {
			return v, nil
		}
		return replace(v)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			var err error
			if out[i], err = replacePath(kind, v[i], replace); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	return value, nil
}

// insertTexts replaces the names of files in settings by the texts of the files.
func insertTexts(name string, kind tool.Kind, settings map[string]any) error {
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
