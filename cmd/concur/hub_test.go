package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-5817661a/concur/runner/hub/link"
	"github.com/seed-5817661a/concur/runner/hub/server"
	"github.com/seed-5817661a/concur/runner/store"
	"github.com/seed-5817661a/concur/trace"
)

// workAt starts workers as processes of their own, and ends them after the test.
func workAt(t *testing.T, url string, n int, flags ...string) {
	t.Helper()
	for range n {
		c := exec.Command("concur", append([]string{"work", url}, flags...)...)
		c.Dir = t.TempDir()
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_ = c.Process.Kill() // a worker may be killed at any time
			_ = c.Wait()
		})
	}
}

// startHub starts a hub for a test.
func startHub(t *testing.T) *server.Server {
	t.Helper()
	hub, err := server.Start(server.Options{Dir: t.TempDir(), Listen: "127.0.0.1:0", Store: 64 << 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(hub.Close)
	return hub
}

// Manifest, run.log, `trace` and `runs` tell which worker made what, and the progress shows the workers.
func TestWhoMadeTheTraces(t *testing.T) {
	s := newShop(t)
	t.Chdir(s.folder)
	hub := startHub(t)
	workAt(t, hub.URL(), 2, "--places", "2")
	if code, _, errs := invoke("run", "queries.yaml", "--seed", "4711", "--hub", hub.URL()); code != 0 ||
		!strings.Contains(errs, "\nhub: ") {
		t.Fatalf("exit %d: %s", code, errs)
	}
	dir := newest(t, "runs").Dir
	made := openedRun(t, dir).Manifest.Workers
	sum := 0
	for _, w := range made {
		sum += w.Traces
	}
	if sum != 18 || len(made) > 2 {
		t.Errorf("workers: %v", made)
	}
	code, out, errs := invoke("trace", dir, "q3")
	lines := regexp.MustCompile(`(?m)^── trace \d of q3 \(agent [0-9a-f]+, worker (\S+)\)$`).FindAllStringSubmatch(out, -1)
	if code != 0 || len(lines) != 3 {
		t.Fatalf("exit %d: %s%s", code, out, errs)
	}
	for _, l := range lines {
		if _, known := made[l[1]]; !known {
			t.Errorf("worker %s is not in the manifest: %v", l[1], made)
		}
	}
	if _, out, _ := invoke("trace", dir, "q3", "--format", "json"); strings.Count(out, `"worker": "`) != 3 {
		t.Errorf("json: %s", out)
	}
	t.Setenv("COLUMNS", "200")
	if _, out, _ := invoke("runs"); !strings.Contains(out, "workers") {
		t.Errorf("the list of runs has no workers:\n%s", out)
	}
}

// A run and an ablation that use a hub are refused with the way out before a folder is made, if they cannot use it.
func TestHubRefused(t *testing.T) {
	hub := startHub(t)
	const password = "nats://user:hunter2-hunter2@127.0.0.1:4222"
	cases := map[string]struct {
		args []string
		want string
	}{
		"password":     {[]string{"run", "--hub", password}, "--hub (or CONCUR_HUB): the URL of the hub has a password"},
		"replay":       {[]string{"run", "--replay", "latest", "--hub", hub.URL()}, "--hub has no effect on a replay"},
		"worker":       {[]string{"work", password}, "has a password"},
		"clean":        {[]string{"hub", "clean", password}, "has a password"},
		"no worker":    {[]string{"work"}, "takes the URL of a hub"},
		"places":       {[]string{"work", hub.URL(), "--places", "0"}, "give 1 to 4096"},
		"losses":       {[]string{"run", "--hub", hub.URL(), "--hub-losses", "2"}, "must be 0, which is no limit, or at least 3"},
		"ack wait":     {[]string{"ablate", "offline", "--hub", hub.URL(), "--hub-ack-wait", "1ms"}, "at least 1s"},
		"another form": {[]string{"run", "--hub", "http://127.0.0.1"}, "begins with http"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			code, out, errs := invoke(c.args...)
			if code != exitUsage || !strings.Contains(errs, c.want) || strings.Contains(errs, "hunter2") ||
				strings.HasPrefix(errs, "concur: --hub:") {
				t.Errorf("exit %d: %s%s", code, out, errs)
			}
		})
	}
}

// A flag replaces a variable, a variable the file. The password of a URL is refused in each of them, and not printed.
func TestWhereTheHubIsNamed(t *testing.T) {
	const password = "nats://user:hunter2-hunter2@127.0.0.1:4222"
	// Each URL is wrong in another way, so that the error tells which one was used.
	const flag, variable, file = "x-flag://h", "x-variable://h", "x-file://h"
	inFile := func(hub string) string { return "k: 1\nhub: " + hub + "\n" }
	cases := map[string]struct {
		file, variable string
		args           []string
		code           int
		want           string
	}{
		"flag":                 {inFile(file), variable, []string{"run", "--hub", flag}, exitUsage, "--hub (or CONCUR_HUB): the URL of the hub begins with x-flag"},
		"variable":             {inFile(file), variable, []string{"run"}, exitUsage, "--hub (or CONCUR_HUB): the URL of the hub begins with x-variable"},
		"file":                 {inFile(file), "", []string{"ablate", "offline"}, exitUsage, "concur.yaml:2:6: hub: the URL of the hub begins with x-file"},
		"mapping":              {inFile("{losses: 2, url: 'x-file://h'}"), "", []string{"run"}, exitUsage, "concur.yaml:2:23: hub: the URL"},
		"none":                 {inFile(file), variable, []string{"run", "--hub", "none", "--limit", "1", "--quiet"}, 0, ""},
		"resume":               {inFile(file), "", []string{"run", "--resume", "latest"}, exitUsage, "begins with x-file"},
		"replay":               {inFile(file), "", []string{"run", "--replay", "latest"}, exitUsage, "there is no run"},
		"losses in the file":   {inFile("{url: 'nats://127.0.0.1:9', losses: -1}"), "", []string{"run", "--yes"}, exitUsage, "hub.losses) must be 0"},
		"one loss":             {inFile("{url: 'nats://127.0.0.1:9', losses: 2}"), "", []string{"run", "--yes"}, exitUsage, "or at least 3"},
		"ack wait in the file": {inFile("{url: 'nats://127.0.0.1:9', ack_wait: 1ms}"), "", []string{"run", "--yes"}, exitUsage, "at least 1s"},
		"unknown key":          {inFile("{url: 'nats://127.0.0.1:9', loses: 1}"), "", []string{"run"}, exitUsage, `did you mean "losses"`},
		"token file":           {inFile("{url: 'nats://127.0.0.1:9', token_file: no-such}"), "", []string{"run"}, exitUsage, "no-such"},
		"password in a flag":   {"", "", []string{"run", "--hub", password}, exitUsage, "has a password"},
		"password in variable": {"", password, []string{"run"}, exitUsage, "has a password"},
		"password in the file": {inFile(password), "", []string{"run"}, exitUsage, "concur.yaml:2:6: hub: the URL of the hub has a password"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			if c.variable != "" {
				t.Setenv("CONCUR_HUB", c.variable)
			}
			if c.file != "" {
				write(t, "concur.yaml", c.file)
			}
			code, out, errs := invoke(c.args...)
			if code != c.code || !strings.Contains(errs, c.want) || strings.Contains(errs, "hunter2") {
				t.Errorf("exit %d, want %d with %q: %s%s", code, c.code, c.want, out, errs)
			}
			if _, err := os.Stat("runs"); err == nil && c.code != 0 {
				t.Error("a run folder was made")
			}
		})
	}
}

// The command that goes on with a run names the hub: otherwise the traces would be made on this machine.
func TestGoOnAtTheHub(t *testing.T) {
	s := newShop(t)
	t.Chdir(s.folder)
	hub := startHub(t)
	workAt(t, hub.URL(), 1)
	code, _, errs := invoke("run", "queries.yaml", "--seed", "4711", "--budget-tokens", "500", "--hub", hub.URL())
	want := regexp.MustCompile(`go on with: concur run --resume \S+ --hub ` + hub.URL() + ` --budget-tokens \d+`)
	if code != exitInvalid || !want.MatchString(errs) {
		t.Errorf("exit %d: %s", code, errs)
	}
}

// The tools of an MCP server work at workers as here. The file among the arguments of its command is sent.
func TestMCPServerAtWorkers(t *testing.T) {
	if testing.Short() {
		t.Skip("processes of their own, in which nothing is shared with this one")
	}
	conf := scripted(t, map[string][]move{
		"Sum": {{tool: "sums__calc", call: `{"expression": "2+3"}`}, {says: "It follows.\nAnswer: 5"}},
		"Bad": {{tool: "sums__calc", call: `{"expression": "1/0"}`}, {says: "Answer: [ABSTAIN]"}},
	})
	t.Chdir(t.TempDir())
	raw, err := os.ReadFile(conf)
	if err != nil {
		t.Fatal(err)
	}
	write(t, "concur.yaml", strings.Replace(string(raw), "tools: [calc]", `tools: ["sums__*"]`, 1)+
		"mcp:\n  sums: {command: [concur, mcp, serve, --config, served.yaml]}\n")
	write(t, "served.yaml", "agent: {tools: [calc]}\n")
	var lines strings.Builder
	for i := range 6 {
		fmt.Fprintf(&lines, `{"id": "q%d", "query": %q, "gold": {"type": "integer", "answer": "5"}}`+"\n", i, []string{"Sum?", "Bad?"}[i%2])
	}
	write(t, "q.jsonl", lines.String())
	must(t, exitOK, "run", "q.jsonl", "--seed", "1", "--quiet", "--runs-dir", "local")
	hub := startHub(t)
	workAt(t, hub.URL(), 2, "--places", "2", "--allow-programs")
	must(t, exitOK, "run", "q.jsonl", "--seed", "1", "--quiet", "--hub", hub.URL())
	local, far := newest(t, "local"), newest(t, "runs")
	if diff := cmp.Diff(records(t, local), records(t, far)); diff != "" {
		t.Errorf("records (-local +hub):\n%s", diff)
	}
	if a, b := observations(t, local), observations(t, far); a != b || a != 18 {
		t.Errorf("%d observations of tools, and %d at workers", a, b)
	}
}

// observations returns the number of results of tools in a run.
func observations(t *testing.T, run *store.Run) int {
	t.Helper()
	n := 0
	for e, err := range run.Events() {
		if err != nil {
			t.Fatal(err)
		}
		if _, is := e.Body.(trace.Observation); is {
			n++
		}
	}
	return n
}

// `work --check` says whether models, keys and agents of a configuration can be used on this machine.
func TestWorkCheck(t *testing.T) {
	for name, c := range map[string]struct {
		conf string
		code int
		want string
	}{
		"own agent":      {"", exitOK, "1 agent can work here"},
		"program":        {"agent: {exec: [sh, agent.sh], proxy: false}", exitOK, "1 agent can work here"},
		"failing":        {"agent: {exec: [sh, -c, exit 3], proxy: false}", exitUsage, "the agent ended with exit status 3"},
		"not installed":  {"agent: {exec: [no-such-program]}", exitUsage, "agent.exec: exec: \"no-such-program\""},
		"variable":       {"agent: {exec: [sh, agent.sh], env: [NOT_SET_HERE]}", exitUsage, "agent.env names NOT_SET_HERE, which is not set"},
		"no key":         {"model: openai:gpt-4o-mini", exitUsage, "OPENAI_API_KEY"},
		"server away":    {"agent: {http: 'http://127.0.0.1:1/run'}", exitUsage, "this machine cannot reach http://127.0.0.1:1/run"},
		"no MCP program": {"agent: {tools: ['own__*']}\nmcp: {own: {command: [no-such-program]}}", exitUsage, "mcp.own.command"},
		"not sent":       {"agent: {exec: [sh, agent.sh], sandbox: bwrap, sandbox_allow: [texts]}", exitUsage, `"texts" is not sent to workers`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			t.Setenv("OPENAI_API_KEY", "")
			t.Setenv("COLUMNS", "400")
			write(t, "agent.sh", `echo '{"message": "Answer: 4"}'`)
			write(t, "mine.yaml", "k: 1\n"+c.conf+"\n")
			code, out, errs := invoke("work", "--check", "--config", "mine.yaml")
			if code != c.code || !strings.Contains(out+errs, c.want) {
				t.Errorf("exit %d, want %d with %q: %s%s", code, c.code, c.want, out, errs)
			}
		})
	}
}

// `work URL --check` opens the agents of the runs that wait at a hub, and takes no work.
func TestWorkCheckOfWaitingRuns(t *testing.T) {
	s := newShop(t)
	t.Chdir(s.folder)
	t.Setenv("COLUMNS", "400")
	hub := startHub(t)
	if code, out, errs := invoke("work", hub.URL(), "--check"); code != exitUsage || !strings.Contains(errs, "the hub has no run") {
		t.Errorf("without a run: exit %d: %s%s", code, out, errs)
	}
	write(t, "agent.sh", `echo '{"message": "Answer: 4"}'`)
	write(t, "concur.yaml", "k: 1\nagent: {exec: [sh, agent.sh], proxy: false}\n")
	run := exec.Command("concur", "run", "queries.yaml", "--hub", hub.URL(), "--seed", "1")
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = run.Process.Kill()
		_ = run.Wait()
	}()
	l, err := link.Dial(t.Context(), link.Options{URL: hub.URL()})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if runs, err := l.Runs(t.Context()); err == nil && len(runs) > 0 {
			break
		}
		if time.Now().After(end) {
			t.Fatal("the run does not begin")
		}
	}
	t.Chdir(t.TempDir()) // the files of the agent come from the hub
	if code, out, errs := invoke("work", hub.URL(), "--check"); code != exitUsage ||
		!strings.Contains(out, "start the worker with --allow-programs") {
		t.Errorf("without permission: exit %d: %s%s", code, out, errs)
	}
	if code, out, errs := invoke("work", hub.URL(), "--check", "--allow-programs"); code != exitOK ||
		!strings.Contains(out, "1 agent can work here") {
		t.Errorf("with permission: exit %d: %s%s", code, out, errs)
	}
}

// If the user does not agree to the price, nothing connects to the hub.
func TestPriceBeforeHub(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var connected atomic.Bool
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			connected.Store(true)
			conn.Close()
		}
	}()
	t.Chdir(t.TempDir())
	t.Setenv("OPENAI_API_KEY", "not-a-key-and-never-sent")
	write(t, "concur.yaml", "model: openai:gpt-4o\nlimits: {confirm_usd: 0.001}\n")
	url := "nats://" + listener.Addr().String()
	code, out, errs := invoke("run", "--hub", url)
	if code != exitUsage || !strings.Contains(errs, "more than limits.confirm_usd") || connected.Load() {
		t.Errorf("exit %d, connected: %t: %s%s", code, connected.Load(), out, errs)
	}
	if code, out, errs = invoke("run", "--hub", url, "--yes"); code != exitUsage || !connected.Load() ||
		!strings.Contains(errs, "connect to the hub "+url) {
		t.Errorf("with --yes: exit %d, connected: %t: %s%s", code, connected.Load(), out, errs)
	}
	if _, err := os.Stat("runs"); err == nil {
		t.Error("a run folder was made")
	}
	listener.Close()
	<-ended
}
