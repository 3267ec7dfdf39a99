package baseline_test

import (
	"slices"
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
	now.Configuration.Configuration.Agent.Strategy = "cot"
	if got := pool.Differences(b, now); !slices.Equal(got, []string{"agent.strategy: react, now cot"}) {
		t.Errorf("another strategy: %v", got)
	}
	old := parsed(t, encoded(t, &baseline.Baseline{Runs: b.Runs}))
	if got := pool.Differences(old, first); got != nil {
		t.Errorf("without facts: %v", got)
	}
}
