package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/runner/config"
)

// TestValidateAgents checks that errors in sub-agents are reported at their key, with the chain of calls that
// never ends or is too deep.
func TestValidateAgents(t *testing.T) {
	type agents = map[string]config.SubAgent
	calls := func(names ...string) config.SubAgent { return config.SubAgent{Tools: names} }
	for _, c := range []struct {
		name   string
		agents agents
		want   string // "" if the configuration is valid
	}{
		{"three deep", agents{"a": calls("b"), "b": calls("c"), "c": calls("calc")}, ""},
		{"same helper twice", agents{"a": calls("b", "c"), "b": calls("c"), "c": {}}, ""},
		{"itself", agents{"a": calls("a")}, "agents.a.tools: a → a: an agent cannot call itself"},
		{"circle", agents{"a": calls("b"), "b": calls("c"), "c": calls("a")}, "agents.b.tools: b → c → a → b: an agent cannot call itself"},
		{"too deep", agents{"a": calls("b"), "b": calls("c"), "c": calls("d"), "d": {}}, "agents.a.tools: a → b → c → d: agents can call each other 3 deep"},
		{"name", agents{"a/b": {}}, "agents.a/b: a name has"},
		{"explain", agents{"explain": {}}, "agents.explain: explain is the tool of agent.explain"},
		{"model", agents{"a": {Model: "gpt"}}, `agents.a.model "gpt": write provider:model`},
		{"tool twice", agents{"a": calls("calc", "calc")}, "agents.a.tools [calc calc]: a tool is named twice"},
		{"strategy", agents{"a": {Strategy: "tree"}}, `agents.a.strategy "tree" is not known: react, plan, cot, direct`},
		{"own strategies", agents{"a": {Strategy: "plan", Tools: []string{"b", "c"}}, "b": {Strategy: "react", Tools: []string{"calc"}}, "c": {Strategy: "direct"}}, ""},
		{"tools without turns", agents{"a": {Strategy: "cot", Tools: []string{"calc"}}}, "agents.a.tools has no effect under agents.a.strategy cot"},
		{"tool of plan", agents{"a": {Strategy: "plan", Tools: []string{"complete_task"}}}, "agents.a.tools: complete_task is the tool with which the strategy plan ends its rounds"},
		{"tool calls", agents{"a": {MaxToolCalls: -1}}, "agents.a.max_tool_calls is -1"},
		{"steps", agents{"a": {MaxSteps: -1}}, "agents.a.max_steps is -1"},
		{"timeout", agents{"a": {Timeout: -time.Second}}, "agents.a.timeout is -1s"},
	} {
		conf := config.New()
		conf.Agents = c.agents
		err := conf.Validate()
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v; want %q", c.name, err, c.want)
		}
	}
}

// TestAgentsInTheHash checks that a sub-agent changes the hash only if the agent can call it.
func TestAgentsInTheHash(t *testing.T) {
	hash := func(change func(*config.Configuration)) string {
		c := config.New()
		c.Agent.Tools = []string{"calc", "researcher"}
		c.Agents = map[string]config.SubAgent{"researcher": {Tools: []string{"checker"}}, "checker": {Prompt: "Check."}, "idle": {}}
		change(&c)
		h, err := c.AgentHash(nil)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	same := hash(func(*config.Configuration) {})
	if again := hash(func(c *config.Configuration) { delete(c.Agents, "idle") }); again != same {
		t.Error("a sub-agent that nobody can call changes the hash")
	}
	if again := hash(func(c *config.Configuration) { c.Agents["checker"] = config.SubAgent{Prompt: "Check twice."} }); again == same {
		t.Error("the prompt of a sub-agent's sub-agent does not change the hash")
	}
	if same != "23a15c44556e1e1d" {
		t.Errorf("the hash of a configuration without strategies of sub-agents is %s: recorded runs have another", same)
	}
	for name, sub := range map[string]config.SubAgent{"strategy": {Strategy: "plan"}, "max_tool_calls": {MaxToolCalls: 3}} {
		sub.Tools = []string{"checker"}
		if hash(func(c *config.Configuration) { c.Agents["researcher"] = sub }) == same {
			t.Errorf("%s of a sub-agent does not change the hash", name)
		}
	}
	sub := config.SubAgent{Tools: []string{"checker"}, MaxToolCalls: 3}
	if hash(func(c *config.Configuration) { c.Agents["researcher"], c.Agent.Guards = sub, nil }) !=
		hash(func(c *config.Configuration) { c.Agent.Guards = nil }) {
		t.Error("max_tool_calls changes the hash without the guard calls")
	}
	plain := config.New()
	with := config.New()
	with.Agents = map[string]config.SubAgent{"researcher": {}}
	a, _ := plain.AgentHash(nil)
	b, _ := with.AgentHash(nil)
	if a != b || len(with.Effective().Agents) != 0 {
		t.Error("a sub-agent that no list of tools names has an effect")
	}
}

// TestSetAgents checks that a row can change single keys of a sub-agent, and shares no memory with its base.
func TestSetAgents(t *testing.T) {
	path := filepath.Join(t.TempDir(), "concur.yaml")
	if err := os.WriteFile(path, []byte("agents:\n  researcher: {tools: [calc], prompt: Be brief.}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := config.Load(path, config.New())
	if err != nil {
		t.Fatal(err)
	}
	got, err := f.Configuration.Set(node(t, "agents.researcher.max_steps: 4"))
	if err != nil {
		t.Fatal(err)
	}
	want := config.SubAgent{Tools: []string{"calc"}, Prompt: "Be brief.", MaxSteps: 4}
	if diff := cmp.Diff(want, got.Agents["researcher"]); diff != "" {
		t.Error(diff)
	}
	if f.Agents["researcher"].MaxSteps != 0 {
		t.Error("the base was changed")
	}
	if _, err := f.Configuration.Set(node(t, "agents.researcher.tool: [calc]")); err == nil || !strings.Contains(err.Error(), "agents.researcher.tool") {
		t.Errorf("unknown key: %v", err)
	}
	child := got.Child("researcher")
	if child.Agent.MaxSteps != 4 || !cmp.Equal(child.Agent.Tools, []string{"calc"}) || child.Model != got.Model {
		t.Errorf("child %+v", child.Agent)
	}
	got.Agents["researcher"] = config.SubAgent{Model: "openai:small"}
	for path, model := range map[string]string{"": got.Model, "researcher#1": "openai:small", "x#1/researcher#2": "openai:small", "researcher#1/x#1": "openai:small", "gone#1": got.Model} {
		if m := got.ModelAt(path); m != model {
			t.Errorf("model at %q is %s, want %s", path, m, model)
		}
	}
}
