package naming_test

import (
	"slices"
	"testing"

	"github.com/seed-5817661a/concur/ablations/naming"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

func TestTitles(t *testing.T) {
	one := func(title string, change func(*config.Configuration)) store.Manifest {
		c := config.New()
		change(&c)
		return store.Manifest{Title: title, Configurations: []store.Configuration{{Name: c.Name, Configuration: c}}}
	}
	several := func(names ...string) (m store.Manifest) {
		for _, name := range names {
			m.Configurations = append(m.Configurations, store.Configuration{Name: name, Configuration: config.New()})
		}
		return m
	}
	program := func(c *config.Configuration) { c.Agent.External.Exec = []string{"python3", "agent.py"} }
	for _, c := range []struct {
		of   store.Manifest
		want []string
	}{
		{one("", func(*config.Configuration) {}), []string{"offline:reader"}},
		{one("", func(c *config.Configuration) { c.Model = "openai:m" }), []string{"openai:m"}},
		{one("", program), []string{"python3 agent.py"}},
		{one("good-1", program), []string{"good-1"}},
		{one("", func(c *config.Configuration) { c.Agent.External.HTTP = "http://a/${KEY}" }), []string{"http://a/${KEY}"}},
		{one("", func(c *config.Configuration) { c.Model, c.Agent.External.Imported = "openai:m", "promptfoo" }), []string{"openai:m"}},
		{one("", func(c *config.Configuration) { c.Model, c.Agent.External.Imported = "unknown:m", "promptfoo" }), []string{"m"}},
		{one("", func(c *config.Configuration) { c.Model, c.Agent.External.Imported = "unknown:model", "promptfoo" }), []string{"promptfoo"}},
		{one("", func(c *config.Configuration) { c.Model, c.Agent.External.Imported = "", "chats" }), []string{"chats"}},
		{one("", func(c *config.Configuration) { c.Name = "only row" }), []string{"only row"}},
		{several("full", "k=1", "no planner"), []string{"full", "k=1", "no planner"}},
		{several("model=a:b,k=1", "model=a:b,k=3", "model=c,k=1", "model=c,k=3"), []string{"a:b, k=1", "a:b, k=3", "c, k=1", "c, k=3"}},
		{several("base", "model=a,agent.protocol=text", "model=b,agent.protocol=text"), []string{"base", "a, protocol=text", "b, protocol=text"}},
		{several("agent.tools=calc+web_search,k=1", "agent.tools=[],k=1", "agent.tools=calc,k=3"), []string{"tools=calc+web_search, k=1", "tools=[], k=1", "tools=calc, k=3"}},
		{several("judge.model=x,verifier.model=y", "judge.model=y,verifier.model=x"), []string{"judge.model=x, verifier.model=y", "judge.model=y, verifier.model=x"}},
		{several("a", "model=a", "model=b"), []string{"a", "model=a", "model=b"}},
		{several("x, k=1", "x, k=2"), []string{"x, k=1", "x, k=2"}},
		{several("model=a,b=c", "model=a,b", "model=b"), []string{"model=a,b=c", "a,b", "b"}},
	} {
		if got := naming.Titles(c.of); !slices.Equal(got, c.want) {
			t.Errorf("titles %q; want %q", got, c.want)
		}
	}
}
