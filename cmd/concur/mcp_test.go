package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// linked makes this test a program named concur, for servers that it starts.
func linked(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "concur")
	if err := os.Symlink(os.Args[0], path); err != nil {
		t.Skip(err)
	}
	return path
}

// A run with tools of a server, its replay without one, what is resumed of it, and what
// compare says once the server has another tool.
func TestRunWithMCPServer(t *testing.T) {
	program := linked(t)
	conf := scripted(t, map[string][]move{
		"Sum": {{tool: "sums__calc", call: `{"expression": "2+3"}`}, {says: "It follows.\nAnswer: 5"}},
		"Bad": {{tool: "sums__calc", call: `{"expression": "1/0"}`}, {tool: "sums__calc", call: `{"sum": "1"}`}, {says: "Answer: [ABSTAIN]"}},
	})
	t.Chdir(t.TempDir())
	raw, err := os.ReadFile(conf)
	if err != nil {
		t.Fatal(err)
	}
	settings := strings.Replace(string(raw), "tools: [calc]", `tools: ["sums__*"]`, 1) +
		"mcp:\n  sums: {command: [" + program + ", mcp, serve, --config, served.yaml]}\n"
	write(t, "concur.yaml", settings)
	write(t, "served.yaml", "agent: {tools: [calc]}\n")
	write(t, "q.jsonl", `{"id": "sum", "category": "calculation", "query": "Sum?", "gold": {"type": "integer", "answer": "5"}, "source": "computed"}
{"id": "bad", "category": "calculation", "query": "Bad?", "gold": {"type": "integer", "answer": "5"}, "source": "computed"}
`)
	must(t, exitOK, "run", "q.jsonl", "-k", "2", "--seed", "1", "--quiet")
	first := runFolders(t)[0]
	traced, _ := must(t, exitOK, "trace", first, "sum")
	for _, want := range []string{`sums__calc {"expression":"2+3"}`, `{"value":"5"}`} {
		if !strings.Contains(traced, want) {
			t.Errorf("trace lacks %s:\n%s", want, traced)
		}
	}
	if traced, _ := must(t, exitOK, "trace", first, "bad"); !strings.Contains(traced, "division by zero") || !strings.Contains(traced, "additional properties 'sum' not allowed") {
		t.Errorf("errors of the server and of its schema:\n%s", traced)
	}

	// The replay starts no process: its program was moved away.
	moved(t, program, program+"-away")
	must(t, exitOK, "run", "--replay", first, "--check", "--quiet")
	if _, said := must(t, exitUsage, "run", "q.jsonl", "--quiet"); !strings.Contains(said, "mcp.sums.command") {
		t.Errorf("a program that is not there: %s", said)
	}
	moved(t, program+"-away", program)

	// What a kill leaves behind is finished, with the same result.
	results := filepath.Join("runs", first, "results.jsonl")
	whole, err := os.ReadFile(results)
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := os.ReadFile(filepath.Join("runs", first, "run.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	cut := func() {
		write(t, results, strings.Join(strings.SplitAfter(string(whole), "\n")[:2], ""))
		write(t, filepath.Join("runs", first, "run.yaml"), strings.Replace(string(manifest), "state: complete", "state: running", 1))
	}
	cut()
	resumed, _ := must(t, exitOK, "run", "--resume", first, "--quiet", "--format", "json")
	if !strings.Contains(resumed, `"correct": 1`) {
		t.Errorf("resumed: %.600s", resumed)
	}

	// Another server makes another agent.
	cut()
	write(t, "served.yaml", "agent: {tools: [calc, planner]}\n")
	if _, said := must(t, exitUsage, "run", "--resume", first, "--quiet"); !strings.Contains(said, "has changed since it began") {
		t.Errorf("resumed with another server: %s", said)
	}
	write(t, results, string(whole))
	write(t, filepath.Join("runs", first, "run.yaml"), string(manifest))
	must(t, exitOK, "run", "q.jsonl", "-k", "2", "--seed", "1", "--quiet")
	if out, _ := must(t, exitOK, "compare", first, "latest"); !strings.Contains(strings.Join(strings.Fields(out), " "), "tool sums__planner: its server has it now") {
		t.Errorf("compare:\n%s", out)
	}
}

func TestMCPCommands(t *testing.T) {
	program := linked(t)
	t.Chdir(t.TempDir())
	write(t, "served.yaml", "agent: {tools: [calc, web_search]}\n")
	write(t, "concur.yaml", "mcp:\n  own: {command: ["+program+", mcp, serve, --config, served.yaml], tools: [calc]}\n")
	out, _ := must(t, exitOK, "tools", "list")
	for _, want := range []string{"own__calc ", "own__web_search   left out: the tools of its server in concur.yaml do not name it"} {
		if !strings.Contains(out, want) {
			t.Errorf("tools list lacks %q:\n%s", want, out)
		}
	}
	out, _ = must(t, exitOK, "tools", "call", "own__web_search", `{"query":"Danube","limit":1}`)
	if !strings.Contains(out, `"id":"corpus_1"`) || !strings.Contains(out, `"title":"Danube"`) {
		t.Errorf("through the server: %s", out)
	}
	write(t, "concur.yaml", "agent: {tools: [sums__calc]}\nmcp:\n  sums: {command: [sh]}\n")
	if _, said := must(t, exitUsage, "mcp", "serve"); !strings.Contains(said, "no tool of concur to serve") {
		t.Errorf("nothing to serve: %s", said)
	}
	if _, said := must(t, exitUsage, "mcp", "serve", "--addr", "0.0.0.0:0", "--config", "served.yaml"); !strings.Contains(said, "not a loopback address") {
		t.Errorf("an open address: %s", said)
	}
	for _, c := range []struct{ conf, want string }{
		{"mcp:\n  own: {command: [sh, -c, exit 1]}", "the MCP server own (sh -c exit 1)"},
		{"mcp:\n  own: {command: [nosuchprogram]}", "mcp.own.command"},
		{"mcp:\n  own: {url: \"http://127.0.0.1:1/mcp\"}", "set allow_private: true"},
		{"mcp:\n  own: {command: [sh], env: [NOT_SET_HERE]}", "mcp.own names NOT_SET_HERE, which is not set"},
		{"mcp:\n  Own-1: {command: [sh]}", "lower-case letters and digits"},
		{"mcp:\n  own: {}", "concur.yaml:2:8: mcp.own: give a command"},
		{"mcp:\n  own: {url: \"https://me:pw@example.org/\"}", "user or a password"},
		{"mcp:\n  own: {url: \"https://example.org/?api_key=abc\"}", "has a key as api_key"},
		{"mcp:\n  own: {command: [sh], session: ever}", `mcp.own.session "ever" is not known: run, trace`},
		{"mcp:\n  own: {command: [sh], writes: yes}", "writes"},
		{"mcp:\n  own: {command: [sh], auth: {env: A}}", "for a url"},
		{"agent: {tools: [own__calc]}", `there is no MCP server "own" for the tool own__calc`},
	} {
		write(t, "concur.yaml", c.conf+"\n")
		code, _, said := invoke("tools", "call", "own__calc", "{}")
		if code != exitUsage || !strings.Contains(said, c.want) {
			t.Errorf("%s: exit %d, %s, want %s", c.conf, code, said, c.want)
		}
	}
}
