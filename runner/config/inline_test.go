package config

import (
	"strings"
	"testing"
)

func TestInline(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Configuration)
		want   string // part of the error; "" for none
	}{
		"inline":         {func(*Configuration) {}, ""},
		"all calls":      {func(c *Configuration) { c.Agent.InlineCalls = c.Agent.MaxToolCalls }, ""},
		"too many calls": {func(c *Configuration) { c.Agent.InlineCalls = c.Agent.MaxToolCalls + 1 }, "agent.inline_calls is 9: give 1 to 8"},
		"below zero":     {func(c *Configuration) { c.Agent.InlineCalls = -1 }, "agent.inline_calls is -1"},
		"plan":           {func(c *Configuration) { c.Agent.Strategy = StrategyPlan }, "agent.protocol inline has no rounds: set agent.strategy react"},
		"summaries":      {func(c *Configuration) { c.Memory.Summaries = "on" }, "memory.summaries has no effect on agent.protocol inline"},
		"offer":          {func(c *Configuration) { c.Agent.Offer.K = 2 }, "agent.offer has no effect on agent.protocol inline"},
	} {
		conf := New()
		conf.Agent.Protocol = ProtocolInline
		c.change(&conf)
		err := conf.Validate()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	a, b := New(), New()
	b.Agent.InlineCalls = 3
	if hashOf(t, a) != hashOf(t, b) {
		t.Error("inline_calls changes the hash of an agent with native calls")
	}
	a.Agent.Protocol, b.Agent.Protocol = ProtocolInline, ProtocolInline
	if a.Agent.InlineCalls = 1; hashOf(t, a) == hashOf(t, b) {
		t.Error("inline_calls does not change the hash of an agent with inline calls")
	}
	one := a
	if one.Agent.InlineCalls = 0; hashOf(t, a) != hashOf(t, one) {
		t.Error("the default is not one call")
	}
	a.Agents = map[string]SubAgent{"helper": {}}
	if got := a.Child("helper").Agent.Protocol; got != ProtocolNative {
		t.Errorf("a sub-agent has the protocol %s", got)
	}
}

func hashOf(t *testing.T, c Configuration) string {
	t.Helper()
	h, err := c.AgentHash(nil)
	if err != nil {
		t.Fatal(err)
	}
	return h
}
