package otel

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/seed-5817661a/concur/internal/text"
)

// Source names the program in messages: the resource of OpenTelemetry.
type Source struct {
	Service string   // service.name; "" means concur
	Version string   // of concur
	More    []string // further attributes of the resource: names and values in turn
}

func (s Source) resource() *resourcepb.Resource {
	name := s.Service
	if name == "" {
		name = scope
	}
	out := []*attribute{textOf("service.name", name)}
	for i := 0; i+1 < len(s.More); i += 2 {
		out = append(out, textOf(valid(text.Clip(s.More[i], maxName)), s.More[i+1]))
	}
	return &resourcepb.Resource{Attributes: attributes(out...)}
}

const scope = "concur"

func (s Source) scope() *commonpb.InstrumentationScope {
	return &commonpb.InstrumentationScope{Name: scope, Version: s.Version}
}

// Traces returns spans as the message of a request; nil without spans.
func (s Source) Traces(spans []*tracepb.Span) *tracepb.TracesData {
	if len(spans) == 0 {
		return nil
	}
	of := &tracepb.ScopeSpans{Scope: s.scope(), SchemaUrl: SchemaURL, Spans: spans}
	return &tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{
		Resource: s.resource(), ScopeSpans: []*tracepb.ScopeSpans{of},
	}}}
}

// Logs returns log records as the message of a request; nil without records.
func (s Source) Logs(records []*logspb.LogRecord) *logspb.LogsData {
	if len(records) == 0 {
		return nil
	}
	of := &logspb.ScopeLogs{Scope: s.scope(), SchemaUrl: SchemaURL, LogRecords: records}
	return &logspb.LogsData{ResourceLogs: []*logspb.ResourceLogs{{
		Resource: s.resource(), ScopeLogs: []*logspb.ScopeLogs{of},
	}}}
}

// JSON returns a message in the JSON form of OTLP. It differs from the usual JSON form of protocol buffers: ids are
// hexadecimal, and enumerations are numbers (https://opentelemetry.io/docs/specs/otlp/, JSON Protobuf Encoding).
func JSON(m proto.Message) ([]byte, error) {
	m = proto.Clone(m)
	var wrong error
	eachID(m, func(id *[]byte) {
		// protojson writes bytes as base64. These bytes have the hexadecimal form of the id as their base64.
		raw, err := base64.StdEncoding.DecodeString(hex.EncodeToString(*id))
		*id, wrong = raw, errors.Join(wrong, err)
	})
	if wrong != nil {
		return nil, fmt.Errorf("encode OTLP as JSON: an id has a wrong length: %w", wrong)
	}
	raw, err := protojson.MarshalOptions{UseEnumNumbers: true}.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("encode OTLP as JSON: %w", err)
	}
	var compact bytes.Buffer // protojson puts blanks at random, so that nobody depends on its form
	if err := json.Compact(&compact, raw); err != nil {
		return nil, fmt.Errorf("encode OTLP as JSON: %w", err)
	}
	return compact.Bytes(), nil
}

// eachID calls change with each id in a message, except empty ones.
func eachID(m proto.Message, change func(*[]byte)) {
	ids := func(all ...*[]byte) {
		for _, id := range all {
			if len(*id) > 0 {
				change(id)
			}
		}
	}
	switch m := m.(type) {
	case *tracepb.TracesData:
		for _, of := range m.ResourceSpans {
			for _, in := range of.ScopeSpans {
				for _, s := range in.Spans {
					ids(&s.TraceId, &s.SpanId, &s.ParentSpanId)
					for _, l := range s.Links {
						ids(&l.TraceId, &l.SpanId)
					}
				}
			}
		}
	case *logspb.LogsData:
		for _, of := range m.ResourceLogs {
			for _, in := range of.ScopeLogs {
				for _, r := range in.LogRecords {
					ids(&r.TraceId, &r.SpanId)
				}
			}
		}
	}
}
