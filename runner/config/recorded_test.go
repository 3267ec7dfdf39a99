package config_test

import (
	_ "embed"
	"os"
	"path/filepath"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/runner/config"
)

//go:embed testdata/recorded.yaml
var recordedHashes []byte

// TestRecordedAgentHashes checks recorded hashes. Old runs are resumed and compared by the hashes of their
// agents, so a hash must never change for a configuration that was valid before. If a new key is not set, the
// hash must not include it.
func TestRecordedAgentHashes(t *testing.T) {
	var recorded []struct{ Name, Config, Hash string }
	if err := yaml.Unmarshal(recordedHashes, &recorded); err != nil {
		t.Fatal(err)
	}
	if len(recorded) < 20 {
		t.Fatalf("%d hashes are recorded, want 20 or more", len(recorded))
	}
	seen := map[string]string{}
	for _, r := range recorded {
		t.Run(r.Name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "concur.yaml")
			if err := os.WriteFile(file, []byte(r.Config), 0o600); err != nil {
				t.Fatal(err)
			}
			f, err := config.Load(file, config.New())
			if err != nil {
				t.Fatal(err)
			}
			c := f.Configuration.Completed()
			if err := c.Validate(); err != nil {
				t.Fatal(err)
			}
			got, err := c.AgentHash(map[string]string{"model": "a model", "norm": "norm/v6", "prompt": "react/v2", "tool calc": "calc/v1"})
			if err != nil {
				t.Fatal(err)
			}
			if got != r.Hash {
				t.Errorf("the hash is %s, and was %s when it was recorded", got, r.Hash)
			}
			if other := seen[got]; other != "" {
				t.Errorf("%s has the same hash", other)
			}
			seen[got] = r.Name
		})
	}
}
