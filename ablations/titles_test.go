package ablations

import (
	"testing"

	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/store"
)

func TestTellApart(t *testing.T) {
	type change = func(*store.Manifest)
	set := func(key func(*config.Configuration)) change {
		return func(m *store.Manifest) { key(&m.Configurations[0].Configuration) }
	}
	none := func(*store.Manifest) {}
	prompt := func(file, text string) change {
		return func(m *store.Manifest) {
			m.Configurations[0].Agent = file
			m.Configurations[0].Configuration.Agent.Prompts.System.Text = text
			m.Agents = map[string]store.AgentFacts{file: {Prompts: map[string]string{"system": file}}}
		}
	}
	for name, c := range map[string]struct {
		was, now change
		want     [2]string
	}{
		"models": {none, set(func(c *config.Configuration) { c.Model = "openai:m" }), [2]string{"offline:reader", "openai:m"}},
		"names":  {func(m *store.Manifest) { m.Title = "good" }, none, [2]string{"good", "offline:reader"}},
		"one name for two seeds": {func(m *store.Manifest) { m.Title = "good" }, func(m *store.Manifest) { m.Title, m.Seed = "good", 2 },
			[2]string{"seed 0", "seed 2"}},
		"prompt files":           {prompt("p/a.txt", "a"), prompt("p/b.txt", "b"), [2]string{"a.txt", "b.txt"}},
		"prompt files elsewhere": {prompt("p/a.txt", "a"), prompt("q/a.txt", "b"), [2]string{"p/a.txt", "q/a.txt"}},
		"a setting":              {none, set(func(c *config.Configuration) { c.K = 5 }), [2]string{"k=3", "k=5"}},
		"two settings": {none, set(func(c *config.Configuration) { c.K, c.Agent.Temperature = 5, 0.5 }),
			[2]string{"temperature=0.7, k=3", "temperature=0.5, k=5"}},
		"a setting that is off": {none, set(func(c *config.Configuration) { c.Agent.Condense = "on" }), [2]string{"offline:reader", "condense=on"}},
		"a tool less":           {none, set(func(c *config.Configuration) { c.Agent.Tools = c.Agent.Tools[:2] }), [2]string{"calc", "no calc"}},
		"a tool more":           {set(func(c *config.Configuration) { c.Agent.Tools = c.Agent.Tools[:2] }), none, [2]string{"no calc", "calc"}},
		"three settings": {none, set(func(c *config.Configuration) { c.K, c.Agent.Temperature, c.Agent.MaxSteps = 5, 0.5, 3 }),
			[2]string{"A", "B"}},
		"limits":      {none, set(func(c *config.Configuration) { c.Limits.RPM = 5 }), [2]string{"A", "B"}},
		"nothing":     {none, none, [2]string{"A", "B"}},
		"other agent": {none, func(m *store.Manifest) { m.Seed, m.Configurations[0].Agent = 2, "x" }, [2]string{"A", "B"}},
	} {
		var runs [2]store.Manifest
		for i, f := range []change{c.was, c.now} {
			conf := config.New()
			runs[i].Configurations = []store.Configuration{{Name: conf.Name, Configuration: conf}}
			f(&runs[i])
		}
		if got := tellApart(runs, [2]int{}); got != c.want {
			t.Errorf("%s: %q; want %q", name, got, c.want)
		}
	}
}
