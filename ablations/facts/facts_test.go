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
	return s.with("d1", "a1 vpn\tVPN access", "b1 hours\tOpening hours", "c1 refunds\tRefunds")
}

func (s *side) with(corpus string, documents ...string) *side {
	tools := map[string]string{"calc": "c1", "web_search": "w1"}
	if s.m.Agents != nil {
		tools = maps.Clone(s.m.Agents[s.c.Agent].Tools)
	}
	s.m.Agents = map[string]store.AgentFacts{s.c.Agent: {Tools: tools, Corpus: corpus, Documents: documents, Models: []string{"m-2026-05"}}}
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
		"a document less": {func(s *side) { s.with("d2", "b1 hours\tOpening hours", "c1 refunds\tRefunds") }, []string{`corpus: 1 document fewer (vpn "VPN access")`}},
		"one changed, one more": {func(s *side) {
			s.with("d2", "a1 vpn\tVPN access", "b2 hours\tOpening times", "c1 refunds\tRefunds", "x1 new.md#a\tNew")
		}, []string{`corpus: 1 document more (new.md#a "New"), 1 document changed (hours "Opening times")`}},
		"a corpus too large to list": {func(s *side) { s.with("d2") }, []string{"corpus: another content"}},
		"a corpus that is gone":      {func(s *side) { s.with("") }, nil},
		"too many to name":           {func(s *side) { s.with("d2") }, []string{"corpus: another content"}},
		"no effect, and another row": {func(s *side) {
			s.m.Versions["model of other"], s.c.Configuration.Judge.Threshold = "x/v1", 5
		}, nil},
		"the model behind the name": {func(s *side) {
			a := s.m.Agents[s.c.Agent]
			a.Models = []string{"m-2026-05", "m-2026-08"}
			s.m.Agents[s.c.Agent] = a
		}, []string{"the provider's name of the model: m-2026-05, now m-2026-05, m-2026-08"}},
		"nothing that explains it": {func(s *side) {
			s.m.Agents["a2"], s.c.Agent = s.m.Agents["a1"], "a2"
			s.m.Versions["verifier"], s.c.Configuration.K = "equivalence/v9", 5
		}, []string{"k: 3, now 5", "version of verifier: none, now equivalence/v9",
			"agent: its hash changed (a1, now a2), but no recorded fact did: for example, a search backend had no key in one of the runs"}},
		"limits, and a path": {func(s *side) {
			s.c.Configuration.Limits.Concurrency = 3
			s.c.Search.Corpus = "/x"
		}, nil},
	} {
		now := newSide()
		c.change(now)
		was := newSide()
		got := facts.FromManifest(was.m, was.c).Differences(facts.FromManifest(now.m, now.c))
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Queries are compared by what was asked and expected.
func TestDifferencesOfQueries(t *testing.T) {
	was := facts.Facts{Queries: map[string]facts.Query{
		"a": {"Who?", "Ada", "1"}, "b": {"When?", "1815", "2"}, "c": {"Where?", "London", "3"}, "d": {"Why?", "x", "4"},
	}}
	now := facts.Facts{Queries: map[string]facts.Query{
		"a": {"Whom?", "Ada", "9"}, "b": {"When?", "1816", "8"}, "d": {"Why?", "x", "7"}, "e": {"What?", "y", "6"},
	}}
	want := []string{"queries: 1 fewer (c)", "queries: 1 more (e)", "queries: 1 reworded (a)", "gold, checks or step limit: changed for 2 of the queries (b: 1815 → 1816, d)"}
	if diff := cmp.Diff(want, was.Differences(now)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	was.Queries, was.Programs = nil, map[string]string{"./chk.sh": "1", "./old.sh": "2"}
	now.Queries, now.Programs = nil, map[string]string{"./chk.sh": "3", "./new.sh": "4"}
	want = []string{"a program of the checks: ./chk.sh has changed"}
	if diff := cmp.Diff(want, was.Differences(now)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got := was.Differences(facts.Facts{}); got != nil {
		t.Errorf("nothing is known of the other, and they differ in %v", got)
	}
	if got := was.Differences(was); got != nil {
		t.Errorf("equal ones differ in %v", got)
	}
}

// Settings names only settings that have an effect.
func TestSettings(t *testing.T) {
	was, now := config.New(), config.New()
	if got := facts.Settings(was, now); got == nil || len(got) > 0 {
		t.Errorf("equal ones differ in %v", got)
	}
	now.Agent.Prompts.System = config.Prompt{Text: "Be brief, now."}
	if diff := cmp.Diff([]string{`agent.prompts.system: none, now "Be brief, now."`}, facts.Settings(was, now)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	now = config.New()
	was.Agent.Strategy, now.Agent.Strategy = "cot", "cot"
	now.Agent.Tools, now.Agent.Temperature = nil, 0.1
	if diff := cmp.Diff([]string{"agent.temperature: 0.7, now 0.1"}, facts.Settings(was, now)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
