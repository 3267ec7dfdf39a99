package send_test

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"github.com/seed-5817661a/concur/reports/otel"
	"github.com/seed-5817661a/concur/reports/otel/oteltest"
	"github.com/seed-5817661a/concur/reports/otel/send"
)

func environment(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

// at is the endpoint of a base URL, without headers.
func at(base, from string) send.Endpoint {
	return send.Endpoint{Traces: base + "/v1/traces", Logs: base + "/v1/logs", From: from,
		Headers: map[string]string{}, LogsHeaders: map[string]string{}}
}

func TestRead(t *testing.T) {
	const base, own, configured = "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "telemetry.otlp"
	for _, c := range []struct {
		name, base  string
		environment []string
		want        func(*send.Endpoint)
		off         bool
	}{
		{"nothing", "", nil, func(e *send.Endpoint) { e.Traces, e.Logs, e.From = "", "", "" }, true},
		{"base", "http://c", nil, func(*send.Endpoint) {}, false},
		{"path and query", "https://c/otel/?p=1", nil, func(e *send.Endpoint) {
			e.Traces, e.Logs = "https://c/otel/v1/traces?p=1", "https://c/otel/v1/logs?p=1"
		}, false},
		{"variable", "", []string{base, "http://c/"}, func(e *send.Endpoint) { e.From = base }, false},
		{"the configuration comes first", "http://c", []string{base, "http://b", own, "http://b/in"}, func(*send.Endpoint) {}, false},
		{"a signal's own endpoint", "", []string{own, "http://c/in"}, func(e *send.Endpoint) { e.Traces, e.Logs, e.From = "http://c/in", "", own }, false},
		{"both signals' own endpoints", "", []string{own, "http://c/in/", "OTEL_EXPORTER_OTLP_LOGS_ENDPOINT", "http://d", base, "http://b"},
			func(e *send.Endpoint) { e.Traces, e.Logs, e.From = "http://c/in/", "http://d", own }, false},
		{"no logs", "", []string{base, "http://c", "OTEL_LOGS_EXPORTER", "none"}, func(e *send.Endpoint) { e.Logs, e.From = "", base }, false},
		{"no traces and no logs", "", []string{base, "http://c", "OTEL_LOGS_EXPORTER", "none", "OTEL_TRACES_EXPORTER", "console"},
			func(e *send.Endpoint) { e.Traces, e.Logs, e.From = "", "", "" }, true},
		{"headers", "http://c", []string{"OTEL_EXPORTER_OTLP_HEADERS", "Authorization=Basic%20abc%3D, x=1", "OTEL_EXPORTER_OTLP_TRACES_HEADERS", "x=2", "OTEL_EXPORTER_OTLP_LOGS_HEADERS", "x=3,y=4"},
			func(e *send.Endpoint) {
				e.Headers = map[string]string{"Authorization": "Basic abc=", "x": "2"}
				e.LogsHeaders = map[string]string{"Authorization": "Basic abc=", "x": "3", "y": "4"}
			}, false},
		{"json and resource", "http://c", []string{"OTEL_EXPORTER_OTLP_PROTOCOL", "http/json", "OTEL_SERVICE_NAME", "mine", "OTEL_RESOURCE_ATTRIBUTES", "team=a%2Cb"},
			func(e *send.Endpoint) {
				e.JSON, e.LogsJSON, e.Service, e.Resource = true, true, "mine", []string{"team", "a,b"}
			}, false},
		{"json for logs", "http://c", []string{"OTEL_EXPORTER_OTLP_LOGS_PROTOCOL", "http/json"}, func(e *send.Endpoint) { e.LogsJSON = true }, false},
		{"time and compression", "http://c", []string{"OTEL_EXPORTER_OTLP_TIMEOUT", "2500", "OTEL_EXPORTER_OTLP_COMPRESSION", "gzip"},
			func(e *send.Endpoint) { e.Timeout, e.Gzip = 2500*time.Millisecond, true }, false},
	} {
		got, enabled, err := send.Read(c.base, environment(c.environment...))
		if err != nil || enabled == c.off {
			t.Errorf("%s: enabled %v, error %v", c.name, enabled, err)
		}
		want := at("http://c", configured)
		c.want(&want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", c.name, diff)
		}
	}
	if _, enabled, err := send.Read("http://c", environment("OTEL_SDK_DISABLED", "True")); enabled || err != nil {
		t.Errorf("with OTEL_SDK_DISABLED: enabled %v, %v", enabled, err)
	}
}

func TestReadRefuses(t *testing.T) {
	for _, c := range []struct {
		base        string
		environment []string
		want        string
	}{
		{"c:4318", nil, "telemetry.otlp is no URL"},
		{"http://user:secret@c", nil, "has a user or a password"},
		{"", []string{"OTEL_EXPORTER_OTLP_ENDPOINT", "ftp://c"}, "OTEL_EXPORTER_OTLP_ENDPOINT is no URL"},
		{"http://c", []string{"OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"}, "OTEL_EXPORTER_OTLP_PROTOCOL is grpc, which is not supported"},
		{"http://c", []string{"OTEL_EXPORTER_OTLP_PROTOCOL", "udp"}, `OTEL_EXPORTER_OTLP_PROTOCOL is "udp"`},
		{"http://c", []string{"OTEL_EXPORTER_OTLP_TIMEOUT", "10s"}, "OTEL_EXPORTER_OTLP_TIMEOUT is no time"},
		{"http://c", []string{"OTEL_EXPORTER_OTLP_COMPRESSION", "zstd"}, `OTEL_EXPORTER_OTLP_COMPRESSION is "zstd"`},
		{"http://c", []string{"OTEL_EXPORTER_OTLP_HEADERS", "secret"}, "OTEL_EXPORTER_OTLP_HEADERS: an entry is not NAME=VALUE"},
		{"http://c", []string{"OTEL_EXPORTER_OTLP_HEADERS", "a=b%0D%0Asecret: 1"}, "OTEL_EXPORTER_OTLP_HEADERS: an entry is not"},
	} {
		_, _, err := send.Read(c.base, environment(c.environment...))
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q %v: %v, want %q and no secret", c.base, c.environment, err, c.want)
		}
	}
}

// one returns a span and a log record.
func one(t *testing.T) otel.Spans {
	t.Helper()
	span, err := proto.Marshal(&tracepb.Span{TraceId: make([]byte, 16), SpanId: make([]byte, 8), Name: "s"})
	if err != nil {
		t.Fatal(err)
	}
	record, err := proto.Marshal(&logspb.LogRecord{EventName: "e"})
	if err != nil {
		t.Fatal(err)
	}
	return otel.Spans{Spans: []otel.Span{span}, Logs: []otel.LogRecord{record}}
}

// message returns a message with one span.
func message(t *testing.T) otel.Message { return otel.Source{}.Traces(one(t).Spans) }

// client returns a client for a server that answers with the given statuses in turn, and then with 200.
func client(t *testing.T, o send.Endpoint, requests *atomic.Int64, answer func(http.ResponseWriter, int64)) *send.Client {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || len(body) == 0 {
			t.Errorf("body of %d bytes, %v", len(body), err)
		}
		if r.Header.Get("Content-Type") == "application/x-protobuf" {
			if _, err := oteltest.Request(body, false); err != nil {
				t.Error(err)
			}
		}
		answer(w, requests.Add(1))
	}))
	t.Cleanup(server.Close)
	o.Traces = server.URL + "/v1/traces?key=secret"
	return send.NewClient(o)
}

func TestSendRepeats(t *testing.T) {
	for _, status := range []int{429, 502, 503, 504} {
		var requests atomic.Int64
		c := client(t, send.Endpoint{}, &requests, func(w http.ResponseWriter, n int64) {
			if n < 3 {
				w.Header().Set("Retry-After-Ms", "1")
				w.WriteHeader(status)
			}
		})
		if err := c.Send(t.Context(), message(t)); err != nil || requests.Load() != 3 {
			t.Errorf("status %d: %v after %d requests, want success with the third", status, err, requests.Load())
		}
	}
}

func TestSendDoesNotRepeat(t *testing.T) {
	for _, c := range []struct {
		status  int
		refused bool
	}{{400, false}, {401, false}, {500, false}, {302, false}, {404, true}, {405, true}, {501, true}} {
		var requests atomic.Int64
		to := client(t, send.Endpoint{}, &requests, func(w http.ResponseWriter, _ int64) {
			w.Header().Set("Location", "http://127.0.0.1:1/elsewhere")
			w.WriteHeader(c.status)
			fmt.Fprint(w, "<html>an\nerror page</html>")
		})
		err := to.Send(t.Context(), message(t))
		_, refused := errors.AsType[*send.RefusedError](err)
		if err == nil || refused != c.refused || requests.Load() != 1 || strings.Contains(err.Error(), "secret") {
			t.Errorf("status %d: %v after %d requests", c.status, err, requests.Load())
		}
	}
}

func TestPartialSuccess(t *testing.T) {
	inner := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), 2)
	inner = protowire.AppendString(protowire.AppendTag(inner, 2, protowire.BytesType), "too\nold")
	answer := protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), inner)
	for _, c := range []struct {
		kind string
		body []byte
		want int64
	}{
		{"application/x-protobuf", answer, 2},
		{"application/x-protobuf", answer[:3], 0},
		{"application/json", []byte(`{"partialSuccess":{"rejectedSpans":"2","errorMessage":"too old"}}`), 2},
		{"application/json", []byte(`{}`), 0},
		{"text/html", []byte("<html>"), 0},
	} {
		var requests atomic.Int64
		to := client(t, send.Endpoint{JSON: strings.Contains(c.kind, "json")}, &requests, func(w http.ResponseWriter, _ int64) {
			w.Header().Set("Content-Type", c.kind)
			w.Write(c.body)
		})
		err := to.Send(t.Context(), message(t))
		partial, is := errors.AsType[*send.PartialError](err)
		if c.want == 0 && err != nil || c.want > 0 && (!is || partial.Rejected != c.want || partial.Message != "too old") {
			t.Errorf("%s %q: %v, want %d rejected", c.kind, c.body, err, c.want)
		}
	}
}

// A server that is down is asked again; the end of ctx ends that.
func TestSendToNobody(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	err := send.NewClient(send.Endpoint{Traces: "http://127.0.0.1:1"}).Send(ctx, message(t))
	if err == nil || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v, want that the time was over", err)
	}
}

// An endpoint that takes no log records gets the spans, and is asked for log records once.
func TestTakeWithoutLogs(t *testing.T) {
	var traces, logs atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/logs" {
			logs.Add(1)
			w.WriteHeader(http.StatusNotFound)
			return
		}
		traces.Add(1)
	}))
	defer server.Close()
	c := send.NewClient(send.Endpoint{Traces: server.URL + "/v1/traces", Logs: server.URL + "/v1/logs"})
	var counts send.Counts
	for range 3 {
		if err := c.Take(t.Context(), otel.Source{}, one(t), &counts); err != nil {
			t.Fatal(err)
		}
	}
	if traces.Load() != 3 || logs.Load() != 1 || counts.Spans != 3 || counts.Logs != 0 {
		t.Errorf("%d requests of traces, %d of logs, counts %+v", traces.Load(), logs.Load(), counts)
	}
	if want := "sent 3 spans and 0 verdicts; verdicts only as attributes"; !strings.HasPrefix(counts.String(), want) {
		t.Errorf("%q, want %q …", counts, want)
	}
}

// Requests are compressed if the endpoint says so, and each signal has its own headers.
func TestCompressionAndHeaders(t *testing.T) {
	var got []string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		unpacked, err := gzip.NewReader(r.Body)
		if err != nil {
			t.Error(err)
			return
		}
		body, err := io.ReadAll(unpacked)
		if err == nil {
			_, err = oteltest.Request(body, r.URL.Path == "/v1/logs")
		}
		if err != nil {
			t.Error(err)
		}
		got = append(got, r.URL.Path+" "+r.Header.Get("X-Key")+" "+r.Header.Get("Content-Encoding"))
	}))
	defer server.Close()
	e := at(server.URL, "")
	e.Gzip, e.Headers["x-key"], e.LogsHeaders["x-key"] = true, "1", "2"
	c := send.NewClient(e)
	logs := otel.Source{}.Logs(one(t).Logs)
	if err := errors.Join(c.Send(t.Context(), message(t)), c.Send(t.Context(), logs)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"/v1/traces 1 gzip", "/v1/logs 2 gzip"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
