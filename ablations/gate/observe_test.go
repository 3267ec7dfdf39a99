package gate_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/ablations/gate"
	"github.com/seed-5817661a/concur/datasets/answer"
)

// observed is the evidence of a third run against two.
func observed(t *testing.T, change func(*gate.RunPass)) gate.Evidence {
	t.Helper()
	d := smallSet()
	b := accepted(t, d, fullPass(1, d, "+++ +++ +++"), fullPass(2, d, "+++ +++ +++"))
	e := b.Pool("default", 0).Evidence(1, 0)
	if e.K != 3 {
		t.Errorf("K of the pool is %d", e.K)
	}
	run := fullPass(3, d, "+++ --! +++")
	if change != nil {
		change(&run)
	}
	if err := e.Observe(run, "default"); err != nil {
		t.Fatal(err)
	}
	return e
}

func TestObserveComparesModels(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*gate.RunPass)
		want   string // part of a warning
	}{
		"the same":      {nil, ""},
		"not known":     {func(p *gate.RunPass) { p.Models = nil }, ""},
		"another name":  {func(p *gate.RunPass) { p.Models = []string{"reader/v3"} }, "calls itself reader/v3, and that of the pool called itself reader/v2"},
		"another model": {func(p *gate.RunPass) { p.Manifest.Configurations[0].Model = "openai:other" }, "the run's model is openai:other, and that of the pool offline:reader"},
	} {
		e := observed(t, c.change)
		if c.want == "" && len(e.Warnings) > 0 || c.want != "" && (len(e.Warnings) != 1 || !strings.Contains(e.Warnings[0], c.want)) {
			t.Errorf("%s: warnings %q", name, e.Warnings)
		}
	}
}

// A run is never held against a pool that is graded by other rules.
func TestObserveRefusesOtherRules(t *testing.T) {
	t.Parallel()
	d := smallSet()
	e := accepted(t, d, fullPass(1, d, "+++ +++ +++")).Pool("default", 0).Evidence(1, 0)
	for norm, want := range map[string]string{"norm/v2": "under norm/v2, and this concur grades by " + answer.Version, "": "under rules that it does not name"} {
		run := fullPass(3, d, "+++ --! +++")
		run.Manifest.Versions = map[string]string{"norm": norm}
		if err := e.Observe(run, "default"); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "run again") {
			t.Errorf("a run under %q: %v, want %q", norm, err, want)
		}
	}
	if e.Consensus.Queries != 0 || e.Items[1].Current != (gate.Traces{}) {
		t.Errorf("a run that was refused is evidence: %+v", e)
	}
}

func TestFreshTracesAreEvidence(t *testing.T) {
	t.Parallel()
	d := smallSet()
	e := observed(t, nil)
	if e.RunFolder.Name != runNameOf(3) || !slices.Equal(e.RunModels, []string{"reader/v2"}) {
		t.Errorf("folder %+v, models %v", e.RunFolder, e.RunModels)
	}
	more, lossless := fullPass(4, d, "+++++++ +++++! ++++++!"), fullPass(5, d, "+ + +")
	more.Manifest.Run, more.Manifest.Ablation = "r-confirm", "a.yaml"
	asked := gate.Need{Confirm: []gate.Ask{{Query: "hop-01", Traces: 6}}, Safety: []gate.Ask{{Query: "safety-01", Traces: 7}}}
	e.Confirm(asked, more, lossless)
	if *e.Items[1].Fresh != (gate.Traces{Right: 6}) || *e.Items[2].Fresh != (gate.Traces{Right: 7}) || e.Items[0].Fresh != nil {
		t.Errorf("fresh traces %+v, and of what was not asked for %+v", e.Items[1].Fresh, e.Items[0].Fresh)
	}
	if !slices.Equal(e.FreshFolders, []gate.Folder{{Name: "r-confirm", Ablation: true}}) {
		t.Errorf("folders %+v", e.FreshFolders)
	}
	if out := gate.Decide(e, gate.Options{}); strings.Contains(strings.Join(out.Reasons, " "), "models") {
		t.Errorf("one model throughout, and %q", out.Reasons)
	}
	again := fullPass(6, d, "+++ +++ +++")
	again.Models = []string{"reader/v9"}
	e.Replicate(again)
	out := gate.Decide(e, gate.Options{})
	if out.Decision != gate.Invalid || !strings.Contains(strings.Join(out.Reasons, " "), "reader/v2 in the run; reader/v2 in the fresh traces; reader/v9 in the second pass") {
		t.Errorf("%s: %q", out.Decision, out.Reasons)
	}
	lossless.Models = []string{"reader/v8"}
	e = observed(t, nil)
	e.Confirm(asked, lossless)
	if out := gate.Decide(e, gate.Options{}); out.Decision != gate.Invalid {
		t.Errorf("another model in the fresh traces: %s", out.Decision)
	}
}
