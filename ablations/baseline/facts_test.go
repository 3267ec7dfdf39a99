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
	if got, known := pool.Differences(b, now); !known || got != nil {
		t.Errorf("the same: %v, %v", got, known)
	}
	now.Configuration.Configuration.Agent.Strategy = "cot"
	if got, known := pool.Differences(b, now); !known || !slices.Equal(got, []string{"agent.strategy: react, now cot"}) {
		t.Errorf("another strategy: %v, %v", got, known)
	}
	old := parsed(t, encoded(t, &baseline.Baseline{Runs: b.Runs}))
	if got, known := pool.Differences(old, first); known || got != nil {
		t.Errorf("without facts: %v, %v", got, known)
	}
}
