package send_test

import (
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

func TestRead(t *testing.T) {
	const base, own = "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
	for _, c := range []struct {
		name, base  string
		environment []string
		want        send.Endpoint
		off         bool
	}{
		{"nothing", "", nil, send.Endpoint{Headers: map[string]string{}}, true},
		{"base", "http://c:4318", nil, send.Endpoint{Traces: "http://c:4318/v1/traces", Logs: "http://c:4318/v1/logs"}, false},
		{"path and query", "https://c/otel/?p=1", nil, send.Endpoint{Traces: "https://c/otel/v1/traces?p=1", Logs: "https://c/otel/v1/logs?p=1"}, false},
		{"variable", "", []string{base, "http://c:4318/"}, send.Endpoint{Traces: "http://c:4318/v1/traces", Logs: "http://c:4318/v1/logs"}, false},
		{"the configuration comes first", "http://a", []string{base, "http://b"}, send.Endpoint{Traces: "http://a/v1/traces", Logs: "http://a/v1/logs"}, false},
		{"a signal's own endpoint", "", []string{own, "http://c/in"}, send.Endpoint{Traces: "http://c/in"}, false},
		{"headers", "http://c", []string{"OTEL_EXPORTER_OTLP_HEADERS", "Authorization=Basic%20abc%3D, x=1", "OTEL_EXPORTER_OTLP_TRACES_HEADERS", "x=2"},
			send.Endpoint{Traces: "http://c/v1/traces", Logs: "http://c/v1/logs", Headers: map[string]string{"Authorization": "Basic abc=", "x": "2"}}, false},
		{"json and resource", "http://c", []string{"OTEL_EXPORTER_OTLP_PROTOCOL", "http/json", "OTEL_SERVICE_NAME", "mine", "OTEL_RESOURCE_ATTRIBUTES", "team=a%2Cb"},
			send.Endpoint{Traces: "http://c/v1/traces", Logs: "http://c/v1/logs", JSON: true, Service: "mine", Resource: []string{"team", "a,b"}}, false},
		{"disabled", "http://c", []string{"OTEL_SDK_DISABLED", "True"}, send.Endpoint{}, true},
	} {
		got, enabled, err := send.Read(c.base, environment(c.environment...))
		if err != nil || enabled == c.off {
			t.Errorf("%s: enabled %v, error %v", c.name, enabled, err)
		}
		if c.want.Headers == nil && !(c.off && c.base != "") {
			c.want.Headers = map[string]string{}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", c.name, diff)
		}
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
		{"http://c", []string{"OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"}, "gRPC is not supported"},
		{"http://c", []string{"OTEL_EXPORTER_OTLP_HEADERS", "secret"}, "OTEL_EXPORTER_OTLP_HEADERS: an entry is not NAME=VALUE"},
		{"http://c", []string{"OTEL_EXPORTER_OTLP_HEADERS", "a=b%0D%0Asecret: 1"}, "OTEL_EXPORTER_OTLP_HEADERS: an entry is not"},
	} {
		_, _, err := send.Read(c.base, environment(c.environment...))
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q %v: %v, want %q and no secret", c.base, c.environment, err, c.want)
		}
	}
}

// message is a message with one span.
func message() *tracepb.TracesData {
	return otel.Source{}.Traces([]*tracepb.Span{{TraceId: make([]byte, 16), SpanId: make([]byte, 8), Name: "s"}})
}

// client returns a client for a server that answers with the given statuses in turn, and then with 200.
func client(t *testing.T, o send.Endpoint, requests *atomic.Int64, answer func(http.ResponseWriter, int64)) *send.Client {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || len(body) == 0 {
			t.Errorf("body of %d bytes, %v", len(body), err)
		}
		if r.Header.Get("Content-Type") == "application/x-protobuf" {
			if err := proto.Unmarshal(body, &tracepb.TracesData{}); err != nil {
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
		if err := c.Send(t.Context(), message()); err != nil || requests.Load() != 3 {
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
		err := to.Send(t.Context(), message())
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
		err := to.Send(t.Context(), message())
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
	err := send.NewClient(send.Endpoint{Traces: "http://127.0.0.1:1"}).Send(ctx, message())
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
	one := otel.Spans{Spans: message().ResourceSpans[0].ScopeSpans[0].Spans, Logs: []*logspb.LogRecord{{EventName: "e"}}}
	for range 3 {
		if err := c.Take(t.Context(), otel.Source{}, one, &counts); err != nil {
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
