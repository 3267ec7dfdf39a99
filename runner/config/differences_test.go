package config_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/runner/config"
)

func TestDifferences(t *testing.T) {
	made := config.New()
	if got := config.Differences(made, config.New()); len(got) > 0 {
		t.Errorf("equal configurations differ in %q", got)
	}
	now := config.New()
	now.K, now.Agent.Temperature, now.Agent.Tools = 5, 0, []string{"calc"}
	want := []string{"agent.temperature: 0.7, now 0", "agent.tools: [planner web_search calc], now [calc]", "k: 3, now 5"}
	if diff := cmp.Diff(want, config.Differences(made, now)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
