package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-5817661a/concur/internal/sandbox"
	"github.com/seed-5817661a/concur/internal/sandbox/sandboxtest"
)

// TestDoctorAttacksSandboxes starts the command with descriptor 9 open, as a shell or a CI may, and lets doctor attack
// bubblewrap: all bounds hold, and doctor leaves no file.
func TestDoctorAttacksSandboxes(t *testing.T) {
	if testing.Short() {
		t.Skip("whole processes")
	}
	sandboxtest.Bwrap(t, os.Getenv, sandbox.Python)
	dir := t.TempDir()
	secret := filepath.Join(dir, "secret")
	write(t, secret, "a secret of the caller")
	c := exec.Command("sh", "-c", "exec 9<secret; concur doctor --sandbox --no-network; exit $?")
	c.Dir, c.Env = dir, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "TMPDIR=" + dir}
	out, err := c.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	for _, bound := range []string{"files of the host", "open files of the host", "loopback of the host", "processes",
		"memory of one process", "memory of 8 processes", "number of files", "another user than root", "no process is left"} {
		if !strings.Contains(string(out), "bwrap: "+bound) {
			t.Errorf("doctor says nothing about %s:\n%s", bound, out)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("%v: doctor left files: %v", err, entries)
	}
}

// readableCommand copies this program, which is also the command, to a folder from which the user of sandboxes can
// start it, and returns the folder for files of a test and the path of the command.
func readableCommand(t *testing.T) (folder, command string) {
	t.Helper()
	folder, err := os.MkdirTemp("/tmp", "concur-sandbox")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	program, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	command = filepath.Join(folder, "bin", "concur")
	if err := errors.Join(os.Chmod(folder, 0o755), os.Mkdir(filepath.Dir(command), 0o755),
		os.WriteFile(command, program, 0o755)); err != nil {
		t.Fatal(err)
	}
	return folder, command
}

const sandboxAgent = `import json, os, sys, urllib.request
serve = len(sys.argv) > 1
for line in sys.stdin:
    task = json.loads(line)
    body = json.dumps({"model": "reader", "messages": [{"role": "user", "content": task["query"]}]}).encode()
    request = urllib.request.Request(task["endpoint"]["openai_base_url"] + "/chat/completions", body,
        {"Authorization": "Bearer " + task["endpoint"]["api_key"], "Content-Type": "application/json"})
    reply = json.load(urllib.request.urlopen(request))["choices"][0]["message"]
    seen = [p for p in ("/etc/passwd", "concur.yaml", "runs", ".env", "/proc") if os.path.exists(p)]
    with open("data.txt") as f:
        data = f.read()
    out = {"answer": data, "message": "Answer: %s. I see %s." % (data, seen)}
    if serve:
        out["call"] = task["call"]
    print(json.dumps(out), flush=True)
    if not serve:
        break
`

// TestAgentInSandbox runs an agent in a sandbox, a process for each trace and one that stays: it asks the model through
// the proxy, reads its own files, and sees neither the configuration nor other runs.
func TestAgentInSandbox(t *testing.T) {
	if testing.Short() {
		t.Skip("whole processes")
	}
	sandboxtest.Bwrap(t, os.Getenv, sandbox.Python)
	folder, command := readableCommand(t)
	write(t, filepath.Join(folder, "agent.py"), sandboxAgent)
	write(t, filepath.Join(folder, "data.txt"), "42")
	write(t, filepath.Join(folder, "q.yaml"), "- {id: one, query: what is it, gold: 42}\n- {id: two, query: what else, gold: 42}\n")
	for _, name := range []string{"agent.py", "data.txt"} { // the user of the sandbox is another one if root runs the tests
		if err := os.Chmod(filepath.Join(folder, name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, exec := range map[string]string{"process": "exec: [python3, agent.py]", "serve": "exec: [python3, agent.py, serve], serve: true"} {
		write(t, filepath.Join(folder, "concur.yaml"), "agent: {"+exec+", files: [data.txt], sandbox: bwrap}\nk: 2\n")
		out := inFolder(t, folder, command, "run", "q.yaml", "--format", "json", "--quiet")
		if strings.Count(out, `"accuracy"`) == 0 {
			t.Errorf("%s: %s", name, out)
		}
		trace := inFolder(t, folder, command, "trace", "latest", "one")
		if !strings.Contains(trace, "I see [].") {
			t.Errorf("%s: the agent sees files of the machine, or did not run:\n%s", name, trace)
		}
	}
	write(t, filepath.Join(folder, "concur.yaml"), "agent: {exec: [python3, agent.py], sandbox: bwrap, sandbox_allow: [none/here]}\n")
	c := exec.Command(command, "run", "q.yaml")
	c.Dir, c.Env = folder, []string{"PATH=/usr/bin:/bin", "HOME=" + folder}
	said, err := c.CombinedOutput()
	if want := `agent.sandbox: sandbox bwrap: "none/here" matches no file or folder`; err == nil || !strings.Contains(string(said), want) {
		t.Errorf("%v, %s, want %s", err, said, want)
	}
}

// An agent and an MCP server in a sandbox are sent to a worker of a hub, and confined there: they see their own files,
// and nothing else of the worker.
func TestSandboxAtWorker(t *testing.T) {
	if testing.Short() {
		t.Skip("whole processes")
	}
	sandboxtest.Bwrap(t, os.Getenv, sandbox.Python)
	folder, command := readableCommand(t)
	hub := startHub(t)
	write(t, filepath.Join(folder, "agent.py"), sandboxAgent)
	write(t, filepath.Join(folder, "data.txt"), "42")
	write(t, filepath.Join(folder, "server.py"), sandboxServer)
	write(t, filepath.Join(folder, "q.yaml"), "- {id: one, query: what is it, gold: 42}\n")
	for _, name := range []string{"agent.py", "data.txt", "server.py"} {
		if err := os.Chmod(filepath.Join(folder, name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	there := t.TempDir()
	worker := exec.Command(command, "work", hub.URL(), "--allow-programs")
	worker.Dir, worker.Env = there, []string{"PATH=/usr/bin:/bin", "HOME=" + there}
	if err := worker.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = worker.Process.Kill()
		_ = worker.Wait() // it was killed
	}()
	for conf, want := range map[string]string{
		"agent: {exec: [python3, ./agent.py], files: [data.txt], sandbox: bwrap}\n": "I see [].",
		// The worker has listed the tools of the server: without them it has another agent hash, and takes no work.
		"agent: {tools: ['look__*']}\nmcp: {look: {command: [python3, server.py], sandbox: bwrap}}\n": "worker ",
	} {
		write(t, filepath.Join(folder, "concur.yaml"), "k: 2\n"+conf)
		inFolder(t, folder, command, "run", "q.yaml", "--quiet", "--hub", hub.URL())
		if trace := inFolder(t, folder, command, "trace", "latest", "one"); !strings.Contains(trace, want) {
			t.Errorf("%s: the agent sees files of the worker, or did not run:\n%s", conf, trace)
		}
	}
}

// inFolder runs a command that must work.
func inFolder(t *testing.T, folder, command string, args ...string) string {
	t.Helper()
	c := exec.Command(command, args...)
	c.Dir, c.Env = folder, []string{"PATH=/usr/bin:/bin", "HOME=" + folder}
	out, err := c.CombinedOutput()
	if err != nil {
		t.Errorf("%s: %v\n%s", args, err, out)
	}
	return string(out)
}

const sandboxServer = `import json, os, sys
for line in sys.stdin:
    m = json.loads(line)
    if m.get("method") == "initialize":
        r = {"protocolVersion": m["params"]["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": {"name": "look", "version": "1"}}
    elif m.get("method") == "tools/list":
        r = {"tools": [{"name": "see", "description": "Lists files.", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}}]}
    elif m.get("method") == "tools/call":
        seen = [p for p in ("/etc/passwd", "concur.yaml", "server.py", "data/one.txt") if os.path.exists(p)]
        r = {"content": [{"type": "text", "text": "I see %s." % ", ".join(seen)}]}
    else:
        continue
    print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": r}), flush=True)
`

// TestServerInSandbox calls a tool of an MCP server that runs in a sandbox: it sees its own file and what is allowed.
func TestServerInSandbox(t *testing.T) {
	if testing.Short() {
		t.Skip("whole processes")
	}
	sandboxtest.Bwrap(t, os.Getenv, sandbox.Python)
	folder, command := readableCommand(t)
	data := filepath.Join(folder, "data")
	if err := os.Mkdir(data, 0o755); err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{filepath.Join(folder, "server.py"): sandboxServer, filepath.Join(data, "one.txt"): "1"} {
		write(t, path, text)
		if err := os.Chmod(path, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(folder, "concur.yaml"), "mcp: {look: {command: [python3, server.py], sandbox: bwrap, sandbox_allow: [data]}}\n"+
		"agent: {tools: [look__see]}\n")
	if out := inFolder(t, folder, command, "tools", "call", "look__see", "{}"); !strings.Contains(out, "I see server.py, data/one.txt.") {
		t.Errorf("the server's tool: %s", out)
	}
}
