package otel_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"github.com/seed-5817661a/concur/reports/otel"
	"github.com/seed-5817661a/concur/reports/otel/oteltest"
)

// Each span has the name, the kind, the parent and the attributes that the conventions require.
func TestSpans(t *testing.T) {
	spans := official(t, otel.Options{}).Spans
	const internal, client = tracepb.Span_SPAN_KIND_INTERNAL, tracepb.Span_SPAN_KIND_CLIENT
	for _, want := range []struct {
		name       string
		kind       tracepb.Span_SpanKind
		parent     string
		start, end float64
		attributes string // some of them
	}{
		{"invoke_workflow three", internal, "", 1, 5, "gen_ai.operation.name gen_ai.workflow.name concur.query concur.verdict gen_ai.evaluation.name gen_ai.evaluation.score.value"},
		{"invoke_workflow one", internal, "", 1, 4, "gen_ai.operation.name"},
		{"execute_tool web_search", internal, "invoke_agent three", 1.6, 2.5, "gen_ai.operation.name gen_ai.tool.name gen_ai.tool.call.id gen_ai.tool.type"},
		{"retrieval wiki", client, "execute_tool web_search", 1.6, 2.5, "gen_ai.operation.name gen_ai.data_source.id"},
		{"execute_tool files__read", internal, "invoke_agent three", 2.5, 2.6, "error.type"},
		{"tools/call read", client, "execute_tool files__read", 2.5, 2.6, "mcp.method.name gen_ai.tool.name"},
		{"invoke_agent researcher", internal, "invoke_agent three", 2.7, 3.3, "gen_ai.operation.name gen_ai.provider.name gen_ai.agent.name"},
	} {
		s := named(t, spans, want.name)
		if s.Kind != want.kind {
			t.Errorf("%s: kind %v", want.name, s.Kind)
		}
		var parents []string
		for _, p := range spans {
			if bytes.Equal(p.SpanId, s.ParentSpanId) && bytes.Equal(p.TraceId, s.TraceId) {
				parents = append(parents, p.Name)
			}
		}
		if got := strings.Join(parents, " "); got != want.parent {
			t.Errorf("%s: parent %q, want %q", want.name, got, want.parent)
		}
		if got := [2]uint64{s.StartTimeUnixNano, s.EndTimeUnixNano}; got != [2]uint64{uint64(at(want.start).UnixNano()), uint64(at(want.end).UnixNano())} {
			t.Errorf("%s: from %d to %d, want %v s to %v s", want.name, got[0], got[1], want.start, want.end)
		}
		for _, a := range strings.Fields(want.attributes) {
			if !slices.ContainsFunc(words(s), func(w string) bool { return strings.HasPrefix(w, a+"=") }) {
				t.Errorf("%s: no attribute %s in %v", want.name, a, words(s))
			}
		}
	}
}

func TestTracesOfAQuery(t *testing.T) {
	spans := official(t, otel.Options{}).Spans
	query := named(t, spans, "invoke_workflow three")
	agents, chats, judges := 0, 0, 0
	for _, s := range spans {
		under := bytes.Equal(s.ParentSpanId, query.SpanId)
		switch {
		case s.Name == "invoke_agent three" && under:
			agents++
		case s.Name == "chat gpt-4o" && under:
			judges++
		case s.Name == "chat gpt-4o":
			chats++
		}
	}
	if agents != 3 || chats != 4 || judges != 1 {
		t.Errorf("%d traces, %d requests of agents, %d of judges; want 3, 4 and 1", agents, chats, judges)
	}
	if shared := named(t, spans, "invoke_workflow one"); len(shared.Links) != 1 {
		t.Errorf("%d links to the trace that both configurations have, want 1", len(shared.Links))
	}
}

func TestIDsAreUnique(t *testing.T) {
	seen := map[string]string{}
	for _, s := range official(t, otel.Options{}).Spans {
		id := hex.EncodeToString(s.SpanId)
		if other, twice := seen[id]; twice {
			t.Errorf("%s and %s have the same id", s.Name, other)
		}
		if seen[id] = s.Name; len(s.TraceId) != 16 || len(s.SpanId) != 8 {
			t.Errorf("%s: ids of %d and %d bytes", s.Name, len(s.TraceId), len(s.SpanId))
		}
	}
}

// What is read from the folder is what was described during the run.
func TestReadEqualsLive(t *testing.T) {
	for _, o := range []otel.Options{{}, {Content: true}} {
		want := official(t, o)
		var got oteltest.Messages
		if err := otel.Read(context.Background(), folder(t), "", o, func(s otel.Spans) error {
			got.Join(oteltest.Decode(t, s))
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		bySpan := func(a, b *tracepb.Span) int { return bytes.Compare(a.SpanId, b.SpanId) }
		slices.SortFunc(want.Spans, bySpan)
		slices.SortFunc(got.Spans, bySpan)
		if diff := gocmp.Diff(want.Spans, got.Spans, protocmp.Transform()); diff != "" {
			t.Errorf("content %v: (-live +read)\n%s", o.Content, diff)
		}
		byRecord := func(a, b *logspb.LogRecord) int { return cmp.Compare(a.String(), b.String()) }
		slices.SortFunc(want.Logs, byRecord)
		slices.SortFunc(got.Logs, byRecord)
		if diff := gocmp.Diff(want.Logs, got.Logs, protocmp.Transform()); diff != "" {
			t.Errorf("content %v: logs (-live +read)\n%s", o.Content, diff)
		}
	}
}

func TestContent(t *testing.T) {
	hide := func(s string) string { return strings.ReplaceAll(s, "sk-secret", "[API key]") }
	without := spanText(t, described(otel.Options{Hide: hide}))
	for _, private := range []string{"How long", "2233", "sk-secret", "Find it", "equal", "status 500", "no such file"} {
		if strings.Contains(without, private) {
			t.Errorf("without content, %q is sent", private)
		}
	}
	with := spanText(t, described(otel.Options{Content: true, Hide: hide}))
	for _, wanted := range []string{"How long is the Anduin? My key is [API key].", "Let me look.", `{\"query\":\"Anduin\"}`, "2233 km", "It is 2233 km long.", "status 500"} {
		if !strings.Contains(with, wanted) {
			t.Errorf("with content, %q is missing", wanted)
		}
	}
	if strings.Contains(with, "sk-secret") {
		t.Error("a key is sent")
	}
}

func spanText(t *testing.T, s otel.Spans) string {
	t.Helper()
	traces, err := otel.Source{}.Traces(s.Spans).JSON()
	if err != nil {
		t.Fatal(err)
	}
	logs, err := otel.Source{}.Logs(s.Logs).JSON()
	if err != nil {
		t.Fatal(err)
	}
	return string(traces) + string(logs)
}

// The verdicts are log records for the spans that they judge.
func TestVerdicts(t *testing.T) {
	all := official(t, otel.Options{})
	query, got := named(t, all.Spans, "invoke_workflow three"), map[string]int{}
	for _, r := range all.Logs {
		if r.EventName != "gen_ai.evaluation.result" {
			t.Errorf("event %q", r.EventName)
		}
		for _, a := range r.Attributes {
			if a.Key != "gen_ai.evaluation.name" {
				continue
			}
			got[a.Value.GetStringValue()]++
			if a.Value.GetStringValue() == "correctness" && !bytes.Equal(r.SpanId, query.SpanId) {
				t.Error("the judge's verdict is not on the span of the query")
			}
		}
	}
	if want := map[string]int{"consensus": 2, "share right": 1, "trace": 4, "correctness": 1}; !gocmp.Equal(want, got) {
		t.Errorf("verdicts %v, want %v", got, want)
	}
}

// The JSON form has hexadecimal ids and numbers for enumerations, and leaves the message as it was.
func TestJSON(t *testing.T) {
	m := &tracepb.TracesData{}
	if err := proto.Unmarshal(otel.Source{Version: "1"}.Traces(described(otel.Options{}).Spans[:1]).Body, m); err != nil {
		t.Fatal(err)
	}
	before := proto.Clone(m)
	raw, err := otel.JSON(m)
	if err != nil {
		t.Fatal(err)
	}
	if !proto.Equal(before, m) {
		t.Error("the message was changed")
	}
	var read struct {
		ResourceSpans []struct {
			ScopeSpans []struct {
				SchemaURL string `json:"schemaUrl"`
				Spans     []struct {
					TraceID string `json:"traceId"`
					SpanID  string `json:"spanId"`
					Kind    int    `json:"kind"`
				}
			}
		}
	}
	if err := json.Unmarshal(raw, &read); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
	s := m.ResourceSpans[0].ScopeSpans[0].Spans[0]
	got := read.ResourceSpans[0].ScopeSpans[0].Spans[0]
	if got.TraceID != hex.EncodeToString(s.TraceId) || got.SpanID != hex.EncodeToString(s.SpanId) || got.Kind != int(s.Kind) {
		t.Errorf("%+v, want the ids of %v", got, s)
	}
}
