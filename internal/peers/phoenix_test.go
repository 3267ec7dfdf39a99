//go:build peers

package peers

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gopkg.in/yaml.v3"
)

// TestSpansInPhoenix sends a finished run to Phoenix, and another one while it runs, and reads the spans back by Phoenix's own
// interface: all of them, with their kinds and parents. Sending a run again adds none.
func TestSpansInPhoenix(t *testing.T) {
	b := bench{dir: t.TempDir(), most: agentTime}
	b.build(t)
	b.venv(t, phoenixVersion)
	base := b.phoenix(t)
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
