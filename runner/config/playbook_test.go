package config

import (
	"strings"
	"testing"
)

// TestPlaybookStageAndCategory: the settings have hashes of their own, and their defaults do not change the hash.
func TestPlaybookStageAndCategory(t *testing.T) {
	hash := func(change func(*Playbook)) string {
		t.Helper()
		c := New()
		c.Agent.Playbook = Playbook{File: "p.yaml"}
		change(&c.Agent.Playbook)
		h, err := c.Completed().AgentHash(map[string]string{"playbook": "x"})
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	plain := hash(func(*Playbook) {})
	if got := hash(func(b *Playbook) { b.Stage = PlaybookShown }); got != plain {
		t.Errorf("stage: shown has the hash %s, want %s", got, plain)
	}
	drafts, category := hash(func(b *Playbook) { b.Stage = PlaybookDraft }), hash(func(b *Playbook) { b.SameCategory = true })
	if drafts == plain || category == plain || drafts == category {
		t.Errorf("equal hashes: %s, %s, %s", plain, drafts, category)
	}
	c := New()
	c.Agent.Playbook = Playbook{File: "p.yaml", Stage: "prod"}
	if err := c.Validate(); err == nil || !strings.Contains(err.Error(), `agent.playbook.stage "prod" is not known: draft, shown`) {
		t.Errorf("stage: prod: %v", err)
	}
}
