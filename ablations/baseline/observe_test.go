package baseline_test

import (
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/datasets/answer"
)

// A run is never compared with a pool that is graded by other rules.
func TestObserveRefusesOtherRules(t *testing.T) {
	t.Parallel()
	d := smallSet()
	pool := accepted(t, d, fullPass(1, d, "+++ +++ +++")).Pool("default", 0, 3)
	e := pool.Evidence(1, 0)
	for norm, want := range map[string]string{"norm/v2": "under norm/v2, but this concur grades by " + answer.Version, "": "under unknown rules"} {
		run := fullPass(3, d, "+++ --! +++")
		run.Manifest.Versions = map[string]string{"norm": norm}
		if err := run.Observe(&e, pool); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "run again") {
			t.Errorf("a run under %q: %v, want %q", norm, err, want)
		}
	}
	if e.Consensus.Queries != 0 || e.Items[1].Current != (gate.Traces{}) {
		t.Errorf("a run that was refused is evidence: %+v", e)
	}
}
