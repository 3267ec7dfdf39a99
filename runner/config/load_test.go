package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/runner/config"
)

// A finding names the place in the file where the file set the value, and not where a flag
// has set another one.
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
	c.Agent.Temperature = 5 // as by a flag
	want := []string{
		path + ":1:4: k is 300000: give 1 to 10000 traces per query",
		path + `:4:7: pass "quallity" is not known: gold, correctness, quality, both, gold+tools`,
		"configuration: agent.temperature is 5: it must be between 0 and 2",
	}
	if diff := cmp.Diff(want, strings.Split(f.Locate(c, c.Validate()).Error(), "\n")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
