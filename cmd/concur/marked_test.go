package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
	"gopkg.in/yaml.v3"

	"github.com/seed-5817661a/concur/cmd/concur/console"
	"github.com/seed-5817661a/concur/internal/secret"
)

// markedKeys are one that begins as a vendor's do, and one that only the environment shows to be a key.
var markedKeys = map[string]string{"prefix": "sk" + "-marked-93b1f07a5cde8264", "variable": "marked_93b1f07a5cde8264_xyz"}

// marks runs commands with a key somewhere, in a folder, and looks for the key in all that they print and write.
type marks struct {
	dir    string
	hiders map[string]*secret.Hider
	n      int
}

func newMarks(t *testing.T) *marks {
	t.Helper()
	t.Chdir(t.TempDir())
	m := &marks{dir: ".", hiders: map[string]*secret.Hider{}}
	for name, key := range markedKeys {
		m.hiders[name] = secret.New(key)
	}
	for name, text := range map[string]string{
		"one.yaml": "- {id: a, category: c, query: \"What is 2+2?\", gold: {type: integer, answer: \"4\"}}\n",
		"agent.sh": "read -r _; echo '{\"answer\": 4}'\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// try runs a command with further variables and reports where the key was found afterwards.
func (m *marks) try(t *testing.T, what, kind string, variables map[string]string, args ...string) (code int, errs string) {
	t.Helper()
	m.n++
	all := []string{"MY_SERVICE_KEY=" + markedKeys["variable"], "PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME")}
	for name, value := range variables {
		all = append(all, name+"="+value)
	}
	environ := func(name string) string {
		for _, v := range all {
			if value, ok := strings.CutPrefix(v, name+"="); ok {
				return value
			}
		}
		return ""
	}
	var out, err bytes.Buffer
	code = run(append([]string{"concur"}, args...), console.Console{In: strings.NewReader(""), Out: &out, Err: &err, Environ: environ, Variables: all, Exit: os.Exit})
	shown := map[string]string{"standard output": out.String(), "standard error": err.String()}
	for _, dir := range []string{"runs", "bl.jsonl"} {
		_ = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				raw, _ := os.ReadFile(path)
				shown[path], shown["names of files"] = string(raw), shown["names of files"]+path+"\n"
			}
			return nil
		})
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
	}
	for where, text := range shown {
		if hidden := m.hiders[kind].Hide(text); hidden != text || strings.Contains(text, "93b1f07a") {
			at := strings.Index(hidden, secret.Mark)
			t.Errorf("%s with the key of a %s: %s has it: …%q", what, kind, where, text[max(0, at-60):min(len(text), max(0, at)+60)])
		}
	}
	return code, err.String()
}

// schemaPaths lists where a configuration takes texts: documents with one text each, made by the schema of docs.
func schemaPaths(t *testing.T, raw []byte, value string) map[string]any {
	t.Helper()
	var root map[string]any
	if err := json.Unmarshal(raw, &root); err != nil {
		t.Fatal(err)
	}
	out := map[string]any{}
	var walk func(path string, schema map[string]any, wrap func(any) any)
	within := map[string]bool{} // the references that lead to the present place
	walk = func(path string, schema map[string]any, wrap func(any) any) {
		if ref, ok := schema["$ref"].(string); ok {
			if within[ref] {
				return
			}
			within[ref] = true
			defer delete(within, ref)
			at := any(root)
			for step := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
				at = at.(map[string]any)[step]
			}
			schema, _ = at.(map[string]any)
		}
		if strings.Count(path, ".") > 6 {
			return
		}
		out[path] = wrap(value) // also where no text belongs
		for name, inner := range object(schema["properties"]) {
			walk(path+"."+name, object(inner), func(v any) any { return wrap(map[string]any{name: v}) })
		}
		if inner := object(schema["additionalProperties"]); inner != nil {
			walk(path+".x", inner, func(v any) any { return wrap(map[string]any{"x": v}) })
		}
		if schema["type"] == "object" || schema["properties"] != nil {
			out[path+" as a name"] = wrap(map[string]any{value: map[string]any{}})
			out[path+" as a name of a text"] = wrap(map[string]any{value: "x"})
		}
		if items := object(schema["items"]); items != nil {
			walk(path+"[]", items, func(v any) any { return wrap([]any{v}) })
		}
		for _, of := range []string{"anyOf", "oneOf", "allOf"} {
			list, _ := schema[of].([]any)
			for i, one := range list {
				walk(fmt.Sprintf("%s/%d", path, i), object(one), wrap)
			}
		}
	}
	walk("", root, func(v any) any { return v })
	return out
}

func object(v any) map[string]any {
	out, _ := v.(map[string]any)
	return out
}

// configurationSchema returns the schema of concur.yaml with the schema of a query in it.
func configurationSchema(t *testing.T) []byte {
	t.Helper()
	raw, err := os.ReadFile("../../docs/concur.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var root map[string]any
	if err := json.Unmarshal(raw, &root); err != nil {
		t.Fatal(err)
	}
	_, ofDatasets := loadSchema(t, "dataset.schema.json")
	own := maps.Clone(object(ofDatasets["$defs"]))
	own["query"] = ofDatasets["items"]
	for name, schema := range object(root["$defs"]) {
		if own[name] != nil {
			t.Fatalf("both schemas define %s", name)
		}
		own[name] = schema
	}
	root["$defs"] = own
	whole, err := json.Marshal(root)
	if err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{"dataset.schema.json#/items": "#/$defs/query", "#/items/": "#/$defs/query/"} {
		whole = bytes.ReplaceAll(whole, []byte(`"$ref":"`+from), []byte(`"$ref":"`+to))
	}
	return whole
}

// TestMarkedKeyInConfigurations puts a key into every place of concur.yaml.
func TestMarkedKeyInConfigurations(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes under the race detector, which it is not about")
	}
	schema := configurationSchema(t)
	m := newMarks(t)
	for kind, key := range markedKeys {
		for _, value := range []string{key, "--token=" + key, "http://127.0.0.1:1/" + key + "/v1"} {
			paths := schemaPaths(t, schema, value)
			if len(paths) < 150 {
				t.Fatalf("%d places", len(paths))
			}
			for path, doc := range paths {
				raw, err := yaml.Marshal(doc)
				if err == nil {
					err = os.WriteFile("c.yaml", raw, 0o600)
				}
				if err != nil {
					t.Fatal(err)
				}
				m.try(t, path, kind, nil, "run", "one.yaml", "-k", "1", "--config", "c.yaml", "--quiet", "--tries", "1")
			}
		}
	}
	t.Logf("%d commands", m.n)
}

// TestMarkedKeyIsRefused: what would be recorded is refused with the way out, and that way works.
func TestMarkedKeyIsRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes under the race detector, which it is not about")
	}
	m := newMarks(t)
	var got []string
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = append(got, r.URL.Path+" "+r.Header.Get("X-Second-Key"))
		_, _ = fmt.Fprintf(w, `{"choices": [{"index": 0, "message": {"role": "assistant", "content": "Answer: 4, by %s"}, "finish_reason": "stop"}]}`, r.URL.Path)
	}))
	defer endpoint.Close()
	const provider = "model: p:m\nproviders: {p: {kind: openai, auth: none, base_url: '%s/v1'%s}}\n"
	for _, c := range []struct{ what, conf, says string }{
		{"argument", "agent: {exec: [sh, agent.sh, --api-key=KEY], env: [SECOND_KEY], proxy: false}", "agent.exec: item 3"},
		{"variable", "agent: {exec: [sh, agent.sh], env: ['SECOND_KEY=KEY'], proxy: false}", "agent.env: item 1 is not the name of a variable"},
		{"server", "mcp: {x: {command: [npx, KEY]}}", "mcp.x.command: item 2"},
		{"path", fmt.Sprintf(provider, endpoint.URL+"/KEY", ""), "providers.p.base_url"},
		{"header", fmt.Sprintf(provider, endpoint.URL, ", headers: {X-Second-Key: KEY}"), "headers.X-Second-Key"},
		{"body", fmt.Sprintf(provider, endpoint.URL, ", extra_body: {metadata: {token: KEY}}"), "extra_body.metadata.token"},
		{"model", "model: openai:KEY", "model looks like a key"},
		{"agent.http", "agent: {http: 'http://127.0.0.1:1/KEY/run'}", "agent.http"},
	} {
		for kind, key := range markedKeys {
			if err := os.WriteFile("c.yaml", []byte(strings.ReplaceAll(c.conf, "KEY", key)), 0o600); err != nil {
				t.Fatal(err)
			}
			code, errs := m.try(t, c.what, kind, nil, "run", "one.yaml", "-k", "1", "--config", "c.yaml", "--tries", "1")
			if code != exitUsage || kind == "prefix" && !strings.Contains(errs, c.says) {
				t.Errorf("%s with the key of a %s: exit %d, %s", c.what, kind, code, errs)
			}
		}
	}
	for _, filled := range []string{
		fmt.Sprintf(provider, endpoint.URL+"/${SECOND_KEY}", ", headers: {X-Second-Key: '${SECOND_KEY}'}, extra_body: {metadata: {token: '${SECOND_KEY}'}}"),
		"agent: {exec: [sh, -c, 'read -r _; echo \"{\\\"answer\\\": \\\"$SECOND_KEY\\\"}\"; echo \"$SECOND_KEY\" >&2'], env: [SECOND_KEY], proxy: false}",
		"agent: {exec: [env, 'sh', -c, 'read -r _; echo \"{\\\"answer\\\": \\\"${SECOND_KEY}\\\"}\"'], env: [SECOND_KEY], proxy: false}",
	} {
		if err := os.WriteFile("c.yaml", []byte(filled), 0o600); err != nil {
			t.Fatal(err)
		}
		code, errs := m.try(t, "a variable that is filled in", "prefix", map[string]string{"SECOND_KEY": markedKeys["prefix"]}, "run", "one.yaml", "-k", "1", "--config", "c.yaml", "--tries", "1")
		if code != exitOK {
			t.Errorf("%s: exit %d, %s", filled, code, errs)
		}
	}
	if want := "/" + markedKeys["prefix"] + "/v1/chat/completions " + markedKeys["prefix"]; !slices.Contains(got, want) {
		t.Errorf("the endpoint got %q, want %q", got, want)
	}
}

// TestMarkedKeyInArguments puts a key into every flag and variable of every command, and into an argument.
func TestMarkedKeyInArguments(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes under the race detector, which it is not about")
	}
	m := newMarks(t)
	c := &console.Console{Environ: os.Getenv}
	app := newApp(c)
	var walk func(words []string, commands []*cli.Command)
	walk = func(words []string, commands []*cli.Command) {
		for _, command := range commands {
			name := append(slices.Clip(words), command.Name)
			walk(name, command.Subcommands)
			for kind, key := range markedKeys {
				tries := [][]string{append(slices.Clip(name), key), append(slices.Clip(name), "x="+key)}
				var variables []string
				for _, f := range command.Flags {
					flag := "--" + f.Names()[0]
					if flag == "--key" {
						continue
					}
					tries = append(tries, append(slices.Clip(name), flag, key))
					if kind == "prefix" {
						tries = append(tries, append(slices.Clip(name), flag+"="+key))
					}
					if documented, ok := f.(cli.DocGenerationFlag); ok {
						variables = append(variables, documented.GetEnvVars()...)
					}
				}
				for _, args := range tries {
					if code, errs := m.try(t, strings.Join(args[:len(args)-1], " "), kind, nil, args...); code != exitUsage || !strings.Contains(errs, "looks like a key") {
						t.Errorf("%s with the key of a %s: exit %d, %s", name, kind, code, errs)
					}
				}
				for _, v := range variables {
					if v == "CONCUR_SERVE_KEY" {
						continue
					}
					if code, errs := m.try(t, v, kind, map[string]string{v: key}, name...); code != exitUsage || !strings.Contains(errs, v+" looks like a key") {
						t.Errorf("%s with the key of a %s: exit %d, %s", v, kind, code, errs)
					}
				}
			}
		}
	}
	walk(nil, app.Commands)
	if m.n < 500 {
		t.Errorf("%d commands", m.n)
	}
	for kind, key := range markedKeys { // an address with a key is used, and not recorded
		m.try(t, "OPENAI_BASE_URL", kind, map[string]string{"OPENAI_BASE_URL": "http://127.0.0.1:1/" + key + "/v1", "OPENAI_API_KEY": key}, "run", "one.yaml", "-k", "1", "--model", "openai:x", "--tries", "1", "--give-up", "1s")
	}
}
