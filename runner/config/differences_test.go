package config_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/consensus"
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
	old := config.New()
	old.Consensus.Quorum = "" // in manifests that are older than the setting
	if got := config.Differences(old, config.New()); len(got) > 0 {
		t.Errorf("a manifest without a quorum differs from the default in %q", got)
	}
	now = config.New()
	now.Consensus.Quorum = consensus.QuorumNone
	if diff := cmp.Diff([]string{"consensus.quorum: majority, now none"}, config.Differences(old, now)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
