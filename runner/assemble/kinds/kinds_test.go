package kinds

import (
	"errors"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/runner/config"
)

type settings = map[string]any

func TestErrorsOfSettingsNameTheirKeys(t *testing.T) {
	for _, c := range []struct {
		settings settings
		want     []string
	}{
		{settings{"folder": "docs"}, nil},
		{settings{"about": "notes"}, []string{"tools.x: no setting selects the kind of tool; give one of: folder, database, "}},
		{settings{"folder": "docs", "languages": []any{"javascript"}}, []string{"tools.x: folder and languages select different kinds"}},
		{settings{"folder": "docs", "colour": "red", "k": "many"}, []string{"tools.x.colour", "tools.x.k"}},
		{settings{"database": "a.db", "max_rows": -1, "max_bytes": 1}, []string{"tools.x.max_rows", "tools.x.max_bytes"}},
	} {
		_, err := Read("x", config.DeclaredTool{Settings: c.settings}, nil)
		if (err == nil) != (len(c.want) == 0) {
			t.Errorf("%v: %v", c.settings, err)
		}
		for _, want := range c.want {
			if err != nil && !strings.Contains("\n"+err.Error(), "\n"+want) {
				t.Errorf("%v: %v, want %s", c.settings, err, want)
			}
		}
	}
}

// What is built in has no path, and the address of a server is no path.
func TestPathsOfSettings(t *testing.T) {
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		settings         settings
		absolute, copied any
	}{
		{settings{"folder": "docs"}, filepath.Join(here, "docs"), "copy of docs"},
		{settings{"folder": "builtin:kb60"}, "builtin:kb60", "builtin:kb60"},
		{settings{"database": []any{"a.csv", "b.csv"}}, []any{filepath.Join(here, "a.csv"), filepath.Join(here, "b.csv")},
			[]any{"copy of a.csv", "copy of b.csv"}},
		{settings{"database": "postgres://u:word@h/d"}, "postgres://u:word@h/d", "postgres://u:word@h/d"},
		{settings{"database": settings{"env": "DSN"}}, settings{"env": "DSN"}, settings{"env": "DSN"}},
	} {
		declared := config.DeclaredTool{Settings: c.settings}
		kind, err := Of("x", declared, nil)
		if err != nil {
			t.Fatal(err)
		}
		given := c.settings[kind.Key]
		conf, err := Absolute(config.Configuration{Tools: map[string]config.DeclaredTool{"x": declared}})
		if got := conf.Tools["x"].Settings[kind.Key]; err != nil || !reflect.DeepEqual(got, c.absolute) {
			t.Errorf("%v: absolute is %v, %v", given, got, err)
		}
		replaced, err := ReplacePaths("x", declared, func(path string) (string, error) { return "copy of " + path, nil })
		if got := replaced.Settings[kind.Key]; err != nil || !reflect.DeepEqual(got, c.copied) {
			t.Errorf("%v: replaced by %v, %v", given, got, err)
		}
		if !reflect.DeepEqual(c.settings[kind.Key], given) {
			t.Errorf("%v: the given settings have changed", given)
		}
	}
	failed := errors.New("no room")
	_, err = ReplacePaths("x", config.DeclaredTool{Settings: settings{"database": []any{"a.csv"}}},
		func(string) (string, error) { return "", failed })
	if !errors.Is(err, failed) {
		t.Errorf("an error of replace: %v", err)
	}
}
