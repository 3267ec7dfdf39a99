//go:build peers

package peers

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The version of the OpenTelemetry collector, and of those of its modules that are stable.
const (
	collectorVersion = "v0.165.0"
	stableVersion    = "v1.71.0"
)

// collectorParts is what the collector is built of, for its own builder.
const collectorParts = `dist: {name: otelcol, output_path: ./otelcol}
receivers: [{gomod: go.opentelemetry.io/collector/receiver/otlpreceiver ` + collectorVersion + `}]
exporters: [{gomod: go.opentelemetry.io/collector/exporter/otlphttpexporter ` + collectorVersion + `}]
providers:
  - gomod: go.opentelemetry.io/collector/confmap/provider/fileprovider ` + stableVersion + `
  - gomod: go.opentelemetry.io/collector/confmap/provider/envprovider ` + stableVersion + `
`

// collectorSettings pass on what the collector takes, as JSON, so that a test can read it.
const collectorSettings = `receivers: {otlp: {protocols: {http: {endpoint: "127.0.0.1:%s"}}}}
exporters: {otlphttp: {endpoint: "%s", encoding: json, compression: none}}
service:
  telemetry: {metrics: {level: none}}
  pipelines:
    traces: {receivers: [otlp], exporters: [otlphttp]}
    logs: {receivers: [otlp], exporters: [otlphttp]}
`

// TestSpansInCollector builds an OpenTelemetry collector, and sends it a run while it runs, the export of the run and
// the verdicts on its import, in both encodings. The collector passes on each span and log record as it is in the file
// of the export.
func TestSpansInCollector(t *testing.T) {
	b := bench{dir: t.TempDir(), most: agentTime}
	b.build(t)
	b.buildCollector(t)
	behind := newBehind(t)
	port := freePorts(t, 1)[0]
	b.writes(t, "collector.yaml", fmt.Sprintf(collectorSettings, port, behind.URL))
	log := b.serve(t, nil, filepath.Join(b.dir, "otelcol", "otelcol"), "--config", "collector.yaml")
	waitFor(t, func() bool {
		c, err := net.Dial("tcp", "127.0.0.1:"+port)
		return err == nil && c.Close() == nil
	}, func() string { said, _ := os.ReadFile(log); return "the collector does not listen: " + string(said) })
	at := "http://127.0.0.1:" + port

	_, said, code := b.run(t, []string{"OTEL_EXPORTER_OTLP_ENDPOINT=" + at}, b.concur, "run", "--limit", "3", "-k", "3")
	if code != 0 || !strings.Contains(said, "go to "+at) {
		t.Fatalf("exit code %d\n%s", code, said)
	}
	b.prints(t, 0, nil, "export", "latest", "--format", "otlp", "--out", "without.jsonl")
	want := readRequests(t, filepath.Join(b.dir, "without.jsonl"))
	if _, dropped := telemetryOf(t, filepath.Join(b.dir, "runs")); dropped == 0 {
		behind.compare(t, "live", want)
	} else { // the collector was slow; the run was not
		t.Logf("%d spans and verdicts were dropped", dropped)
	}

	b.prints(t, 0, nil, "export", "latest", "--format", "otlp", "--content", "--out", "spans.jsonl")
	want = readRequests(t, filepath.Join(b.dir, "spans.jsonl"))
	for _, protocol := range []string{"http/protobuf", "http/json"} {
		behind.forget()
		b.prints(t, 0, []string{"OTEL_EXPORTER_OTLP_PROTOCOL=" + protocol}, "export", "latest", "--format", "otlp", "--content", "--to", at)
		behind.compare(t, protocol, want)
	}

	_, run := b.imports(t, "spans.jsonl", "--from", "otlp", "--mapping", "gold=concur.expected")
	b.prints(t, 0, nil, "export", run, "--format", "otlp-evaluations", "--out", "verdicts.jsonl")
	behind.forget()
	b.prints(t, 0, nil, "export", run, "--format", "otlp-evaluations", "--to", at)
	want = readRequests(t, filepath.Join(b.dir, "verdicts.jsonl"))
	behind.compare(t, "verdicts", want)
	if n := strings.Count(strings.Join(want, "\n"), "concur.ci.low"); n != 9 {
		t.Errorf("%d verdicts have an interval, want one for each of 9 spans", n)
	}
}

// buildCollector builds a collector with its own builder.
func (b bench) buildCollector(t *testing.T) {
	t.Helper()
	b.writes(t, "builder.yaml", collectorParts)
	b.makes(t, []string{"go", "install", "go.opentelemetry.io/collector/cmd/builder@" + collectorVersion},
		[]string{filepath.Join(b.dir, "builder"), "--config", "builder.yaml"})
}

// makes runs programs one after the other, which build a program of Go modules. It skips the test if the modules cannot
// be had.
func (b bench) makes(t *testing.T, lines ...[]string) {
	t.Helper()
	for _, line := range lines {
		cmd := exec.CommandContext(t.Context(), line[0], line[1:]...)
		cmd.Dir, cmd.Env = b.dir, append(environment(), "GOBIN="+b.dir, "GOFLAGS=", "CGO_ENABLED=0")
		out, err := cmd.CombinedOutput()
		for _, word := range []string{"dial tcp", "i/o timeout", "no such host", "proxyconnect", "502 Bad Gateway"} {
			if err != nil && strings.Contains(string(out), word) {
				t.Skipf("modules cannot be had: %v\n%s", err, out)
			}
		}
		if err != nil {
			t.Fatalf("%s: %v\n%s", strings.Join(line, " "), err, out)
		}
	}
}

// waitFor waits until something holds.
func waitFor(t *testing.T, holds func() bool, why func() string) {
	t.Helper()
	for end := time.Now().Add(clientTime); !holds(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal(why())
		}
	}
}

// behind is the server to which the collector passes on what it takes.
type behind struct {
	*httptest.Server
	mutex sync.Mutex
	got   []string
}

func newBehind(t *testing.T) *behind {
	b := &behind{}
	b.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, err := io.ReadAll(r.Body)
		if err == nil {
			b.mutex.Lock()
			defer b.mutex.Unlock()
			b.got, err = appendRequest(b.got, raw)
		}
		if err != nil {
			t.Errorf("%s: %v", r.URL, err)
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, "{}")
	}))
	t.Cleanup(b.Close)
	return b
}

func (b *behind) forget() {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.got = nil
}

// compare waits for as many spans and log records as were sent, and compares them.
func (b *behind) compare(t *testing.T, name string, want []string) {
	t.Helper()
	all := func() []string {
		b.mutex.Lock()
		defer b.mutex.Unlock()
		return slices.Sorted(slices.Values(b.got))
	}
	waitFor(t, func() bool { return len(all()) >= len(want) }, func() string { return fmt.Sprintf("%s: %d of %d arrived", name, len(all()), len(want)) })
	if d := cmp.Diff(want, all()); d != "" {
		t.Errorf("%s: (-sent +passed on)\n%.3000s", name, d)
	}
}

// readRequests reads a file of requests, and returns its spans and log records, sorted.
func readRequests(t *testing.T, path string) (out []string) {
	t.Helper()
	eachObject(t, path, func(line []byte) (err error) {
		out, err = appendRequest(out, line)
		return err
	})
	if slices.Sort(out); len(out) == 0 {
		t.Fatalf("%s is empty", path)
	}
	return out
}

// appendRequest adds the spans and log records of a request, each as a line.
func appendRequest(to []string, raw []byte) ([]string, error) {
	type pair struct {
		Key   string
		Value any
	}
	type record struct {
		TraceID, SpanID, ParentSpanID, Name, EventName string
		Kind, SeverityNumber                           int
		StartTimeUnixNano, EndTimeUnixNano             string
		TimeUnixNano                                   string
		Attributes                                     []pair
		Links                                          []struct{ TraceID, SpanID string }
		Status                                         struct {
			Code    int
			Message string
		}
	}
	var of struct {
		ResourceSpans []struct{ ScopeSpans []struct{ Spans []record } }
		ResourceLogs  []struct {
			ScopeLogs []struct{ LogRecords []record }
		}
	}
	if err := json.Unmarshal(raw, &of); err != nil {
		return nil, err
	}
	var all []record
	for _, resource := range of.ResourceSpans {
		for _, scope := range resource.ScopeSpans {
			all = append(all, scope.Spans...)
		}
	}
	for _, resource := range of.ResourceLogs {
		for _, scope := range resource.ScopeLogs {
			all = append(all, scope.LogRecords...)
		}
	}
	for _, r := range all {
		line, err := json.Marshal(r)
		if err != nil {
			return nil, err
		}
		to = append(to, string(line))
	}
	return to, nil
}
