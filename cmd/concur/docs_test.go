package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/urfave/cli/v2"
	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/cmd/concur/flags"
	"github.com/seed-5817661a/concur/consensus"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/datasets/answer"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/hub/coordinator"
	"github.com/seed-5817661a/concur/runner/playbook"
)

const docsDir = "../../docs"

func loadSchema(t *testing.T, name string) (*jsonschema.Schema, map[string]any) {
	t.Helper()
	c := jsonschema.NewCompiler()
	var doc any
	for _, name := range slices.Compact([]string{"dataset.schema.json", name}) { // concur.schema.json refers to the first
		raw, err := os.ReadFile(filepath.Join(docsDir, name))
		if err != nil {
			t.Fatal(err)
		}
		if doc, err = jsonschema.UnmarshalJSON(bytes.NewReader(raw)); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := c.AddResource(name, doc); err != nil {
			t.Fatal(err)
		}
	}
	s, err := c.Compile(name)
	if err != nil {
		t.Fatal(err)
	}
	return s, doc.(map[string]any)
}

// fromYAML reads YAML as the plain values that a JSON Schema is about.
func fromYAML(t *testing.T, raw []byte) any {
	t.Helper()
	var v any
	if err := yaml.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	asJSON, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	back, err := jsonschema.UnmarshalJSON(bytes.NewReader(asJSON))
	if err != nil {
		t.Fatal(err)
	}
	return back
}

// TestConfigurationSchema holds docs/concur.schema.json against the configuration: the
// same keys, the same defaults.
func TestConfigurationSchema(t *testing.T) {
	schema, doc := loadSchema(t, "concur.schema.json")
	raw, err := yaml.Marshal(config.New())
	if err != nil {
		t.Fatal(err)
	}
	defaults := fromYAML(t, raw)
	defaults.(map[string]any)["dataset"] = flags.DefaultDataset // of the file, not of a configuration
	defaults.(map[string]any)["tests"] = []any{}
	defaults.(map[string]any)["prompts"] = map[string]any{}
	defaults.(map[string]any)["hub"] = map[string]any{"url": "", "losses": json.Number(strconv.Itoa(coordinator.DefaultLosses)),
		"ack_wait": "30s", "token_file": "", "ca": ""}
	defaults.(map[string]any)["telemetry"] = nil
	// Left out of what is written at its default, so that older hashes stay.
	defaults.(map[string]any)["consensus"].(map[string]any)["quorum"] = string(consensus.QuorumMajority)
	defaults.(map[string]any)["extract"] = string(config.ExtractRules)
	defaults.(map[string]any)["extractor"] = map[string]any{"model": config.SameModel, "temperature": json.Number("0"), "max_tokens": json.Number("0")}
	defaults.(map[string]any)["agents"] = map[string]any{}
	defaults.(map[string]any)["scorer"] = ""
	maps.Copy(defaults.(map[string]any)["agent"].(map[string]any), map[string]any{
		"playbook": map[string]any{"file": "", "mode": config.PlaybookOff, "k": json.Number("3"), "where": config.PlaybookInSystem, "budget": json.Number("2000"), "section": "", "with_tools": false, "same_category": false, "stage": config.PlaybookShown, "embeddings": ""},
		"offer":    map[string]any{"k": json.Number("0"), "embeddings": ""}, "dataset_tools": nil, "inline_calls": json.Number("0"),
		"citations": map[string]any{"min_score": json.Number("0"), "below": string(config.BelowReject)},
		"explain":   string(config.ExplainOff), "condense": string(config.CondenseOff), "prompts": map[string]any{"system": "", "user": "", "analysis": "", "next_step": "", "reflection": "", "synthesis": ""}, "analysis": string(config.On), "reflection": string(config.On), "synthesis": string(config.On),
		"tool_workers": json.Number(strconv.Itoa(config.DefaultWorkers)),
		"exec":         []any{}, "serve": false, "http": "", "locale": "", "output": config.OutputJSON, "proxy": true,
		"timeout": config.DefaultAgentTimeout.String(), "env": []any{}, "key": config.KeyEnv, "files": []any{}, "version": "", "parts": []any{}, "off": []any{},
		"sandbox": "off", "sandbox_allow": []any{},
		"reply": map[string]any{"steps": json.Number("0"), "documents": json.Number("0"), "text_kb": json.Number("0"), "total_kb": json.Number("0")},
	})
	defaults.(map[string]any)["mcp"], defaults.(map[string]any)["tools"] = map[string]any{}, map[string]any{}
	defaults.(map[string]any)["memory"] = map[string]any{
		"file": "", "mode": "off", "embeddings": "", "summaries": "off",
		"k": json.Number(strconv.Itoa(config.DefaultMemories)), "context_budget": json.Number(strconv.Itoa(config.DefaultBudget)),
	}
	defaults.(map[string]any)["faults"] = map[string]any{"tool": "", "kinds": []any{}, "rate": json.Number("0"), "seed": json.Number("0")}
	defaults.(map[string]any)["verifier"].(map[string]any)["reads"] = string(consensus.ReadsAnswers)
	for _, key := range []string{"verifier", "judge"} {
		defaults.(map[string]any)[key].(map[string]any)["max_tokens"] = json.Number("0")
	}
	maps.Copy(defaults.(map[string]any)["judge"].(map[string]any), map[string]any{
		"calibration": "", "embeddings": "", "repeats": json.Number("0"), "panel": map[string]any{"members": []any{}, "rule": ""}, "rubric": []any{},
	})
	if err := schema.Validate(defaults); err != nil {
		t.Errorf("the defaults do not follow the schema: %v", err)
	}
	if diff := cmp.Diff(defaults, defaultsOf(doc)); diff != "" {
		t.Errorf("keys and defaults of configuration and schema differ (-configuration +schema):\n%s", diff)
	}
	if err := schema.Validate(map[string]any{"kk": 3}); err == nil {
		t.Error("the schema lets unknown keys through")
	}
}

// defaultsOf collects the defaults of an object schema.
func defaultsOf(schema map[string]any) any {
	properties, ok := schema["properties"].(map[string]any)
	if !ok {
		return schema["default"]
	}
	out := map[string]any{}
	for name, p := range properties {
		out[name] = defaultsOf(p.(map[string]any))
	}
	return out
}

// TestDatasetSchema holds docs/dataset.schema.json against the built-in sets, the
// fields of a dataset and the answer types.
func TestDatasetSchema(t *testing.T) {
	schema, doc := loadSchema(t, "dataset.schema.json")
	for _, name := range []string{"code60.yaml", "compound30.yaml", "fresh40.yaml", "gold29.yaml", "gold29-paraphrase.yaml", "guards24.yaml", "kb60.yaml", "routing160.yaml", "sql60.yaml", "tools500.yaml", "turns40.yaml"} {
		raw, err := os.ReadFile(filepath.Join("../../datasets/builtin", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(fromYAML(t, raw)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	gold29, err := datasets.Open("gold29")
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := gold29.Write(&file, datasets.CSV); err != nil {
		t.Fatal(err)
	}
	columns, _, _ := strings.Cut(file.String(), "\n")
	// Fields of a query or its gold without a column:
	want := append(strings.Split(columns, ","), "gold", "locale", "premise", "at", "checks", "threshold", "turns",
		"rows", "columns", "sql", "tool", "tests", "language", "beside")
	query := doc["items"].(map[string]any)["properties"].(map[string]any)
	gold := query["gold"].(map[string]any)["properties"].(map[string]any)
	got := slices.AppendSeq(slices.Collect(maps.Keys(query)), maps.Keys(gold))
	if diff := cmp.Diff(slices.Sorted(slices.Values(want)), slices.Sorted(slices.Values(got))); diff != "" {
		t.Errorf("the fields of a dataset and of the schema differ (-dataset +schema):\n%s", diff)
	}
	raw, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	for _, typ := range answer.Types() {
		if !strings.Contains(string(raw), `"`+string(typ)+`"`) {
			t.Errorf("the schema does not know the answer type %s", typ)
		}
	}
}

// TestPlaybookSchema: what a playbook is written as follows docs/playbook.schema.json.
func TestPlaybookSchema(t *testing.T) {
	schema, _ := loadSchema(t, "playbook.schema.json")
	b := playbook.New()
	b.Learned = []playbook.Learned{{Run: "r", Reflector: "sequence/gold", Queries: []playbook.Query{{ID: "q", Hash: "00", Cluster: "c"}}}}
	b.Bullets = []playbook.Bullet{{
		ID: "str-00001", Section: playbook.Strategies, Text: "x", Category: "c", Tags: []string{"y"}, Tools: []string{"a"}, Rate: 0.5, Steps: 2, State: playbook.Quarantined, Stage: playbook.Draft, Created: "2026-01-02T03:04:05Z",
		Origin: []playbook.Origin{{Run: "r", Query: "q", Hash: "00"}},
	}}
	raw, err := b.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(fromYAML(t, raw)); err != nil {
		t.Error(err)
	}
	b.Bullets[0].Helpful = -1
	if raw, err = b.Bytes(); err != nil || schema.Validate(fromYAML(t, raw)) == nil {
		t.Errorf("the schema takes a negative count, error %v", err)
	}
}

// TestReadmeNamesWhatIsThere keeps the commands that the README shows from going stale.
func TestReadmeNamesWhatIsThere(t *testing.T) {
	raw, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	c := &console.Console{}
	for _, command := range newApp(c).Commands {
		known[command.Name] = true
		if !strings.Contains(string(raw), "concur "+command.Name) {
			t.Errorf("the README does not mention `concur %s`", command.Name)
		}
	}
	for _, line := range strings.Split(string(raw), "\n") {
		words := strings.Fields(strings.TrimPrefix(strings.TrimSpace(line), "./bin/"))
		if len(words) > 1 && words[0] == "concur" && strings.HasPrefix(line, "    ") && !known[words[1]] {
			t.Errorf("the README shows a command that is not there: %s", line)
		}
	}
}

// TestEveryCommandAndFlagHasAText: --help and completions say what each of them does.
func TestEveryCommandAndFlagHasAText(t *testing.T) {
	var walk func(commands []*cli.Command)
	walk = func(commands []*cli.Command) {
		for _, command := range commands {
			if command.Usage == "" {
				t.Errorf("concur %s has no text", command.Name)
			}
			for _, f := range command.Flags {
				if doc, is := f.(cli.DocGenerationFlag); !is || doc.GetUsage() == "" {
					t.Errorf("concur %s: --%s has no text", command.Name, f.Names()[0])
				}
			}
			walk(command.Subcommands)
		}
	}
	c := &console.Console{}
	walk(newApp(c).Commands)
}
