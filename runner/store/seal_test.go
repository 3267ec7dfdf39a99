package store

import "testing"

// In older versions the seal did not cover the origin of traces, and had no prefix. Such a seal is still
// checked for the fields that it covers.
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
