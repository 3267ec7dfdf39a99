package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/runner/config"
)

// TestMistakesInProvidersAllAtOnce checks that each mistake of each entry is reported on its own line, in the
// order of the names.
func TestMistakesInProvidersAllAtOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "concur.yaml")
	text := "providers:\n  a: {kind: opnai, base_url: nowhere}\n  b: {kind: openai, base_url: nowhere, auth: none, keep: ['x y']}\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := config.Load(file, config.New())
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(f.Locate(f.Configuration, f.Configuration.Validate()).Error(), "\n")
	want := []string{
		`:2:6: providers.a: kind "opnai" is not known`, `:2:6: providers.a: the base URL is not an address`,
		`:2:6: providers.a: auth is missing`, `:3:6: providers.b: the base URL is not an address`,
		`:3:6: providers.b: keep names "x y"`,
	}
	if len(lines) != len(want) {
		t.Fatalf("%d lines, want %d:\n%s", len(lines), len(want), strings.Join(lines, "\n"))
	}
	for i, line := range lines {
		if !strings.Contains(line, want[i]) {
			t.Errorf("line %d is %s, want %s", i, line, want[i])
		}
	}
}
