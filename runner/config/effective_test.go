package config_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/runner/config"
)

func with(changes ...func(*config.Configuration)) config.Configuration {
	c := config.New()
	for _, change := range changes {
		change(&c)
	}
	return c
}

func cot(c *config.Configuration)    { c.Agent.Strategy = config.StrategyCoT }
func single(c *config.Configuration) { c.K = 1 }

// Each of these changes has no effect, given the settings before it.
func TestEffectiveIsEqual(t *testing.T) {
	for name, c := range map[string]struct{ first, change func(*config.Configuration) }{
		"tools of cot":       {cot, func(c *config.Configuration) { c.Agent.Tools = []string{"calc"} }},
		"steps of cot":       {cot, func(c *config.Configuration) { c.Agent.MaxSteps, c.Agent.FixedSteps = 3, true }},
		"limits of cot":      {cot, func(c *config.Configuration) { c.Agent.MaxToolCalls, c.Agent.OnLimit = 1, config.OnLimitStop }},
		"tool guards of cot": {cot, func(c *config.Configuration) { c.Agent.Guards = []string{config.GuardInjection} }},
		"search of cot":      {cot, func(c *config.Configuration) { c.Search.Language = "de" }},
		"no tools":           {func(c *config.Configuration) { c.Agent.Tools = nil }, func(c *config.Configuration) { c.Search.Language = "de" }},
		"order of guards": {func(*config.Configuration) {}, func(c *config.Configuration) {
			c.Agent.Guards[0], c.Agent.Guards[1] = c.Agent.Guards[1], c.Agent.Guards[0]
		}},
		"bounds of no guard": {func(c *config.Configuration) { c.Agent.Guards = nil }, func(c *config.Configuration) {
			c.Agent.MaxRepeats, c.Agent.MaxToolCalls, c.Agent.MaxToolFailures, c.Agent.Spotlight = 1, 1, 1, config.SpotlightDatamark
		}},
		"one call of text": {func(c *config.Configuration) { c.Agent.Protocol = config.ProtocolText }, func(c *config.Configuration) { c.Agent.SingleTool = true }},
		"stages at k=1":    {single, func(c *config.Configuration) { c.Consensus.Stages = []consensus.Stage{"exact"} }},
		"quorum at k=1":    {single, func(c *config.Configuration) { c.Consensus.Quorum = consensus.QuorumNone }},
		"quorum of old":    {func(*config.Configuration) {}, func(c *config.Configuration) { c.Consensus.Quorum = "" }},
		"reads of old":     {func(*config.Configuration) {}, func(c *config.Configuration) { c.Verifier.Reads = consensus.ReadsAnswers }},
		"reads at k=1":     {single, func(c *config.Configuration) { c.Verifier.Reads = consensus.ReadsTraces }},
		"verifier at k=1":  {single, func(c *config.Configuration) { c.Verifier.Temperature = 1 }},
		"no verifier": {func(c *config.Configuration) { c.Consensus.Stages = []consensus.Stage{"exact", "majority"} },
			func(c *config.Configuration) { c.Verifier.Model = "offline:other" }},
		"same":      {func(*config.Configuration) {}, func(c *config.Configuration) { c.Verifier.Model = c.Model }},
		"no judge":  {func(*config.Configuration) {}, func(c *config.Configuration) { c.Judge.Correctness = config.NoModel }},
		"threshold": {func(*config.Configuration) {}, func(c *config.Configuration) { c.Judge.Threshold = 2 }},
	} {
		if diff := cmp.Diff(with(c.first).Effective(), with(c.first, c.change).Effective()); diff != "" {
			t.Errorf("%s has an effect:\n%s", name, diff)
		}
	}
}

// Each of these changes affects the agent or the verdict.
func TestEffectiveIsNotEqual(t *testing.T) {
	nothing := func(*config.Configuration) {}
	for name, c := range map[string]struct{ first, change func(*config.Configuration) }{
		"protocol of cot":    {cot, func(c *config.Configuration) { c.Agent.Protocol = config.ProtocolText }},
		"temperature of cot": {cot, func(c *config.Configuration) { c.Agent.Temperature = 0 }},
		"injection of cot":   {cot, func(c *config.Configuration) { c.Agent.Guards = nil }},
		"cot or direct":      {cot, func(c *config.Configuration) { c.Agent.Strategy = config.StrategyDirect }},
		"order of tools":     {nothing, func(c *config.Configuration) { c.Agent.Tools[0], c.Agent.Tools[1] = c.Agent.Tools[1], c.Agent.Tools[0] }},
		"stages":             {nothing, func(c *config.Configuration) { c.Consensus.Stages = []consensus.Stage{"exact"} }},
		"reads":              {nothing, func(c *config.Configuration) { c.Verifier.Reads = consensus.ReadsTraces }},
		"quorum":             {nothing, func(c *config.Configuration) { c.Consensus.Quorum = consensus.QuorumNone }},
		"judge":              {single, func(c *config.Configuration) { c.Judge.Quality = config.SameModel }},
		"threshold":          {func(c *config.Configuration) { c.Judge.Quality = config.SameModel }, func(c *config.Configuration) { c.Judge.Threshold = 2 }},
		"steps of a query":   {nothing, func(c *config.Configuration) { c.Agent.FixedSteps = true }},
		"one call":           {nothing, func(c *config.Configuration) { c.Agent.SingleTool = true }},
	} {
		if cmp.Equal(with(c.first).Effective(), with(c.first, c.change).Effective()) {
			t.Errorf("%s has no effect", name)
		}
	}
}

func TestEffectiveLeavesTheOriginalAlone(t *testing.T) {
	c := config.New()
	c.Agent.Guards[0], c.Agent.Guards[1] = c.Agent.Guards[1], c.Agent.Guards[0]
	before := c.Agent.Guards[0]
	e := c.Effective()
	e.Agent.Tools[0], e.Consensus.Stages[0] = "changed", "changed"
	if c.Agent.Guards[0] != before || c.Agent.Tools[0] == "changed" || c.Consensus.Stages[0] == "changed" {
		t.Errorf("%+v", c)
	}
	if diff := cmp.Diff(c.Effective(), c.Effective().Effective()); diff != "" {
		t.Errorf("once is not twice:\n%s", diff)
	}
}

func TestWithoutWhatHasNoEffect(t *testing.T) {
	for _, name := range []string{"planner", "guard.repeat", "guard.spotlight", "guard.citations"} {
		_, err := with(cot).Without(name)
		if err == nil || !strings.Contains(err.Error(), "because the strategy cot has no tools; it has guard.injection") {
			t.Errorf("%s: %v", name, err)
		}
	}
	bare, err := with(cot).Without("guard.injection", "stage.verifier", "stage.majority")
	if err != nil || bare.Agent.HasGuard(config.GuardInjection) {
		t.Errorf("%v: %v", bare.Agent.Guards, err)
	}
	if _, err := bare.Without("calc"); err == nil || !strings.Contains(err.Error(), "it has nothing to remove") {
		t.Errorf("%v", err)
	}
	if _, err := config.New().Without("calc", "calc"); err == nil {
		t.Error("what is gone was taken away")
	}
}

// Parts of tools do not distinguish two agents that have no tools.
func TestAgentHashWithoutTools(t *testing.T) {
	hash := func(c config.Configuration, tools string) string {
		h, err := c.AgentHash(map[string]string{"prompt": "react/v2", "tools": tools, "corpus": tools, "backends": tools})
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	less := func(c *config.Configuration) { c.Agent.Tools = []string{"calc"} }
	if hash(with(cot), "a") != hash(with(cot, less), "b") {
		t.Error("one agent has two hashes")
	}
	if hash(with(), "a") == hash(with(), "b") || hash(with(cot), "a") == hash(with(), "a") {
		t.Error("two agents have one hash")
	}
}
