//go:build peers

package peers

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"gopkg.in/yaml.v3"
)

// phoenixPackage is the version of Phoenix that takes concur's spans.
const phoenixPackage = "arize-phoenix==20.26.1"

// phoenixStart is how long Phoenix may take until it answers: it first makes its database.
const phoenixStart = 3 * time.Minute

// TestPhoenix sends a finished run to Phoenix, and another one while it runs, and reads the spans back by Phoenix's own
// interface: all of them, with their kinds and parents. Sending a run again adds none.
func TestPhoenix(t *testing.T) {
	python := lookUpPython(t)
	b := bench{dir: t.TempDir(), most: 5 * clientTime}
	packages := filepath.Join(b.dir, "python")
	b.install(t, python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-cache-dir", "--only-binary=:all:", "--retries=1", "--target="+packages, phoenixPackage)
	b.build(t)
	base := startPhoenix(t, b, python, packages)
	concur := func(env []string, args ...string) (stderr string) {
		t.Helper()
		_, stderr, code := b.run(t, env, b.concur, args...)
		if code != 0 {
			t.Fatalf("concur %s ended with %d:\n%s", strings.Join(args, " "), code, stderr)
		}
		return stderr
	}
	run := []string{"run", "--category", "calculation", "--limit", "4", "--runs-dir"}
	concur(nil, append(run, "first")...)
	var exported int
	for range 2 {
		said := concur(nil, "export", "latest", "--runs-dir", "first", "--format", "otlp", "--to", base)
		if _, err := fmt.Sscanf(said, "sent %d spans", &exported); err != nil {
			t.Fatalf("%v in %q", err, said)
		}
		checkPhoenix(t, phoenixSpans(t, base, exported), exported, 1)
	}
	if said := concur([]string{"OTEL_EXPORTER_OTLP_ENDPOINT=" + base}, append(run, "second")...); !strings.Contains(said, "go to "+base) {
		t.Errorf("concur run says %q", said)
	}
	spans, dropped := telemetryOf(t, filepath.Join(b.dir, "second"))
	if spans != exported && dropped == 0 {
		t.Errorf("the run sent %d spans, and the export of a like run %d", spans, exported)
	}
	if dropped > 0 { // Phoenix was slow; the run was not
		t.Logf("%d spans and verdicts were dropped", dropped)
		return
	}
	checkPhoenix(t, phoenixSpans(t, base, 2*exported), 2*exported, 2)
}

// checkPhoenix compares the spans of some runs with those that were sent.
func checkPhoenix(t *testing.T, spans []phoenixSpan, sent, runs int) {
	t.Helper()
	kinds, ids := map[string]int{}, map[string]bool{}
	for _, s := range spans {
		kind, _, _ := strings.Cut(s.Name, " ")
		kinds[kind+" "+s.Kind]++
		ids[s.Context.SpanID] = true
	}
	for _, s := range spans {
		if s.ParentID != "" && !ids[s.ParentID] {
			t.Errorf("Phoenix has no parent of %s", s.Name)
		}
	}
	if len(spans) != sent || kinds["invoke_workflow UNKNOWN"] != 4*runs || kinds["invoke_agent AGENT"] != 12*runs ||
		kinds["chat LLM"] < 12*runs || kinds["execute_tool TOOL"] == 0 {
		t.Errorf("%d spans are there and %d were sent: %v", len(spans), sent, kinds)
	}
}

// telemetryOf reads what the manifest of the only run in a folder counts.
func telemetryOf(t *testing.T, runs string) (spans, dropped int) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(runs, "*", "run.yaml"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, %v", files, err)
	}
	raw, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Telemetry struct{ Spans, Dropped int }
	}
	if err := yaml.Unmarshal(raw, &manifest); err != nil {
		t.Fatal(err)
	}
	return manifest.Telemetry.Spans, manifest.Telemetry.Dropped
}

// startPhoenix starts Phoenix and returns its URL.
func startPhoenix(t *testing.T, b bench, python, packages string) string {
	t.Helper()
	port, other := freePort(t), freePort(t)
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	cmd := exec.CommandContext(ctx, python, "-m", "phoenix.server.main", "serve")
	cmd.Dir, cmd.WaitDelay = b.dir, graceTime
	cmd.Env = b.environment([]string{"PYTHONPATH=" + packages, "PHOENIX_HOST=127.0.0.1", "PHOENIX_PORT=" + port, "PHOENIX_GRPC_PORT=" + other,
		"PHOENIX_WORKING_DIR=" + filepath.Join(b.dir, "phoenix"), "PHOENIX_TELEMETRY_ENABLED=false"})
	log, err := os.Create(filepath.Join(b.dir, "phoenix.log"))
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stop()
		_ = cmd.Wait() // killed
		log.Close()
		if text, err := os.ReadFile(log.Name()); t.Failed() {
			t.Logf("Phoenix: %v\n%s", err, text)
		}
	})
	base := "http://127.0.0.1:" + port
	for end := time.Now().Add(phoenixStart); ; time.Sleep(time.Second) {
		if response, err := http.Get(base + "/healthz"); err == nil {
			response.Body.Close()
			return base
		}
		if time.Now().After(end) {
			t.Fatal("Phoenix does not answer")
		}
	}
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}

// phoenixSpan is a span as Phoenix gives it back.
type phoenixSpan struct {
	Name     string `json:"name"`
	Kind     string `json:"span_kind"`
	ParentID string `json:"parent_id"`
	Context  struct {
		SpanID string `json:"span_id"`
	} `json:"context"`
}

// phoenixSpans reads all spans. Phoenix stores them some time after it has answered, so it is asked until it has enough.
func phoenixSpans(t *testing.T, base string, want int) (out []phoenixSpan) {
	t.Helper()
	for end := time.Now().Add(clientTime); ; time.Sleep(time.Second) {
		out = nil
		for cursor, more := "", true; more; more = cursor != "" {
			response, err := http.Get(base + "/v1/projects/default/spans?limit=100&cursor=" + cursor)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(response.Body)
			response.Body.Close()
			var page struct {
				Data []phoenixSpan `json:"data"`
				Next string        `json:"next_cursor"`
			}
			if err == nil {
				err = json.Unmarshal(body, &page)
			}
			if err != nil {
				t.Fatal(fmt.Errorf("%w in %.300s", err, body))
			}
			out, cursor = append(out, page.Data...), page.Next
		}
		if len(out) >= want || time.Now().After(end) {
			return out
		}
	}
}
