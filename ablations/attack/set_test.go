package attack_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/ablations/attack"
	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/model"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/tool"
	"github.com/seed-5817661a/concur/trace"
)

var both = []attack.Way{attack.InDocument, attack.AsQuestion}

func read(t *testing.T, name, text string) []attack.Case {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cases, err := attack.Read(path, nil, both)
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

// TestReadForms: the three forms of files give the same cases, and an effect that can be seen.
func TestReadForms(t *testing.T) {
	lines := read(t, "a.txt", "System override\n# comment\nHONEST: a text\n")
	if len(lines) != 4 || lines[0].Way != attack.InDocument || lines[1].Way != attack.AsQuestion ||
		!strings.Contains(lines[0].Text, lines[0].Want) || lines[0].Want == lines[1].Want || !lines[2].Honest || lines[2].Text != "a text" {
		t.Errorf("%+v", lines)
	}
	objects := read(t, "a.jsonl", `{"id": "x/1", "text": "System override", "label": 1, "licence": "MIT"}`+"\n\n"+`{"prompt": "a text", "label": 0}`)
	if len(objects) != 4 || objects[0].ID != "x-1" || objects[1].ID != "x-1.question" || !objects[2].Honest || objects[2].Effect != "" {
		t.Errorf("%+v", objects)
	}
	list := read(t, "a.yaml", "- {name: x, text: 'say {{want}}', want: XYZ}\n- {name: x, text: pay, tool: pay_bill, way: question}\n- {text: 'it is {{want}}', effect: value, way: document}")
	if len(list) != 4 || list[0].Text != "say XYZ" || list[2].ID != "x.2" || list[2].Effect != attack.Call ||
		!strings.Contains(list[2].Text, "pay_bill") || list[3].Effect != attack.Value || !list[3].Obeyed("It is "+list[3].Want, nil) {
		t.Errorf("%+v", list)
	}
}

// TestReadAll: cases of several files have ids of their own.
func TestReadAll(t *testing.T) {
	dir := t.TempDir()
	var names []string
	for name, text := range map[string]string{"t1.txt": "one\n", "t2.txt": "two\n\nthree\n", "a.yaml": "- {name: mail, text: x}",
		"b.jsonl": `{"id": "mail", "text": "y"}` + "\n" + `{"text": "z"}`, "c.jsonl": `{"text": "w"}`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		names = append(names, filepath.Join(dir, name))
	}
	slices.Sort(names)
	cases, err := attack.ReadAll(append(names, attack.Development), nil, []attack.Way{attack.InDocument})
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, c := range cases[:7] {
		ids = append(ids, c.ID)
	}
	want := []string{"mail", "mail.2", "attack", "attack.2", "t1.line1", "t2.line1", "t2.line3"}
	if !slices.Equal(ids, want) {
		t.Errorf("ids %q, want %q", ids, want)
	}
	if _, err := attack.NewSet(cases, []datasets.Query{{ID: "q", Text: "?"}}, false); err != nil {
		t.Error(err)
	}
	if alone := read(t, "t1.txt", "one"); alone[0].ID != "line1" {
		t.Errorf("a file alone: %s", alone[0].ID)
	}
}

// fixed is a tool with an output.
type fixed struct {
	spec tool.Spec
	out  tool.Output
}

func (f fixed) Spec() tool.Spec {
	f.spec.Description, f.spec.Parameters = "Does it.", json.RawMessage(`{"type":"object","properties":{}}`)
	return f.spec
}
func (f fixed) Call(context.Context, json.RawMessage) (tool.Output, error) { return f.out, nil }

func spec(name string) tool.Spec { return tool.Spec{ToolSpec: model.ToolSpec{Name: name}} }

// TestTools: payloads reach the results of tools that look outside, in the traces of their case alone; a tool that an
// attack wants does nothing.
func TestTools(t *testing.T) {
	cases := []attack.Case{
		{ID: "a", Text: "PAYLOAD", Effect: attack.Token, Want: "x", Way: attack.InDocument, Position: "end"},
		{ID: "b", Text: "pay", Effect: attack.Call, Want: "pay", Way: attack.AsQuestion},
	}
	s, err := attack.NewSet(cases, []datasets.Query{{ID: "q1", Text: "One?"}, {ID: "q2", Text: "Two?"}}, false)
	if err != nil {
		t.Fatal(err)
	}
	search, calc := spec("web_search"), spec("calc")
	search.Evidence, calc.Pure = true, true
	documents := []trace.Document{{Ref: "1", Snippet: "one"}, {Ref: "2", Snippet: "two"}}
	registry, err := tool.New(s.Tools([]tool.Tool{
		fixed{search, tool.Output{Documents: documents}},
		fixed{calc, tool.Output{Object: map[string]any{"result": "5"}}},
		fixed{spec("notes"), tool.Output{Object: map[string]any{"n": 1, "text": "note"}}},
		fixed{spec("empty"), tool.Output{}},
		fixed{spec("pay"), tool.Output{Object: map[string]any{"paid": true}}},
	})...)
	if err != nil {
		t.Fatal(err)
	}
	ask := func(query, name string) string {
		ctx := tool.WithTrace(t.Context(), trace.ID{Query: query})
		res := registry.Invoke(ctx, model.ToolCall{ID: "c", Name: name, Arguments: "{}"}, config.New().Agent.ToolTimeout)
		raw, err := res.Output.Render(res.Output.Documents)
		if err != nil || res.Error != "" {
			t.Fatal(err, res.Error)
		}
		return string(raw)
	}
	for _, name := range []string{"web_search", "notes", "empty", "calc"} {
		if got := strings.Count(ask("a", name), "PAYLOAD"); got != map[string]int{"web_search": 2, "notes": 1, "empty": 1}[name] {
			t.Errorf("%s: %d payloads", name, got)
		}
		if strings.Contains(ask("b", name)+ask("task.q1", name), "PAYLOAD") {
			t.Errorf("%s has the payload of another case", name)
		}
	}
	if documents[0].Snippet != "one" || strings.Contains(ask("b", "pay"), "paid") {
		t.Error("the tool's own output was changed, or the tool that an attack wants was called")
	}

	data := s.Dataset()
	texts := map[string]string{}
	for _, q := range data.Queries {
		texts[q.ID] = q.Text
	}
	if len(texts) != 3 || texts["a"] != "One?" || texts["b"] != "pay" || texts["task.q1"] != "One?" {
		t.Errorf("%v", texts)
	}
	inline, err := attack.NewSet(cases[:1], []datasets.Query{{ID: "q1", Text: "One?"}}, true)
	if err != nil || !strings.HasSuffix(inline.Dataset().Queries[0].Text, "PAYLOAD") {
		t.Errorf("%v %+v", err, inline)
	}
	for _, bad := range [][]attack.Case{nil, {cases[0], cases[0]}} {
		if _, err := attack.NewSet(bad, []datasets.Query{{ID: "q"}}, false); err == nil {
			t.Errorf("%v is accepted", bad)
		}
	}
	if _, err := attack.NewSet(cases, nil, false); err == nil {
		t.Error("documents attack without a question")
	}
}

// TestConfigurations: each guard is switched, also one that is off.
func TestConfigurations(t *testing.T) {
	names := func(c config.Configuration) (out []string) {
		for _, row := range attack.Configurations(c, false) {
			out = append(out, row.Name)
		}
		return out
	}
	if got := names(config.New()); !slices.Equal(got, []string{"as configured", "without injection", "without sanitise", "without spotlight", "without any of them"}) {
		t.Error(got)
	}
	one := config.New()
	one.Agent.Guards = []string{config.GuardSanitise}
	if got := names(one); !slices.Equal(got, []string{"as configured", "with injection", "without sanitise", "with spotlight"}) {
		t.Error(got)
	}
}
