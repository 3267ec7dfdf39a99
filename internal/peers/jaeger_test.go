//go:build peers

package peers

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// jaegerVersion is a version of Jaeger 2 as a Go module, without the web interface. Its first build compiles 2,300
// packages; later ones take them from the cache.
const jaegerVersion = "v1.76.0"

// jaegerSettings keep spans in memory, and answer queries.
const jaegerSettings = `receivers: {otlp: {protocols: {http: {endpoint: "127.0.0.1:%s"}}}}
exporters: {jaeger_storage_exporter: {trace_storage: memory}}
extensions:
  jaeger_storage: {backends: {memory: {memory: {max_traces: 1000}}}}
  jaeger_query:
    storage: {traces: memory}
    http: {endpoint: "127.0.0.1:%s"}
    grpc: {endpoint: "127.0.0.1:%s"}
service:
  extensions: [jaeger_storage, jaeger_query]
  telemetry: {metrics: {level: none}}
  pipelines:
    traces: {receivers: [otlp], exporters: [jaeger_storage_exporter]}
`

// TestSpansInJaeger builds Jaeger, and sends it a run while it runs, and the export of another run. Its API has each span
// once, with its name and its parent.
func TestSpansInJaeger(t *testing.T) {
	b := bench{dir: t.TempDir(), most: agentTime}
	b.build(t)
	b.writes(t, "go.mod", "module peer\n\ngo 1.26.0\n\nrequire github.com/jaegertracing/jaeger "+jaegerVersion+"\n")
	b.makes(t, []string{"go", "build", "-mod=mod", "-o", "jaeger", "github.com/jaegertracing/jaeger/cmd/jaeger"})
	ports := freePorts(t, 3)
	b.writes(t, "jaeger.yaml", fmt.Sprintf(jaegerSettings, ports[0], ports[1], ports[2]))
	log := b.serve(t, nil, filepath.Join(b.dir, "jaeger"), "--config", "jaeger.yaml")
	at, api := "http://127.0.0.1:"+ports[0], "http://127.0.0.1:"+ports[1]+"/api/traces/"
	waitFor(t, func() bool {
		resp, err := http.Get(api + strings.Repeat("1", 32))
		return err == nil && resp.Body.Close() == nil
	}, func() string { said, _ := os.ReadFile(log); return "Jaeger does not answer: " + string(said) })

	for _, c := range []struct{ name, variable string }{{"live", "OTEL_EXPORTER_OTLP_ENDPOINT=" + at}, {"export", "OTEL_SDK_DISABLED=true"}} {
		_, said, code := b.run(t, []string{c.variable}, b.concur, "run", "--limit", "3", "-k", "3", "--name", c.name)
		if live := c.name == "live"; code != 0 || strings.Contains(said, "go to "+at) != live {
			t.Fatalf("%s: exit code %d\n%s", c.name, code, said)
		}
		b.prints(t, 0, nil, "export", c.name, "--format", "otlp", "--out", c.name+".jsonl")
		want, traces := places(t, filepath.Join(b.dir, c.name+".jsonl"))
		if c.name == "export" {
			b.prints(t, 0, nil, "export", c.name, "--format", "otlp", "--to", at)
		} else if _, dropped := telemetryOf(t, filepath.Join(b.dir, "runs")); dropped > 0 { // Jaeger was slow; the run was not
			t.Logf("%d spans and verdicts were dropped", dropped)
			continue
		}
		compareInJaeger(t, c.name, api, traces, want)
		t.Logf("%s: %d spans in %d traces", c.name, len(want), len(traces))
	}
}

// places reads a file of requests. It returns a line for each span with its name, its ids and its parent, sorted, and
// the ids of the traces.
func places(t *testing.T, path string) (lines, traces []string) {
	t.Helper()
	eachObject(t, path, func(line []byte) error {
		var of struct {
			ResourceSpans []struct {
				ScopeSpans []struct {
					Spans []struct{ TraceID, SpanID, ParentSpanID, Name string }
				}
			}
		}
		if err := json.Unmarshal(line, &of); err != nil {
			return err
		}
		for _, resource := range of.ResourceSpans {
			for _, scope := range resource.ScopeSpans {
				for _, s := range scope.Spans {
					lines = append(lines, s.TraceID+" "+s.SpanID+" in "+s.ParentSpanID+": "+s.Name)
					traces = append(traces, s.TraceID)
				}
			}
		}
		return nil
	})
	slices.Sort(lines)
	slices.Sort(traces)
	if len(lines) == 0 {
		t.Fatalf("%s is empty", path)
	}
	return lines, slices.Compact(traces)
}

// compareInJaeger waits until Jaeger has as many spans of the traces as were sent, and compares them.
func compareInJaeger(t *testing.T, name, api string, traces, want []string) {
	t.Helper()
	var got []string
	waitFor(t, func() bool {
		got = nil
		for _, id := range traces {
			got = append(got, inJaeger(t, api+id)...)
		}
		return len(got) >= len(want)
	}, func() string { return fmt.Sprintf("%s: %d of %d spans arrived", name, len(got), len(want)) })
	slices.Sort(got)
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s: (-sent +in Jaeger)\n%.3000s", name, d)
	}
}

// inJaeger returns the spans of a trace in the form of places; none for an unknown trace.
func inJaeger(t *testing.T, url string) (lines []string) {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	var of struct {
		Data []struct {
			Spans []struct {
				TraceID, SpanID, OperationName string
				References                     []struct{ RefType, TraceID, SpanID string }
			}
		}
	}
	if err == nil {
		err = json.Unmarshal(raw, &of)
	}
	if err != nil {
		t.Fatalf("%s: %v\n%.300s", url, err, raw)
	}
	for _, trace := range of.Data {
		for _, s := range trace.Spans {
			parent := ""
			for _, r := range s.References {
				if r.RefType == "CHILD_OF" && r.TraceID == s.TraceID {
					parent = r.SpanID
				}
			}
			lines = append(lines, s.TraceID+" "+s.SpanID+" in "+parent+": "+s.OperationName)
		}
	}
	return lines
}
