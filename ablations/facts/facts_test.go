package facts_test

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/ablations/facts"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

// side is what a run was made with.
type side struct {
	m store.Manifest
	c store.Configuration
}

func newSide() *side {
	s := &side{
		m: store.Manifest{Versions: map[string]string{"norm": "norm/v3", "concur": "1"}},
		c: store.Configuration{Name: "default", Agent: "a1", Configuration: config.New()},
	}
	return s.with("d1", "a1 VPN access", "b1 Opening hours", "c1 Refunds")
}

func (s *side) with(corpus string, documents ...string) *side {
	tools := map[string]string{"calc": "c1", "web_search": "w1"}
	if s.m.Agents != nil {
		tools = maps.Clone(s.m.Agents[s.c.Agent].Tools)
	}
	s.m.Agents = map[string]store.AgentFacts{s.c.Agent: {Tools: tools, Corpus: corpus, Documents: documents}}
	return s
}

// What two runs differ in is named, and nothing else.
func TestDifferences(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*side)
		want   []string
	}{
		"the same": {func(*side) {}, nil},
		"a tool less": {func(s *side) {
			s.c.Configuration.Agent.Tools = []string{"planner", "web_search"}
			delete(s.m.Agents[s.c.Agent].Tools, "calc")
		}, []string{"agent.tools: calc is gone"}},
		"prompt, schema, strategy": {func(s *side) {
			s.c.Configuration.Agent.Strategy = "cot"
			s.m.Versions = map[string]string{"norm": "norm/v3", "prompt": "react/v9", "concur": "another"}
			s.m.Agents[s.c.Agent].Tools["web_search"] = "w2"
		}, []string{"agent.strategy: react, now cot", "version of prompt: none, now react/v9", "tool web_search: its description or schema changed"}},
		"a document less": {func(s *side) { s.with("d2", "b1 Opening hours", "c1 Refunds") }, []string{"corpus: 1 document fewer (VPN access)"}},
		"one changed, one more": {func(s *side) {
			s.with("d2", "a1 VPN access", "b2 Opening hours", "c1 Refunds", "x1 New")
		}, []string{"corpus: 1 document more (New), 1 document changed (Opening hours)"}},
		"too many to name": {func(s *side) { s.with("d2") }, []string{"corpus: another content"}},
		"limits, and a path": {func(s *side) {
			s.c.Configuration.Limits.Concurrency = 3
			s.c.Search.Corpus = "/x"
		}, nil},
	} {
		now := newSide()
		c.change(now)
		was := newSide()
		got := facts.Of(was.m, was.c).Differences(facts.Of(now.m, now.c))
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
