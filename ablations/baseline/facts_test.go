package baseline_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/ablations/baseline"
)

// A run is compared with the last accepted one, also once the file was read back; of a run
// from before its facts were kept, nothing is known.
func TestPoolDifferences(t *testing.T) {
	d := smallSet()
	first, second := fullPass(1, d, "+++ +++ +++"), fullPass(2, d, "+++ +++ +++")
	b := parsed(t, encoded(t, accepted(t, d, first, second)))
	pool := b.Pool("default", 0, 3)
	now := fullPass(3, d, "+++ +++ +++")
	if got := pool.Differences(b, now); got != nil {
		t.Errorf("the same: %v", got)
	}
	if err := pool.SameReader(b, now); err != nil {
		t.Errorf("rules as before: %v", err)
	}
	now.Configuration.Configuration.Extract = "model"
	if err := pool.SameReader(b, now); err == nil || !strings.Contains(err.Error(), "extract: model, those of the accepted runs with extract: rules: run again with --extract rules") {
		t.Errorf("a model in place of rules: %v", err)
	}
	now.Configuration.Configuration.Extract = ""
	now.Configuration.Configuration.Agent.Strategy = "cot"
	if got := pool.Differences(b, now); !slices.Equal(got, []string{"agent.strategy: react, now cot"}) {
		t.Errorf("another strategy: %v", got)
	}
	old := parsed(t, encoded(t, &baseline.Baseline{Runs: b.Runs}))
	if got := pool.Differences(old, now); got != nil {
		t.Errorf("without facts: %v", got)
	}
	renamed := []string{"the provider's name of the model: reader/v2, now reader/v3"}
	first.Models = []string{"reader/v3"}
	for name, of := range map[string]*baseline.Baseline{"known": b, "without facts": old} {
		if got := pool.Differences(of, first); !slices.Equal(got, renamed) {
			t.Errorf("another name of the model, facts %s: %v", name, got)
		}
	}
}
