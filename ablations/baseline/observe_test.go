package baseline_test

import (
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/datasets/answer"
)

// observed is the evidence of a third run against two.
func observed(t *testing.T, change func(*baseline.Pass)) gate.Evidence {
	t.Helper()
	d := smallSet()
	b := accepted(t, d, fullPass(1, d, "+++ +++ +++"), fullPass(2, d, "+++ +++ +++"))
	pool := b.Pool("default", 0, 3)
	e := pool.Evidence(1, 0)
	if e.K != 3 {
		t.Errorf("K of the pool is %d", e.K)
	}
	run := fullPass(3, d, "+++ --! +++")
	if change != nil {
		change(&run)
	}
	if err := run.Observe(&e, pool); err != nil {
		t.Fatal(err)
	}
	return e
}

func TestObserveComparesModels(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*baseline.Pass)
		want   string // part of a warning
	}{
		"the same":     {nil, ""},
		"not known":    {func(p *baseline.Pass) { p.Models = nil }, ""},
		"another name": {func(p *baseline.Pass) { p.Models = []string{"reader/v3"} }, "calls itself reader/v3, and that of the pool called itself reader/v2"},
	} {
		e := observed(t, c.change)
		if c.want == "" && len(e.Warnings) > 0 || c.want != "" && (len(e.Warnings) != 1 || !strings.Contains(e.Warnings[0], c.want)) {
			t.Errorf("%s: warnings %q", name, e.Warnings)
		}
	}
}

// A run is never compared with a pool that is graded by other rules.
func TestObserveRefusesOtherRules(t *testing.T) {
	t.Parallel()
	d := smallSet()
	pool := accepted(t, d, fullPass(1, d, "+++ +++ +++")).Pool("default", 0, 3)
	e := pool.Evidence(1, 0)
	for norm, want := range map[string]string{"norm/v2": "under norm/v2, and this concur grades by " + answer.Version, "": "under rules that it does not name"} {
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
