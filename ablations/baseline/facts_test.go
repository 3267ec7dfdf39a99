package baseline_test

import (
	"slices"
	"testing"
)

// A run is compared with the last accepted one, also once the file was read back.
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
	first.Models = []string{"reader/v3"}
	if got := pool.Differences(b, first); !slices.Equal(got, []string{"the provider's name of the model: reader/v2, now reader/v3"}) {
		t.Errorf("another name of the model: %v", got)
	}
}
