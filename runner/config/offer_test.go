package config_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/runner/config"
)

func TestOfferIsChecked(t *testing.T) {
	none, few := -1, 3
	for name, c := range map[string]struct {
		change func(*config.Configuration)
		want   string
	}{
		"off":      {func(c *config.Configuration) { c.Agent.Offer.K = 0 }, ""},
		"more":     {func(c *config.Configuration) { c.Agent.Offer.K = 500 }, ""},
		"negative": {func(c *config.Configuration) { c.Agent.Offer.K = -1 }, "agent.offer.k is -1: give 1 to"},
		"vectors": {func(c *config.Configuration) { c.Agent.Offer.K, c.Agent.Offer.Embeddings = 0, "openai:x" },
			"agent.offer.k is 0, so agent.offer.embeddings chooses nothing"},
		"model": {func(c *config.Configuration) { c.Agent.Offer.K, c.Agent.Offer.Embeddings = 1, "x" },
			`agent.offer.embeddings "x": write provider:model`},
		"cot":      {func(c *config.Configuration) { c.Agent.Offer.K, c.Agent.Strategy = 1, config.StrategyCoT }, "the strategy cot calls no tools"},
		"direct":   {func(c *config.Configuration) { c.Agent.Offer.K, c.Agent.Strategy = 1, config.StrategyDirect }, "the strategy direct calls no tools"},
		"plan":     {func(c *config.Configuration) { c.Agent.Offer.K, c.Agent.Strategy = 1, config.StrategyPlan }, ""},
		"external": {func(c *config.Configuration) { c.Agent.Offer.K, c.Agent.External.Exec = 1, []string{"x"} }, "agent.offer has no effect on an external agent"},
		"tables":   {func(c *config.Configuration) { c.Agent.DatasetTools = &none }, "agent.dataset_tools is -1"},
		"few":      {func(c *config.Configuration) { c.Agent.DatasetTools = &few }, ""},
		"clash": {func(c *config.Configuration) {
			c.Agent.Offer.K, c.Tools = 1, map[string]config.DeclaredTool{"search_tools": {Settings: map[string]any{"folder": "x"}}}
		}, "tools.search_tools: search_tools is the tool of agent.offer: choose another name"},
		"no clash": {func(c *config.Configuration) {
			c.Tools = map[string]config.DeclaredTool{"search_tools": {Settings: map[string]any{"folder": "x"}}}
		}, ""},
		"agent": {func(c *config.Configuration) {
			c.Agent.Offer.K, c.Agents = 1, map[string]config.SubAgent{"search_tools": {}}
		}, "agents.search_tools: search_tools is the tool of agent.offer"},
	} {
		t.Run(name, func(t *testing.T) {
			conf := config.New()
			c.change(&conf)
			err := conf.Validate()
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

// A setting without effect does not change the agent's hash; agent.offer does.
func TestOfferInTheHash(t *testing.T) {
	hash := func(change func(*config.Configuration)) string {
		c := config.New()
		change(&c)
		h, err := c.AgentHash(nil)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	n := 3
	plain := hash(func(*config.Configuration) {})
	if got := hash(func(c *config.Configuration) { c.Agent.DatasetTools = &n }); got != plain {
		t.Errorf("agent.dataset_tools changes the hash %s to %s; agent.tools has the names", plain, got)
	}
	if got := hash(func(c *config.Configuration) { c.Agent.Offer.K = 2 }); got == plain {
		t.Error("agent.offer.k does not change the hash")
	}
	empty := func(c *config.Configuration) { c.Agent.Tools = nil }
	if a, b := hash(empty), hash(func(c *config.Configuration) { empty(c); c.Agent.Offer.K = 2 }); a != b {
		t.Errorf("without tools, agent.offer changes the hash %s to %s", a, b)
	}
}

// Sub-agents are offered all of their tools.
func TestOfferOfSubAgents(t *testing.T) {
	c := config.New()
	c.Agent.Offer.K, c.Agents = 2, map[string]config.SubAgent{"helper": {Tools: []string{"calc"}}}
	if got := c.Child("helper").Agent.Offer; !got.IsZero() {
		t.Errorf("the sub-agent has the offer %+v", got)
	}
}

func TestFromDataset(t *testing.T) {
	names := []string{"c", "a", "b", "d"}
	for n, want := range map[int][]string{0: {}, 2: {"a", "c"}, 4: {"a", "b", "c", "d"}, 9: {"a", "b", "c", "d"}} {
		if got := (config.Agent{DatasetTools: &n}).FromDataset(names); !slices.Equal(got, want) {
			t.Errorf("the first %d of %v are %v, want %v", n, names, got, want)
		}
	}
	if got := (config.Agent{}).FromDataset(names); !slices.Equal(got, names) {
		t.Errorf("without the setting they are %v", got)
	}
}
