package ablations

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/runner/config"
)

const specSchema = "ablation.schema.json"

// loadSpecSchema compiles docs/ablation.schema.json beside the schema that it refers to.
func loadSpecSchema(t *testing.T) (*jsonschema.Schema, map[string]any) {
	t.Helper()
	c := jsonschema.NewCompiler()
	var own map[string]any
	for _, name := range []string{"dataset.schema.json", "concur.schema.json", specSchema} {
		raw, err := os.ReadFile(filepath.Join("..", "docs", name))
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := c.AddResource(name, doc); err != nil {
			t.Fatal(err)
		}
		own = doc.(map[string]any)
	}
	s, err := c.Compile(specSchema)
	if err != nil {
		t.Fatal(err)
	}
	return s, own
}

// plain reads YAML as the values that a JSON Schema is about.
func plain(t *testing.T, raw []byte) any {
	t.Helper()
	var v any
	if err := yaml.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	asJSON, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	out, err := jsonschema.UnmarshalJSON(bytes.NewReader(asJSON))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestSchemaTakesWhatReadTakes(t *testing.T) {
	schema, _ := loadSpecSchema(t)
	for _, name := range Presets() {
		data, _ := presetFiles.ReadFile("presets/" + name + presetExtension)
		if err := schema.Validate(plain(t, data)); err != nil {
			t.Errorf("preset %s: %v", name, err)
		}
	}
	for text, ok := range map[string]bool{
		"matrix: {k: [1, 3], agent.tools: [[], [calc]], exclude: [{k: 1, agent.tools: []}]}":                                        true,
		"configurations: [{name: a, set: {agent: {temperature: 0}, search.urls.baidu: 'http://h'}}]":                                true,
		"base: {providers.a.base_url: 'http://h', judge: {quality: none}}\nmatrix: {k: [1]}":                                        true,
		"matrix: {prompts: {short: Be short., long: {user: '{{question}} Explain.'}}, k: [1, 3], exclude: [{prompts: long, k: 1}]}": true,
		"base: {tools: {a: {folder: x}}}\nmatrix: {tools.a.top_n: [1, 3]}":                                                          true,
		"base: {tools: {a: x}}\nmatrix: {k: [1]}":                                                                                   false,
		"matrix: {prompts: [Be short.]}":                                                                                            false,
		"matrix: {prompts: {}}":                                                                                                     false,
		"matrix: {prompts: {a b: Be short.}}":                                                                                       false,
		"matrix: {prompts: {a: {usr: Be short.}}}":                                                                                  false,
		"matrix: {prompts: {a: ''}}":                                                                                                false,
		"{}":                                                                                                                        false,
		"configurations: [{set: {k: 1}}]":                                                                                           false,
		"configurations: [{name: a, st: {k: 1}}]":                                                                                   false,
		"configurations: [{name: a, set: {kk: 1}}]":                                                                                 false,
		"configurations: [{name: a, set: {k: many}}]":                                                                               false,
		"configurations: [{name: a, set: {agent.temperature: x}}]":                                                                  false,
		"configurations: [{name: a, set: {agent.kk: 1}}]":                                                                           false,
		"matrix: {k: []}":                   false,
		"matrix: {k: 3}":                    false,
		"matrix: {kk: [3]}":                 false,
		"matrix: {k: [1], exclude: [{}]}":   false,
		"matrix: {k: [1], exclude: {k: 1}}": false,
	} {
		if _, err := parse("spec.yaml", "spec", []byte(text)); (err == nil) != ok {
			t.Errorf("%s: Read says %v", text, err)
		}
		if err := schema.Validate(plain(t, []byte(text))); (err == nil) != ok {
			t.Errorf("%s: the schema says %v", text, err)
		}
	}
}

// TestSchemaHasTheKeys holds the schema's keys against those that are read.
func TestSchemaHasTheKeys(t *testing.T) {
	_, doc := loadSpecSchema(t)
	at := func(steps ...string) map[string]any {
		here := doc
		for _, s := range steps {
			next, ok := here[s].(map[string]any)
			if !ok {
				t.Fatalf("the schema has no %s", strings.Join(steps, "/"))
			}
			here = next
		}
		return here
	}
	properties := func(of map[string]any) []string { return slices.Sorted(maps.Keys(of)) }
	for _, c := range []struct {
		typ  reflect.Type
		keys map[string]any
	}{
		{reflect.TypeFor[document](), at("properties")},
		{reflect.TypeFor[entry](), at("properties", "configurations", "items", "properties")},
	} {
		if diff := cmp.Diff(tags(c.typ), properties(c.keys)); diff != "" {
			t.Errorf("%s: -read +schema:\n%s", c.typ, diff)
		}
	}

	every, leaves := settingKeys(t)
	settings := at("$defs", "settings", "properties")
	if diff := cmp.Diff(every, properties(settings)); diff != "" {
		t.Errorf("settings: -configuration +schema:\n%s", diff)
	}
	for key, s := range settings {
		ref := s.(map[string]any)["$ref"].(string)
		want := "/properties/" + strings.ReplaceAll(key, ".", "/properties/")
		if !strings.HasSuffix(ref, want) && !strings.HasSuffix("/properties"+strings.TrimPrefix(ref, "#/$defs"), want) {
			t.Errorf("settings: %s refers to %s", key, ref)
		}
	}
	var dotted []string
	for _, key := range at("$defs", "key")["anyOf"].([]any)[0].(map[string]any)["enum"].([]any) {
		dotted = append(dotted, key.(string))
	}
	slices.Sort(dotted)
	if diff := cmp.Diff(leaves, dotted); diff != "" {
		t.Errorf("keys of a matrix: -configuration +schema:\n%s", diff)
	}
}

func TestSchemaDescribesEveryKey(t *testing.T) {
	_, doc := loadSpecSchema(t)
	var look func(path string, v any)
	look = func(path string, v any) {
		m, _ := v.(map[string]any)
		for key, inner := range m {
			if key == "properties" {
				for name, p := range inner.(map[string]any) {
					if text, _ := p.(map[string]any)["description"].(string); text == "" {
						t.Errorf("%s/%s has no description", path, name)
					}
				}
			}
			look(path+"/"+key, inner)
		}
	}
	look("", doc)
}

// tags lists the keys of a struct, sorted.
func tags(typ reflect.Type) []string {
	var out []string
	for i := range typ.NumField() {
		if tag := typ.Field(i).Tag.Get("yaml"); !strings.HasPrefix(tag, ",") {
			out = append(out, tag)
		}
	}
	slices.Sort(out)
	return out
}

// settingKeys lists the dotted keys of a configuration, sorted: all of them, and those that
// hold a value. Providers and agents have names of their own.
func settingKeys(t *testing.T) (every, leaves []string) {
	t.Helper()
	c := config.New()
	c.Agent.Explain, c.Agent.Plan = config.ExplainFirst, config.Plan{Analysis: config.Off, Reflection: config.Off, Synthesis: config.Off, Workers: 1}
	c.Agent.Condense = config.CondenseOn
	c.Agent.InlineCalls = 1
	few := 1
	c.Agent.DatasetTools, c.Agent.Offer = &few, config.Offer{K: 1, Embeddings: "a:b"}
	own := config.Prompt{Text: "x"}
	c.Agent.Prompts = config.Prompts{System: own, Analysis: own, NextStep: own, Reflection: own, Synthesis: own, User: own}
	c.Memory = config.Memory{File: "m", Mode: config.MemoryAll, K: 1, Embeddings: "a:b", Summaries: "on", Budget: 1}
	c.Faults = config.Faults{Tool: "calc", Kinds: config.FaultKinds(), Rate: 1, Seed: 1}
	c.Consensus.Quorum, c.Verifier.MaxTokens, c.Judge.MaxTokens = consensus.QuorumNone, 1, 1 // the defaults are not written
	raw, err := yaml.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	var tree map[string]any
	if err := yaml.Unmarshal(raw, &tree); err != nil {
		t.Fatal(err)
	}
	var walk func(prefix string, tree map[string]any)
	walk = func(prefix string, tree map[string]any) {
		for key, v := range tree {
			every = append(every, prefix+key)
			if inner, ok := v.(map[string]any); ok {
				walk(prefix+key+".", inner)
			} else {
				leaves = append(leaves, prefix+key)
			}
		}
	}
	walk("", tree)
	every = append(every, "agents")
	slices.Sort(every)
	slices.Sort(leaves)
	return every, leaves
}
