package config_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"
	"pgregory.net/rapid"

	"github.com/seed-5817661a/concur/internal/strictyaml"
	"github.com/seed-5817661a/concur/judge"
	"github.com/seed-5817661a/concur/model/endpoints"
	"github.com/seed-5817661a/concur/runner/config"
)

func node(t testing.TB, text string) *yaml.Node {
	t.Helper()
	var n *yaml.Node
	if err := strictyaml.Decode("spec.yaml", []byte(text), &n); err != nil {
		t.Fatal(err)
	}
	return n
}

func ExampleConfiguration_Set() {
	var n yaml.Node
	if err := strictyaml.Decode("spec.yaml", []byte("{k: 5, agent.temperature: 0, agent: {tools: [calc]}}"), &n); err != nil {
		fmt.Println(err)
	}
	c, err := config.New().Set(&n)
	fmt.Println(c.K, c.Agent.Temperature, c.Agent.Tools, c.Agent.MaxSteps, err)
	// Output:
	// 5 0 [calc] 10 <nil>
}

func TestSet(t *testing.T) {
	for text, want := range map[string]func(*config.Configuration){
		`{}`:                                func(*config.Configuration) {},
		`agent.tools: []`:                   func(c *config.Configuration) { c.Agent.Tools = []string{} },
		`agent: {}`:                         func(*config.Configuration) {},
		`{agent: {}, agent.max_steps: 3}`:   func(c *config.Configuration) { c.Agent.MaxSteps = 3 },
		`search.urls.baidu: http://h`:       func(c *config.Configuration) { c.Search.URLs.Baidu = "http://h" },
		`search.urls: {baidu: "http://h"}`:  func(c *config.Configuration) { c.Search.URLs.Baidu = "http://h" },
		`limits: {tries: 1, patience: 3s}`:  func(c *config.Configuration) { c.Limits.Tries, c.Limits.Patience = 1, 3e9 },
		`{limits.tries: 1, limits.usd: .5}`: func(c *config.Configuration) { c.Limits.Tries, c.Limits.USD = 1, .5 },
		`providers.b.base_url: http://h`: func(c *config.Configuration) {
			c.Providers = map[string]endpoints.Endpoint{"b": {BaseURL: "http://h"}}
		},
		`providers: {a.b: {base_url: "http://h", extra_body: {x.y: {z: 1}}}}`: func(c *config.Configuration) {
			body := map[string]any{"x.y": map[string]any{"z": 1}}
			c.Providers = map[string]endpoints.Endpoint{"a.b": {BaseURL: "http://h", ExtraBody: body}}
		},
	} {
		expected := config.New()
		want(&expected)
		got, err := config.New().Set(node(t, text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if diff := cmp.Diff(expected, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", text, diff)
		}
	}
}

func TestSetLeavesTheOtherKeysOfAProvider(t *testing.T) {
	c, err := config.New().Set(node(t, "providers: {a: {kind: openai, base_url: 'http://a', auth: none}, b: {base_url: 'http://b'}}"))
	if err != nil {
		t.Fatal(err)
	}
	c, err = c.Set(node(t, "{providers.a.base_url: 'http://c', providers: {b: {omit: [seed]}}}"))
	want := map[string]endpoints.Endpoint{
		"a": {Kind: endpoints.OpenAI, BaseURL: "http://c", Auth: endpoints.Auth{None: true}},
		"b": {BaseURL: "http://b", Omit: []string{"seed"}},
	}
	if diff := cmp.Diff(want, c.Providers); diff != "" || err != nil {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}
}

func TestSetIsStrict(t *testing.T) {
	for text, want := range map[string][]string{
		"[k]":                    {"1:1: expected a mapping"},
		"kk: 1":                  {`1:1: kk: unknown field "kk"`},
		"name: x":                {`1:1: name: unknown field "name"`},
		"k: many\nagnt.tools: 1": {"1:4: k: expected a whole number", `2:1: agnt: unknown field "agnt" (did you mean "agent"?)`},
		"agent.tols: []":         {`agent.tols: unknown field "tols" (did you mean "tools"?)`},
		"agent.tools.x: 1":       {"agent.tools: expected a list, found a mapping"},
		"search.urls.baidu.x: 1": {`unknown field "baidu.x" (did you mean "baidu"?)`},
		"agent.: 1":              {`unknown field ""`},
		".agent: 1":              {`unknown field ""`},
		"agent: {tools: []}\nagent.tools: [calc]": {"2:1: agent.tools: given twice, first on line 1: remove one"},
		"agent.tools: []\nagent: {tools: [calc]}": {"2:9: agent.tools: given twice, first on line 1"},
		"agent.tools: []\nagent.tools: []":        {"2:1: agent.tools: given twice, first on line 1"},
		"agent: {k: 1, k: 1}":                     {"agent.k: given twice", "unknown field"},
		"agent: 3\nagent.tools: []":               {"agent: given twice, first on line 1", "1:8: agent: expected a mapping"},
		"providers.a: 3":                          {"providers.a: expected a mapping"},
		"providers: 3":                            {"providers: expected a mapping"},
		"providers.a.kin: openai":                 {`1:1: providers.a.kin: unknown field "kin"`},
		"providers: {a: {auth: key}}":             {"providers.a.auth: must be none, or {env: NAME}"},
		"? [a]\n: 1":                              {"expected a name before the colon"},
		"agent: {? {a: b} : 1}":                   {"expected a name before the colon"},
		"agent: !x {tools: []}":                   {"the tag !x is not supported"},
		"<<: {k: 1}":                              {"merge keys"},
	} {
		c, err := config.New().Set(node(t, text))
		for _, w := range want {
			if err == nil || !strings.Contains(err.Error(), w) {
				t.Errorf("%q: error %v, want one with %q", text, err, w)
			}
		}
		if diff := cmp.Diff(config.New(), c); diff != "" {
			t.Errorf("%q: with an error, the configuration is not as it was:\n%s", text, diff)
		}
	}
}

// TestSetSharesNothing overwrites everything that a result contains.
func TestSetSharesNothing(t *testing.T) {
	text := "providers: {a: {headers: {h: v}, extra_body: {m: {x: 1}, l: [{y: 1}]}, auth: {env: KEY}, omit: [o], keep: [k], models: [{match: m, omit: [o], extra_body: {z: 1}}]}}\nsearch.cascade: [corpus]"
	made := func() config.Configuration {
		c, err := config.New().Set(node(t, text))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	c := made()
	out, err := c.Set(nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(c, out); diff != "" {
		t.Errorf("nothing was set, yet:\n%s", diff)
	}
	e := out.Providers["a"]
	for _, list := range [][]string{out.Agent.Tools, out.Agent.Guards, out.Search.Cascade, e.Auth.Env, e.Omit, e.Keep, e.Models[0].Omit} {
		list[0] = "changed"
	}
	out.Consensus.Stages[0], e.Headers["h"] = "changed", "changed"
	e.ExtraBody["m"].(map[string]any)["x"] = "changed"
	e.ExtraBody["l"].([]any)[0].(map[string]any)["y"] = "changed"
	e.Models[0].ExtraBody["z"] = "changed"
	e.Models[0].Match = "changed"
	out.Providers["b"] = e
	if diff := cmp.Diff(made(), c); diff != "" {
		t.Errorf("the result shares memory with what it was made from:\n%s", diff)
	}
}

// Dotted and nested keys have the same meaning, in any order and combination.
func TestDottedIsNested(t *testing.T) {
	values := map[string]string{
		"k": "7", "agent.tools": "[calc]", "agent.temperature": "0.1", "judge.correctness": "none", "search.urls.serper": "http://h",
		"search.urls.baidu": "http://i", "search.corpus": "here", "providers.a.base_url": "http://j", "providers.a.kind": "openai", "providers.b.kind": "anthropic",
	}
	rapid.Check(t, func(rt *rapid.T) {
		keys := rapid.Permutation(slices.Sorted(maps.Keys(values))).Draw(rt, "keys")
		dotted, mixed := &yaml.Node{Kind: yaml.MappingNode}, &yaml.Node{Kind: yaml.MappingNode}
		for _, key := range keys[:rapid.IntRange(0, len(keys)).Draw(rt, "count")] {
			v := node(t, values[key])
			insert(dotted, v, key)
			if rapid.Bool().Draw(rt, key) {
				insert(mixed, v, key)
			} else {
				insert(mixed, v, strings.Split(key, ".")...)
			}
		}
		one, err := config.New().Set(dotted)
		if err != nil {
			rt.Fatal(err)
		}
		two, err := config.New().Set(mixed)
		if diff := cmp.Diff(one, two); diff != "" || err != nil {
			rt.Errorf("%v; dotted against mixed:\n%s", err, diff)
		}
	})
}

// insert puts a value into nested mappings.
func insert(into, v *yaml.Node, path ...string) {
	for i := 0; i < len(into.Content); i += 2 {
		if into.Content[i].Value == path[0] {
			insert(into.Content[i+1], v, path[1:]...)
			return
		}
	}
	inner := v
	if len(path) > 1 {
		inner = &yaml.Node{Kind: yaml.MappingNode}
		insert(inner, v, path[1:]...)
	}
	into.Content = append(into.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: path[0]}, inner)
}

func FuzzSet(f *testing.F) {
	for _, seed := range []string{
		"{k: 5, agent.temperature: 0, agent: {tools: [calc]}}", "providers.a.b.c: &x {y: *x}", "a: &a {b: 1}\nagent: *a\n", "agent: {tools: 1}\nagent.tools: 2",
		"providers: {a: {auth: none, extra_body: {b: [1, {c: 2}]}}}", "? [k]\n: 1\n? {a: b}\n: 2\n", "....: 1", "~: 1\n'': 2\n", "[]", "x",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var n *yaml.Node
		if strictyaml.Decode("f.yaml", data, &n) != nil {
			return
		}
		base := config.New()
		c, err := base.Set(n)
		if diff := cmp.Diff(config.New(), base); diff != "" {
			t.Errorf("the base changed:\n%s", diff)
		}
		if err != nil {
			return
		}
		again, err := c.Set(n)
		if diff := cmp.Diff(c, again); diff != "" || err != nil {
			t.Errorf("set twice: %v\n%s", err, diff)
		}
	})
}

func TestNoModel(t *testing.T) {
	c := config.New()
	c.Judge.Correctness, c.Judge.Quality = config.NoModel, config.NoModel
	if err := c.Validate(); err != nil {
		t.Errorf("none is refused: %v", err)
	}
	for _, pass := range []judge.Mode{judge.PassCorrectness, judge.PassQuality, judge.PassBoth} {
		c.Pass = pass
		without := c
		without.Judge.Correctness, without.Judge.Quality = "", ""
		if got, want := c.Validate(), without.Validate(); got == nil || got.Error() != want.Error() {
			t.Errorf("pass: %s with none gives %v, without a judge %v", pass, got, want)
		}
	}
	c = config.New()
	c.Verifier.Model = config.NoModel
	if err := c.Validate(); err == nil {
		t.Error("a verifier none is accepted; it is left out of the stages instead")
	}
}
