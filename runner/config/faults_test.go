package config_test

import (
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/runner/config"
)

func TestFaults(t *testing.T) {
	for _, c := range []struct {
		faults config.Faults
		wrong  string // "" if it is valid
	}{
		{config.Faults{}, ""},
		{config.Faults{Tool: "calc", Rate: 1}, ""},
		{config.Faults{Tool: "*", Rate: 0.5, Kinds: []string{"empty", "timeout"}, Seed: 3}, ""},
		{config.Faults{Tool: "calc", Rate: 2}, "faults.rate is 2"},
		{config.Faults{Tool: "calc"}, "faults.rate is 0"},
		{config.Faults{Tool: "calc", Rate: -1}, "faults.rate is -1"},
		{config.Faults{Tool: "calc", Rate: 1, Kinds: []string{"fire"}}, `there is no kind "fire"`},
		{config.Faults{Tool: "calc", Rate: 1, Kinds: []string{"error", "error"}}, "name each kind once"},
		{config.Faults{Rate: 1}, "faults.tool is empty"},
	} {
		conf := config.New()
		conf.Faults = c.faults
		err := conf.Validate()
		if (err == nil) != (c.wrong == "") || err != nil && !strings.Contains(err.Error(), c.wrong) {
			t.Errorf("%+v: %v", c.faults, err)
		}
	}
	for _, c := range []struct {
		tools []string
		agent config.SubAgent
		valid bool
	}{
		{[]string{"calc"}, config.SubAgent{}, false},
		{[]string{"calc", "files__*"}, config.SubAgent{}, true},
		{[]string{"calc", "helper"}, config.SubAgent{Tools: []string{"planner", "web_search"}}, true},
		{[]string{"calc", "helper"}, config.SubAgent{Tools: []string{"planner"}}, false},
	} {
		conf := config.New()
		conf.Agent.Tools, conf.Faults = c.tools, config.Faults{Tool: "web_search", Rate: 1}
		conf.Agents = map[string]config.SubAgent{"helper": c.agent}
		conf.MCP = map[string]config.MCPServer{"files": {Command: []string{"files"}}}
		err := conf.Validate()
		if missing := err != nil && strings.Contains(err.Error(), `faults.tool: the agent has no tool "web_search": choose from calc`); missing == c.valid {
			t.Errorf("%v, %+v: %v", c.tools, c.agent, err)
		}
	}
	conf := config.New()
	conf.Faults = config.Faults{Tool: "calc", Rate: 1}
	conf.Agent.External.Exec = []string{"agent"}
	if err := conf.Validate(); err == nil || !strings.Contains(err.Error(), "external agent") {
		t.Errorf("external: %v", err)
	}
}

// TestFaultsAndTheHash checks that faults change the hash, that naming all kinds equals the default, and that
// cot has no tools that could fail.
func TestFaultsAndTheHash(t *testing.T) {
	hash := func(change func(*config.Configuration)) string {
		c := config.New()
		change(&c)
		h, err := c.AgentHash(nil)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	plain := hash(func(*config.Configuration) {})
	down := hash(func(c *config.Configuration) { c.Faults = config.Faults{Tool: "calc", Rate: 1} })
	named := hash(func(c *config.Configuration) {
		c.Faults = config.Faults{Tool: "calc", Rate: 1, Kinds: config.FaultKinds()}
	})
	half := hash(func(c *config.Configuration) { c.Faults = config.Faults{Tool: "calc", Rate: 0.5} })
	if plain == down || down != named || down == half {
		t.Errorf("hashes %s, %s, %s, %s", plain, down, named, half)
	}
	cot := func(f config.Faults) string {
		return hash(func(c *config.Configuration) { c.Agent.Strategy, c.Faults = config.StrategyCoT, f })
	}
	if cot(config.Faults{}) != cot(config.Faults{Tool: "calc", Rate: 1}) {
		t.Error("faults change an agent without tools")
	}
}
