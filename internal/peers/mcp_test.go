//go:build peers

package peers

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestMCP takes the two reference servers of the Model Context Protocol through concur, over
// both transports, and the official client in TypeScript through `concur mcp serve`.
func TestMCP(t *testing.T) {
	b := newBench(t, filepath.Join("testdata", "mcp"), "install")
	modules := filepath.Join(b.dir, "node_modules", "@modelcontextprotocol")
	everything := filepath.Join(modules, "server-everything", "dist", "index.js")
	b.writes(t, "data/a.txt", "hello\n")
	port := b.everythingOverHTTP(t, everything)
	files := fmt.Sprintf("  files: {command: [%q, %q, %q], writes: allow}\n", b.node, filepath.Join(modules, "server-filesystem", "dist", "index.js"), filepath.Join(b.dir, "data"))
	for transport, settings := range map[string]string{
		"stdio": fmt.Sprintf("  ev: {command: [%q, %q, stdio], env: [SHOWN], writes: allow}\n", b.node, everything),
		"http":  fmt.Sprintf("  ev: {url: \"http://127.0.0.1:%d/mcp\", allow_private: true, writes: allow}\n", port),
	} {
		t.Run(transport, func(t *testing.T) {
			b.writes(t, "concur.yaml", "mcp:\n"+settings+files)
			b.testReference(t, []string{"SHOWN=yes", "SECRET_KEY=hidden"}, transport == "stdio")
		})
	}
	t.Run("killed", func(t *testing.T) {
		b.writes(t, "concur.yaml", fmt.Sprintf("mcp:\n  ev: {command: [%q, %q, stdio], env: [SHOWN]}\n", b.node, everything))
		b.testKilled(t, everything)
	})
	t.Run("client", func(t *testing.T) {
		b.writes(t, "own.yaml", "agent: {tools: [calc, web_search]}\n")
		url := b.start(t, regexp.MustCompile(`at (http://127\.0\.0\.1:\d+/mcp)$`), nil, b.concur, "mcp", "serve", "--config", "own.yaml", "--addr", "127.0.0.1:0")
		b.script(t, nil, b.node, "client.mjs", b.concur, "own.yaml", url)
	})
}

func (b bench) writes(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(b.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// everythingOverHTTP starts the server on a free port, and waits until it answers.
func (b bench) everythingOverHTTP(t *testing.T, script string) (port int) {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port = free.Addr().(*net.TCPAddr).Port
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(b.node, script, "streamableHttp")
	cmd.Env = b.environment([]string{fmt.Sprintf("PORT=%d", port)})
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	for end := time.Now().Add(clientTime); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			_ = c.Close()
			return port
		}
	}
	t.Fatal("server-everything does not listen")
	return 0
}

// testReference registers all tools of the servers, and looks at the observations that
// docs/mcp.md promises.
func (b bench) testReference(t *testing.T, env []string, process bool) {
	list := b.prints(t, 0, env, "tools", "list")
	served := regexp.MustCompile(`(?m)^(ev|files)__\S+ +(.*)$`).FindAllStringSubmatch(list, -1)
	if len(served) != 27 || strings.Contains(list, "left out") || strings.Contains(list, "not usable: the MCP") {
		t.Errorf("%d tools, want 27:\n%s", len(served), list)
	}
	for _, c := range []struct{ tool, arguments, want string }{
		{"ev__echo", `{"message":"hi"}`, `^\{"text":"Echo: hi"\}$`},
		{"ev__get-sum", `{"a":1,"b":2}`, `^\{"text":"The sum of 1 and 2 is 3\."\}$`},
		{"ev__get-structured-content", `{"location":"Chicago"}`, `^\{"conditions":".*","humidity":\d+,"temperature":\d+\}$`},
		{"ev__get-tiny-image", `{}`, `"bytes":\d+,"media_type":"image/png","sha256":"[0-9a-f]{16}","type":"image"`},
		{"ev__get-resource-links", `{"count":2}`, `"results":\[\{"id":"ev_1",.*"source":"demo://.*"id":"ev_2"`},
		{"files__read_text_file", `{"path":"a.txt"}`, `^\{"content":"hello\\n"\}$`},
		{"files__write_file", `{"path":"b.txt","content":"b"}`, `^\{"content":"Successfully wrote to `},
	} {
		matches(t, b.prints(t, 0, env, "tools", "call", c.tool, c.arguments), c.want)
	}
	for _, c := range []struct{ tool, arguments, want string }{
		{"ev__get-sum", `{"a":"x","b":2}`, `bad_tool_arguments\(ev__get-sum\): a: got string, want number`},
		{"ev__echo", `{"message":"hi","more":1}`, `additional properties 'more' not allowed`},
		{"ev__nope", `{}`, `has no tool "nope"; it has echo, `},
		{"files__read_text_file", `{"path":"/etc/passwd"}`, `tool_failed\(files__read_text_file\): Access denied`},
	} {
		_, stderr, code := b.run(t, env, b.concur, "tools", "call", c.tool, c.arguments)
		if code != 2 {
			t.Errorf("%s: exit %d", c.tool, code)
		}
		matches(t, stderr, c.want)
	}
	start := time.Now()
	_, stderr, _ := b.run(t, env, b.concur, "tools", "call", "ev__trigger-long-running-operation", `{"duration":30,"steps":3}`, "--tool-timeout", "3s")
	matches(t, stderr, `ERROR: timeout\(ev__trigger-long-running-operation\)`)
	t.Logf("an operation of 30 s under a limit of 3 s: %v", time.Since(start).Round(time.Millisecond))
	if process {
		got := b.prints(t, 0, env, "tools", "call", "ev__get-env")
		matches(t, got, `\\"SHOWN\\": \\"yes\\"`)
		if strings.Contains(got, "hidden") {
			t.Errorf("a variable that mcp.ev.env does not name: %s", got)
		}
	}
}

// testKilled kills concur by force in the middle of a call: the server ends with it.
func (b bench) testKilled(t *testing.T, script string) {
	cmd := exec.Command(b.concur, "tools", "call", "ev__trigger-long-running-operation", `{"duration":60,"steps":1}`, "--tool-timeout", "60s")
	cmd.Dir, cmd.Env = b.dir, b.environment([]string{"SHOWN=yes"})
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	await := func(what string, runs bool) time.Duration {
		start := time.Now()
		for serverRuns(script) != runs {
			if time.Since(start) > clientTime {
				t.Fatal(what)
			}
			time.Sleep(10 * time.Millisecond)
		}
		return time.Since(start)
	}
	await("the server does not start", true)
	time.Sleep(time.Second) // so that the call runs
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	took := await("the server runs on", false)
	t.Logf("the server ended %v after concur was killed", took)
	if took > 2*time.Second {
		t.Errorf("the server ended after %v", took)
	}
}

// serverRuns looks for a process with a script and stdio among its arguments.
func serverRuns(script string) bool {
	found, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range found {
		if line, err := os.ReadFile(path); err == nil && strings.Contains(string(line), script+"\x00stdio") {
			return true
		}
	}
	return false
}
