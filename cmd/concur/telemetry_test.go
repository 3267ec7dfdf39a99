package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/testing/protocmp"

	"github.com/seed-5817661a/concur/reports/otel"
	"github.com/seed-5817661a/concur/reports/otel/oteltest"
	"github.com/seed-5817661a/concur/runner/store"
)

// tracingBackend keeps the spans and log records that it gets, by the official messages.
type tracingBackend struct {
	*httptest.Server
	mu  sync.Mutex
	got oteltest.Messages
}

func newTracingBackend(t *testing.T) *tracingBackend {
	b := &tracingBackend{}
	b.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		got, wrong := oteltest.Request(body, r.URL.Path == "/v1/logs")
		if err = errors.Join(err, wrong); err != nil {
			t.Error(err)
		}
		b.mu.Lock()
		defer b.mu.Unlock()
		b.got.Join(got)
	}))
	t.Cleanup(b.Close)
	return b
}

// sorted sorts spans and log records, to compare them.
func sorted(s oteltest.Messages) oteltest.Messages {
	slices.SortFunc(s.Spans, func(a, b *tracepb.Span) int { return bytes.Compare(a.SpanId, b.SpanId) })
	slices.SortFunc(s.Logs, func(a, b *logspb.LogRecord) int { return cmp.Compare(a.String(), b.String()) })
	return s
}

// exported returns what the export of a run describes.
func exported(t *testing.T, run *store.Run, content bool) (all oteltest.Messages) {
	t.Helper()
	err := otel.Read(context.Background(), run, "", otel.Options{Content: content}, func(s otel.Spans) error {
		all.Join(oteltest.Decode(t, s))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return sorted(all)
}

// settingsFile writes a concur.yaml and returns its path.
func settingsFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "concur.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// runOf runs a command, and returns its run and what it printed on standard error.
func runOf(t *testing.T, args ...string) (*store.Run, string) {
	t.Helper()
	runs := t.TempDir()
	code, _, errs := invoke(append(args, "--runs-dir", runs)...)
	if code != exitOK {
		t.Fatalf("concur %s: exit %d\n%s", strings.Join(args, " "), code, errs)
	}
	folders, err := filepath.Glob(filepath.Join(runs, "*"))
	if err != nil || len(folders) != 1 {
		t.Fatalf("folders %v, %v", folders, err)
	}
	run, err := store.Open(folders[0])
	if err != nil {
		t.Fatal(err)
	}
	return run, errs
}

// sentRun runs a command that sends its spans. A busy machine may not send all of them in the time that the end of a run
// takes; then there is another run.
func sentRun(t *testing.T, content string, args ...string) (backend *tracingBackend, run *store.Run, errs string) {
	t.Helper()
	for range 5 {
		backend = newTracingBackend(t)
		file := settingsFile(t, "telemetry: {otlp: '"+backend.URL+"', content: "+content+"}\n")
		run, errs = runOf(t, append(slices.Clone(args), "--config", file)...)
		if sent := run.Manifest.Telemetry; sent == nil || sent.Dropped == 0 {
			break
		}
	}
	return backend, run, errs
}

// What a run sends is what the export of its folder describes, span by span.
func TestTelemetryEqualsExport(t *testing.T) {
	for _, args := range [][]string{
		{"run", "--limit", "6", "--judge", "same"},
		{"ablate", "--limit", "3"},
	} {
		for _, content := range []string{"off", "on"} {
			backend, run, errs := sentRun(t, content, args...)
			want, got := exported(t, run, content == "on"), sorted(backend.got)
			if diff := gocmp.Diff(want.Spans, got.Spans, protocmp.Transform()); diff != "" {
				t.Errorf("%v, content %s: (-export +live)\n%.2000s", args, content, diff)
			}
			if diff := gocmp.Diff(want.Logs, got.Logs, protocmp.Transform()); diff != "" {
				t.Errorf("%v, content %s: verdicts (-export +live)\n%.2000s", args, content, diff)
			}
			if len(got.Spans) == 0 || len(got.Logs) == 0 {
				t.Errorf("%v: %d spans and %d verdicts", args, len(got.Spans), len(got.Logs))
			}
			want2 := &store.Telemetry{To: backend.URL, Spans: len(got.Spans), Verdicts: len(got.Logs)}
			if diff := gocmp.Diff(want2, run.Manifest.Telemetry); diff != "" {
				t.Errorf("manifest: (-want +got)\n%s", diff)
			}
			if !strings.Contains(errs, "concur: telemetry: spans of all queries go to "+backend.URL+" (telemetry.otlp), with") {
				t.Errorf("standard error:\n%s", errs)
			}
		}
	}
}

// An exporter that the environment sets is on, unless concur.yaml says off. Telemetry changes neither records nor the
// agent hash.
func TestTelemetryByEnvironment(t *testing.T) {
	file := settingsFile(t, "k: 3\n")
	plain, _ := runOf(t, "run", "--limit", "2", "--config", file)
	for _, c := range []struct {
		name, variable, value, file string
		sends                       bool
		errs                        string
	}{
		{"on", "", "", "k: 3\n", true, "(OTEL_EXPORTER_OTLP_ENDPOINT), without content"},
		{"off in the file", "", "", "k: 3\ntelemetry: off\n", false, ""},
		{"disabled", "OTEL_SDK_DISABLED", "true", "k: 3\n", false, ""},
		{"grpc", "OTEL_EXPORTER_OTLP_PROTOCOL", "grpc", "k: 3\n", false, "OTEL_EXPORTER_OTLP_PROTOCOL is grpc, which is not supported"},
	} {
		t.Run(c.name, func(t *testing.T) {
			backend := newTracingBackend(t)
			t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", backend.URL)
			if c.variable != "" {
				t.Setenv(c.variable, c.value)
			}
			run, errs := runOf(t, "run", "--limit", "2", "--config", settingsFile(t, c.file))
			if sent := len(backend.got.Spans) > 0; sent != c.sends || (run.Manifest.Telemetry != nil) != c.sends {
				t.Errorf("%d spans, manifest %+v", len(backend.got.Spans), run.Manifest.Telemetry)
			}
			if !strings.Contains(errs, c.errs) {
				t.Errorf("standard error:\n%s", errs)
			}
			if diff := gocmp.Diff(records(t, plain), records(t, run)); diff != "" {
				t.Errorf("records without and with telemetry differ:\n%s", diff)
			}
			if want, got := plain.Manifest.Configurations[0].Agent, run.Manifest.Configurations[0].Agent; got != want {
				t.Errorf("agent hash %s, without telemetry %s", got, want)
			}
		})
	}
}

// A replay sends nothing: its requests were sent to no model.
func TestReplayAndTelemetry(t *testing.T) {
	backend := newTracingBackend(t)
	file := settingsFile(t, "telemetry: {otlp: '"+backend.URL+"'}\n")
	run, _ := runOf(t, "run", "--limit", "2", "--config", file)
	before := len(backend.got.Spans)
	if replayed, _ := runOf(t, "run", "--replay", run.Dir, "--config", file); replayed.Manifest.Telemetry != nil {
		t.Error("the manifest of a replay counts spans")
	}
	if before == 0 || len(backend.got.Spans) != before {
		t.Errorf("%d spans, with the replay %d", before, len(backend.got.Spans))
	}
}

// A run with a wrong URL in its file does not begin.
func TestTelemetryRefused(t *testing.T) {
	t.Setenv("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")
	for text, want := range map[string]string{
		"telemetry: {otlp: 'http://user:hidden@c'}": "telemetry.otlp: it has a password or a key",
		"telemetry: {otlp: 'http://127.0.0.1:1'}":   "telemetry: OTEL_EXPORTER_OTLP_PROTOCOL is grpc",
	} {
		runs := t.TempDir()
		code, _, errs := invoke("run", "--limit", "1", "--config", settingsFile(t, text+"\n"), "--runs-dir", runs)
		if code != exitUsage || !strings.Contains(errs, want) || strings.Contains(errs, "hidden") {
			t.Errorf("%s: exit %d\n%s", text, code, errs)
		}
		if entries, err := os.ReadDir(runs); err != nil || len(entries) > 0 {
			t.Errorf("%s: %d folders, %v", text, len(entries), err)
		}
	}
}

// A text that looks like a key is in no span, also if a question of the dataset has it.
func TestTelemetryHidesKeys(t *testing.T) {
	const key = "sk-ant-api03-0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-AA"
	data := filepath.Join(t.TempDir(), "data.jsonl")
	line := `{"id":"q1","query":"My key is ` + key + `. What is 1 + 2?","gold":{"type":"integer","answer":3}}` + "\n"
	if err := os.WriteFile(data, []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	backend := newTracingBackend(t)
	run, _ := runOf(t, "run", data, "--config", settingsFile(t, "telemetry: {otlp: '"+backend.URL+"', content: on}\n"))
	live := backend.text()
	backend.got = oteltest.Messages{}
	if code, _, errs := invoke("export", run.Dir, "--format", "otlp", "--content", "--to", backend.URL); code != exitOK {
		t.Fatalf("exit %d: %s", code, errs)
	}
	for name, got := range map[string]string{"live": live, "export": backend.text()} {
		if !strings.Contains(got, "What is 1 + 2?") || strings.Contains(got, key[:20]) {
			t.Errorf("%s: the question is missing, or the key is sent", name)
		}
	}
	if backend.text() != live {
		t.Error("the export differs from the live spans")
	}
}

// text returns everything that a backend got, in a fixed order.
func (b *tracingBackend) text() string {
	s, out := sorted(b.got), strings.Builder{}
	for _, span := range s.Spans {
		out.WriteString(span.String() + "\n")
	}
	for _, record := range s.Logs {
		out.WriteString(record.String() + "\n")
	}
	return out.String()
}
