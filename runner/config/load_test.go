package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/runner/config"
)

// A finding names the line on which the file set the value, but only if a flag has not set another value.
func TestLocate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "concur.yaml")
	if err := os.WriteFile(path, []byte("k: 300000\nagent:\n  temperature: 7\npass: quallity\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := config.Load(path, config.New())
	if err != nil {
		t.Fatal(err)
	}
	c := f.Configuration
	c.Agent.Temperature = 5 // as if set by a flag
	want := []string{
		path + ":1:4: k is 300000: give 1 to 10000 traces per query",
		path + `:4:7: pass "quallity" is not known: gold, correctness, quality, both, gold+tools`,
		"configuration: agent.temperature is 5: it must be between 0 and 2",
	}
	if diff := cmp.Diff(want, strings.Split(f.Locate(c, c.Validate()).Error(), "\n")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// The messages for common mistakes in a file say how to correct them.
func TestLoadExplains(t *testing.T) {
	for text, want := range map[string]string{
		"api_key: sk-x\n":                    ":1:1: api_key: keys are never read from a file; set the variable of the environment, such as OPENAI_API_KEY",
		"agents:\n  exec: [python3, x.py]\n": ":2:9: agents.exec: expected a mapping (name: value), found a list; agents has the agents that the agent calls; write agent: for the agent itself",
		"agent: python3 x.py\n":              `:1:8: agent: expected a mapping (name: value), found the text "python3 x.py"; a command is {exec: [python3, x.py]}`,
		"agents:\n  a: [x]\n":                ":2:6: agents.a: expected a mapping (name: value), found a list",
	} {
		path := filepath.Join(t.TempDir(), "concur.yaml")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := config.Load(path, config.New()); err == nil || err.Error() != path+want {
			t.Errorf("%q:\n got %v\nwant FILE%s", text, err, want)
		}
	}
}

// The place of a setting is known as long as the configuration has the value that was made of the file.
func TestPlace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "concur.yaml")
	if err := os.WriteFile(path, []byte("k: 3\ntools:\n  w:\n    about: x\n    database: shop.db\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := config.Load(path, config.New())
	if err != nil {
		t.Fatal(err)
	}
	made, other := f.Configuration, f.Configuration
	made.Tools = map[string]config.DeclaredTool{"w": {Settings: map[string]any{"about": "x", "database": "/data/shop.db"}}}
	for _, c := range []struct {
		now  config.Configuration
		key  string
		want string
	}{
		{made, "tools.w.database", path + ":5:15"}, {made, "k", path + ":1:4"}, {made, "seed", ""},
		{other, "tools.w.database", ""}, {other, "tools.w.about", path + ":4:12"},
	} {
		if got := f.Place(made, c.now, c.key); got != c.want {
			t.Errorf("%s: %q, want %q", c.key, got, c.want)
		}
	}
	if got := (config.File{}).Place(made, made, "k"); got != "" {
		t.Errorf("without a file: %q", got)
	}
}
