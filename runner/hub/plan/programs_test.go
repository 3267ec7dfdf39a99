package plan_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/seed-5817661a/concur/datasets"
	"github.com/seed-5817661a/concur/runner"
	"github.com/seed-5817661a/concur/runner/config"
	"github.com/seed-5817661a/concur/runner/hub/plan"
	"github.com/seed-5817661a/concur/runner/hub/server"
	"github.com/seed-5817661a/concur/runner/hub/worker"
	"github.com/seed-5817661a/concur/runner/store"
)

// lakes writes a dataset about lakes into the working directory, and returns a function that makes a run of it.
func lakes(t *testing.T, conf config.Configuration) func() runner.Draft {
	t.Helper()
	var lines strings.Builder
	for i := range 8 {
		fmt.Fprintf(&lines, `{"id":"q%d","query":"What colour has lake %d?","gold":{"type":"text","answer":"blue"}}`+"\n", i, i)
	}
	put(t, "lakes.jsonl", lines.String(), 0o600)
	return func() runner.Draft {
		data, of, err := runner.Selection{Part: datasets.Part{}}.Open("lakes.jsonl")
		if err != nil {
			t.Fatal(err)
		}
		return drafted(t, data, of, conf)
	}
}

func put(t *testing.T, path, content string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
}

// What an agent writes to its standard error at a worker is in the log of the run.
func TestStandardErrorAtWorkers(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "run.sh", "echo I am looking at the lake >&2\necho '{\"answer\":\"blue\"}'\n", 0o600)
	off := false
	draft := lakes(t, named(config.DefaultName, func(c *config.Configuration) {
		c.Agent.External = config.External{Exec: []string{"sh", "run.sh"}, Proxy: &off}
	}))
	hub := hubOf(t, server.Options{})
	working(t, hub.URL(), "w0", 2, func(o *worker.Options) {
		o.Open = plan.Worker{Name: o.Name, Places: o.Places, Programs: true}.Opener(o.Link, assembler())
	})
	heard := make(chan struct{})
	o, once := settings(t), sync.OnceFunc(func() { close(heard) })
	o.Log = func(text string) {
		if strings.Contains(text, `worker "w0": `) && strings.Contains(text, "I am looking at the lake") {
			once()
		}
	}
	if _, _, err := coordinated(t.Context(), draft(), hub.URL(), t.TempDir(), o); err != nil {
		t.Fatal(err)
	}
	select {
	case <-heard:
	default:
		t.Error("the log of the run has no line of the agent's standard error")
	}
}

// withPrograms lets a worker start programs.
func withPrograms(o *worker.Options) {
	o.Open = plan.Worker{Places: o.Places, Programs: true}.Opener(o.Link, assembler())
}

// atTwoWorkers makes a run here and at two workers, and fails the test if they differ. It removes the files before the
// workers start, so that they have only those that come from the hub.
func atTwoWorkers(t *testing.T, draft func() runner.Draft, files ...string) (dir string) {
	t.Helper()
	local, _, err := coordinated(t.Context(), draft(), "", t.TempDir(), settings(t))
	if err != nil {
		t.Fatal(err)
	}
	hub := hubOf(t, server.Options{})
	d, there := draft(), dialed(t, hub.URL())
	go func() {
		for {
			if runs, err := there.Runs(context.Background()); err == nil && len(runs) == 1 {
				break
			}
		}
		for _, file := range files {
			if err := os.RemoveAll(file); err != nil {
				t.Error(err)
			}
		}
		working(t, hub.URL(), "w0", 2, withPrograms)
		working(t, hub.URL(), "w1", 2, withPrograms)
	}()
	dir, _, err = coordinated(t.Context(), d, hub.URL(), t.TempDir(), settings(t))
	if err != nil {
		t.Fatal(err)
	}
	sameLines(t, local, dir, 1) // an agent that calls no model has no exchanges
	madeBy(t, dir, 2)
	return dir
}

// An agent that is a shell script, with a file that agent.files names, is sent to the workers.
func TestShellAgentAtWorkers(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "agent/run.sh", `#!/bin/sh
. ./agent/lib/words.sh
seed=$(sed 's/.*"seed":\([0-9]*\).*/\1/')
printf '{"message":"%s, says seed %s\\n\\nAnswer: %s"}\n' "$word" "$seed" "$word"
`, 0o700)
	put(t, "agent/lib/words.sh", "word=blue\n", 0o600)
	for name, exec := range map[string][]string{"interpreter": {"sh", "./agent/run.sh"}, "script": {"./agent/run.sh"}} {
		t.Run(name, func(t *testing.T) {
			files := t.TempDir()
			if err := os.CopyFS(files, os.DirFS(".")); err != nil {
				t.Fatal(err)
			}
			t.Chdir(files)
			off := false
			dir := atTwoWorkers(t, lakes(t, named(config.DefaultName, func(c *config.Configuration) {
				c.Agent.External = config.External{Exec: exec, Files: []string{"./agent", "agent/l*/*.sh"}, Proxy: &off}
			})), "agent")
			for r, err := range runOf(t, dir).Records() {
				if err != nil || r.Consensus.Answer == nil || *r.Consensus.Answer != "blue" {
					t.Errorf("query %s: %v, %v", r.Query, r.Consensus.Answer, err)
				}
			}
		})
	}
}

func runOf(t *testing.T, dir string) *store.Run {
	t.Helper()
	run, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// agentVariable makes this program an agent.
const agentVariable = "CONCUR_HUB_TEST_AGENT"

// beAgent asks the model of its request, and replies with the model's answer.
func beAgent() error {
	var request struct {
		Query    string
		Endpoint struct {
			OpenAI string `json:"openai_base_url"`
			Key    string `json:"api_key"`
		}
	}
	if err := json.NewDecoder(os.Stdin).Decode(&request); err != nil {
		return err
	}
	body, err := json.Marshal(map[string]any{"model": "m", "messages": []map[string]string{
		{"role": "user", "content": request.Query}}})
	if err != nil {
		return err
	}
	asked, err := http.NewRequest(http.MethodPost, request.Endpoint.OpenAI+"/chat/completions", bytes.NewReader(body))
	if err != nil {
		return err
	}
	asked.Header.Set("Authorization", "Bearer "+request.Endpoint.Key)
	asked.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(asked)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	var reply struct {
		Choices []struct{ Message struct{ Content string } }
	}
	if err := json.NewDecoder(resp.Body).Decode(&reply); err != nil || len(reply.Choices) == 0 {
		return errors.Join(err, fmt.Errorf("status %s", resp.Status))
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]string{"message": reply.Choices[0].Message.Content})
}

// The model calls of an agent go through the worker, and come back as exchanges.
func TestAgentWithModelAtWorkers(t *testing.T) {
	t.Chdir(t.TempDir())
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	put(t, "run.sh", "#!/bin/sh\n"+agentVariable+"=1 exec '"+self+"'\n", 0o700)
	dir := atTwoWorkers(t, lakes(t, named(config.DefaultName, func(c *config.Configuration) {
		c.Agent.External = config.External{Exec: []string{"./run.sh"}}
	})), "run.sh")
	n := 0
	for _, err := range runOf(t, dir).Exchanges() {
		if n++; err != nil {
			t.Fatal(err)
		}
	}
	if n < 24 {
		t.Errorf("%d exchanges", n)
	}
}

// An agent that is a server is asked by each worker.
func TestHTTPAgentAtWorkers(t *testing.T) {
	t.Chdir(t.TempDir())
	agent := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request struct{ Seed int64 }
		_ = json.NewDecoder(r.Body).Decode(&request)
		fmt.Fprintf(w, `{"message":"Seed %d.\n\nAnswer: blue","usage":{"input_tokens":3,"output_tokens":4}}`, request.Seed)
	}))
	defer agent.Close()
	draft := lakes(t, named(config.DefaultName, func(c *config.Configuration) {
		c.Agent.External = config.External{HTTP: agent.URL}
	}))
	atTwoWorkers(t, draft)

	// Tokens that the agent reports count for the budget of the run.
	hub := hubOf(t, server.Options{})
	working(t, hub.URL(), "w", 1)
	d := draft()
	d.Manifest.Configurations[0].Limits.Tokens = 20
	d.Manifest.Configurations[0].Limits.Concurrency = 1
	if _, _, err := coordinated(t.Context(), d, hub.URL(), t.TempDir(), settings(t)); err == nil ||
		!strings.Contains(err.Error(), "limits.tokens") {
		t.Errorf("a run beyond its budget: %v", err)
	}
}

// Memory and playbook are sent.
func TestMemoryAndPlaybookAtWorkers(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "memory.jsonl", `{"id":"m1","text":"Lake 3 is blue, as the user saw.","time":"2024-05-03"}`+"\n", 0o600)
	put(t, "advice.yaml", `schema: concur/playbook/v1
sections: [strategies]
next: 2
bullets:
  - id: str-00001
    section: strategies
    text: 'For questions with the words colour, lake: search once, and answer with the last result.'
    helpful: 5
    harmful: 0
`, 0o600)
	dir := atTwoWorkers(t, lakes(t, named(config.DefaultName, func(c *config.Configuration) {
		c.Memory.File, c.Memory.Mode = "memory.jsonl", config.MemoryRetrieve
		c.Agent.Playbook.File, c.Agent.Playbook.Mode = "advice.yaml", config.PlaybookAll
	})), "memory.jsonl", "advice.yaml")
	raw, err := os.ReadFile(filepath.Join(dir, "trace.jsonl"))
	if err != nil || !strings.Contains(string(raw), "Lake 3 is blue, as the user saw") {
		t.Errorf("trace.jsonl (%v) lacks the memory", err)
	}
}

// What workers cannot do is refused before the run begins, by the name of the setting.
func TestRefusedPrograms(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "../outside.sh", "", 0o600)
	t.Cleanup(func() { os.Remove("../outside.sh") })
	for want, change := range map[string]func(*config.Configuration){
		`agent.sandbox_allow: "../texts" is not sent to workers: name it in agent.files`: func(c *config.Configuration) {
			c.Agent.External = config.External{Exec: []string{"sh"}, Sandbox: config.SandboxBwrap,
				SandboxAllow: []string{"/usr/share", "https://example.org", "../texts"}}
		},
		`mcp.own.sandbox_allow: "texts" is not sent to workers: name the files in mcp.own.command`: func(c *config.Configuration) {
			c.Agent.Tools = []string{"own__*"}
			c.MCP = map[string]config.MCPServer{"own": {Command: []string{"sh"}, Sandbox: config.SandboxBwrap,
				SandboxAllow: []string{"texts"}}}
		},
		"../outside.sh is outside of the working directory": func(c *config.Configuration) {
			c.Agent.External.Exec = []string{"sh", "../outside.sh"}
		},
		`"no*such" matches no file`: func(c *config.Configuration) {
			c.Agent.External = config.External{Exec: []string{"sh"}, Files: []string{"no*such"}}
		},
	} {
		m := draftOf(t).Manifest
		m.Configurations[0].Configuration = named(config.DefaultName, change)
		if err := plan.Check(m); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

// A worker starts no program of a run unless its user allowed it, and takes no work if it cannot reach the agent. The
// run shows why.
func TestWorkersThatRefusePrograms(t *testing.T) {
	closed := httptest.NewServer(http.NotFoundHandler())
	defer closed.Close()
	for want, external := range map[string]config.External{
		"the run starts `sh agent.sh` on this machine: start the worker with --allow-programs": {Exec: []string{"sh", "agent.sh"}},
		"this machine cannot reach": {HTTP: closed.URL},
	} {
		t.Chdir(t.TempDir())
		put(t, "agent.sh", "echo '{\"message\":\"x\"}'\n", 0o600)
		draft := lakes(t, named(config.DefaultName, func(c *config.Configuration) {
			c.Agent.External = external
		}))
		hub := hubOf(t, server.Options{})
		ctx, cancel := context.WithCancel(t.Context())
		o := settings(t)
		told := make(chan string, 1)
		o.Warn = func(text string) {
			if strings.Contains(text, want) {
				select {
				case told <- text:
				default:
				}
				cancel()
			}
		}
		d := draft()
		if external.HTTP != "" {
			closed.Close()
		}
		working(t, hub.URL(), "w", 1)
		if _, _, err := coordinated(ctx, d, hub.URL(), t.TempDir(), o); err == nil {
			t.Error("a run without workers ended")
		}
		select {
		case <-told:
		default:
			t.Errorf("nothing was said about %s", want)
		}
	}
}
