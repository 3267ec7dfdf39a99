package store

import "testing"

// A run from before the seal covered the origin of its traces has a seal without a prefix, which
// holds for what it covers.
func TestSealOfAnOlderRun(t *testing.T) {
	m := Manifest{Run: "r1", Seed: 1}
	m.Seal = sealOf(m.Configurations, m.Seed, m.Dataset.Hash, m.Versions)
	if err := m.CheckSeal(); err != nil {
		t.Errorf("an older run: %v", err)
	}
	if m.Seed = 2; m.CheckSeal() == nil {
		t.Error("an older run with another seed passes")
	}
}
