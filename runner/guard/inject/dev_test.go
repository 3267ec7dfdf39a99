package inject_test

import (
	"slices"
	"testing"

	"github.com/seed-5817661a/concur/runner/guard/inject"
	"github.com/seed-5817661a/concur/runner/guard/inject/attack"
)

// TestDevelopmentSet measures recall on attacks by kind and by family, and holds false
// positives on benign texts, many of them full of trigger words: none as queries, at most
// 1 % as a tool's output.
func TestDevelopmentSet(t *testing.T) {
	examples := developmentSet(t)
	for source, name := range map[inject.Source]string{inject.Query: "query", inject.ToolOutput: "tool output"} {
		attacks, byFamily, benign := tally{}, tally{}, tally{}
		falsePositives, honest := 0, 0
		for _, e := range examples {
			finding := inject.Scan(e.Text, source)
			if e.Label == 0 {
				benign.add(e.Kind, finding.Flagged)
				benign.add("all", finding.Flagged)
				honest++
				if finding.Flagged {
					falsePositives++
					t.Logf("false positive: %v in %.100q", finding.Hits, e.Text)
				}
				continue
			}
			attacks.add(e.Kind, finding.Flagged)
			hit := map[string]bool{}
			for _, h := range finding.Hits {
				hit[h.Family] = true
			}
			for _, family := range familyNames() {
				byFamily.add(family, hit[family])
			}
		}
		benign.log(t, name+", benign")
		attacks.log(t, name+", attack by kind")
		byFamily.log(t, name+", attack by family")
		limit := 0
		if source == inject.ToolOutput {
			limit = honest / 100
		}
		if honest == 0 || falsePositives > limit {
			t.Errorf("%s: %d of %d benign texts flagged, want at most %d", name, falsePositives, honest, limit)
		}
	}
}

func familyNames() []string {
	return []string{"override", "reveal", "roleplay", "tokens", "toolcall", "conceal", "exfil", "multi", "judge", "metadata", "react"}
}

// TestRealObservations holds false positives on what tools returned in recorded runs.
func TestRealObservations(t *testing.T) {
	flagged, changed := tally{}, tally{}
	for _, o := range observations(t) {
		finding := inject.Scan(o, inject.ToolOutput)
		flagged.add("observations", finding.Flagged)
		_, changes := inject.Sanitise(o)
		changed.add("observations", len(changes) > 0)
		if finding.Flagged {
			t.Logf("false positive: %v in %.200q", finding.Hits, o)
		}
		if len(changes) > 0 {
			t.Logf("changed: %+v", changes)
		}
	}
	flagged.log(t, "flagged")
	changed.log(t, "changed by Sanitise")
	if c := flagged["observations"]; c[0]*100 > c[1] {
		t.Errorf("%d of %d flagged, want at most 1 %%", c[0], c[1])
	}
}

// TestAttackCases measures what the scan sees of the attacks by effect. The cases are
// ours, so this is no estimate of recall. An order that borrows no structure and sets
// nothing aside is not to be told from a sentence of the page; the others must be seen.
func TestAttackCases(t *testing.T) {
	const page = "The Nile flows north through eleven countries. It is 6,650 km long and ends in Egypt."
	bare := []string{"update", "polite", "image", "error", "correction", "authority", "forged-citation"}
	byEffect, byObfuscation := tally{}, tally{}
	for _, c := range attack.Cases() {
		finding := inject.Scan(attack.Inject(page, c), inject.ToolOutput)
		byEffect.add(string(c.Effect), finding.Flagged)
		byObfuscation.add(string(c.Obfuscation), finding.Flagged)
		if c.Obfuscation == attack.Clear && !finding.Flagged && !slices.Contains(bare, c.ID) {
			t.Errorf("missed: %s: %+v", c.ID, finding)
		}
	}
	byEffect.log(t, "seen by effect")
	byObfuscation.log(t, "seen by obfuscation")
}
