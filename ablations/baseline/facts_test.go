package baseline_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/ablations/baseline"
	"github.com/seed-5817661a/concur/runner/store"
)

// What a run differs in from the accepted ones is named, and nothing else.
func TestDifferences(t *testing.T) {
	d := smallSet()
	agent := func(p *baseline.Pass, tools map[string]string, corpus string, documents ...string) {
		p.Manifest.Agents = map[string]store.AgentFacts{p.Configuration.Agent: {Tools: tools, Corpus: corpus, Documents: documents}}
	}
	tools := map[string]string{"calc": "c1", "web_search": "w1"}
	first, second := fullPass(1, d, "+++ +++ +++"), fullPass(2, d, "+++ +++ +++")
	agent(&first, tools, "d1", "a1 VPN access", "b1 Opening hours", "c1 Refunds")
	agent(&second, tools, "d1", "a1 VPN access", "b1 Opening hours", "c1 Refunds")
	b := parsed(t, encoded(t, accepted(t, d, first, second)))
	pool := b.Pool("default", 0, 3)
	for name, c := range map[string]struct {
		change func(*baseline.Pass)
		want   []string
	}{
		"the same": {func(*baseline.Pass) {}, nil},
		"a tool less": {func(p *baseline.Pass) {
			p.Configuration.Configuration.Agent.Tools = []string{"planner", "web_search"}
			delete(p.Manifest.Agents[p.Configuration.Agent].Tools, "calc")
		}, []string{"agent.tools: calc is gone"}},
		"prompt, schema, strategy": {func(p *baseline.Pass) {
			p.Configuration.Configuration.Agent.Strategy = "cot"
			p.Manifest.Versions = map[string]string{"norm": "norm/v3", "prompt": "react/v9", "concur": "another"}
			p.Manifest.Agents[p.Configuration.Agent].Tools["web_search"] = "w2"
		}, []string{"agent.strategy: react, now cot", "version of prompt: none, now react/v9", "tool web_search: its description or schema changed"}},
		"a document less": {func(p *baseline.Pass) { agent(p, tools, "d2", "b1 Opening hours", "c1 Refunds") }, []string{"corpus: 1 document fewer (VPN access)"}},
		"one changed, one more": {func(p *baseline.Pass) {
			agent(p, tools, "d2", "a1 VPN access", "b2 Opening hours", "c1 Refunds", "x1 New")
		}, []string{"corpus: 1 document more (New), 1 document changed (Opening hours)"}},
		"too many to name": {func(p *baseline.Pass) { agent(p, tools, "d2") }, []string{"corpus: another content"}},
		"limits, and a path": {func(p *baseline.Pass) {
			p.Configuration.Configuration.Limits.Concurrency = 3
			p.Configuration.Search.Corpus = "/x"
		}, nil},
	} {
		p := fullPass(3, d, "+++ +++ +++")
		agent(&p, map[string]string{"calc": "c1", "web_search": "w1"}, "d1", "a1 VPN access", "b1 Opening hours", "c1 Refunds")
		c.change(&p)
		got, known := pool.Differences(b, p)
		if diff := cmp.Diff(c.want, got); diff != "" || !known {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	old := parsed(t, encoded(t, &baseline.Baseline{Runs: b.Runs}))
	if got, known := pool.Differences(old, first); known || got != nil {
		t.Errorf("without facts: %v, %v", got, known)
	}
}
