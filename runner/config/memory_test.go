package config

import (
	"strings"
	"testing"
)

func TestMemoryLeavesOtherHashes(t *testing.T) {
	hash := func(change func(*Configuration)) string {
		c := New()
		change(&c)
		h, err := c.AgentHash(map[string]string{})
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	plain := hash(func(*Configuration) {})
	same := map[string]func(*Configuration){
		"off":               func(c *Configuration) { c.Memory = Memory{Mode: MemoryOff, File: "x", K: 5, Embeddings: "a:b"} },
		"no summaries":      func(c *Configuration) { c.Memory = Memory{Summaries: "off", Budget: 7} },
		"an external agent": func(c *Configuration) { c.Agent.External.Exec = []string{"x"}; c.Memory.Mode = MemoryAll },
	}
	for name, change := range same {
		want := plain
		if name == "an external agent" {
			want = hash(func(c *Configuration) { c.Agent.External.Exec = []string{"x"} })
		}
		if got := hash(change); got != want {
			t.Errorf("%s: the hash changes", name)
		}
	}
	retrieve := hash(func(c *Configuration) { c.Memory.Mode = MemoryRetrieve })
	if got := hash(func(c *Configuration) {
		c.Memory = Memory{Mode: MemoryRetrieve, K: DefaultMemories, File: "/elsewhere"}
	}); got != retrieve {
		t.Error("the place of the file, or the default k, changes the hash")
	}
	seen := map[string]bool{plain: true, retrieve: true}
	for name, m := range map[string]Memory{
		"rank": {Mode: MemoryRank}, "all": {Mode: MemoryAll}, "k": {Mode: MemoryRetrieve, K: 5},
		"embeddings": {Mode: MemoryRetrieve, Embeddings: "a:b"}, "summaries": {Summaries: "on"}, "ranked summaries": {Summaries: "rank"}, "budget": {Summaries: "on", Budget: 9},
	} {
		got := hash(func(c *Configuration) { c.Memory = m })
		if seen[got] {
			t.Errorf("%s does not change the hash", name)
		}
		seen[got] = true
	}
}

func TestValidateMemory(t *testing.T) {
	for want, m := range map[string]Memory{
		`memory.mode "some" is not known: off, retrieve, rank, all`: {Mode: "some"},
		`memory.k is -1: give 1 to 10000`:                           {K: -1},
		`memory.embeddings "ada": write provider:model`:             {Embeddings: "ada"},
		`memory.summaries "yes" is not known: on, rank, off`:        {Summaries: "yes"},
		`memory.context_budget is -2: give 1`:                       {Budget: -2},
	} {
		c := New()
		c.Memory = m
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %s", m, err, want)
		}
	}
}
