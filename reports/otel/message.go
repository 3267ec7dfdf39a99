package otel

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
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

// scope is the name of the program that describes the spans, and the name of its service unless the user gives one.
const scope = "concur"

// Message is the body of a request: opentelemetry.proto.trace.v1.TracesData or opentelemetry.proto.logs.v1.LogsData in
// the form of protocol buffers.
type Message struct {
	Logs bool   // the body has log records; otherwise it has spans
	Body []byte // empty if there is nothing to send
}

// Traces returns spans as the message of a request.
func (s Source) Traces(spans []Span) Message { return Message{Body: body(s, spans)} }

// Logs returns log records as the message of a request.
func (s Source) Logs(records []LogRecord) Message { return Message{Logs: true, Body: body(s, records)} }

// body returns a request, whose form is the same for spans and for log records; nil without any.
func body[T Span | LogRecord](s Source, items []T) []byte {
	if len(items) == 0 {
		return nil
	}
	program, resource := &writer{}, s.resource()
	program.string(scopeName, scope)
	program.string(scopeVersion, s.Version)
	inner := sizeOf(len(program.raw)) + sizeOf(len(SchemaURL))
	for _, item := range items {
		inner += sizeOf(len(item))
	}
	outer := sizeOf(len(resource)) + sizeOf(inner)
	w := &writer{raw: make([]byte, 0, sizeOf(outer))}
	w.message(ofResource, outer)
	w.bytes(resourceField, resource)
	w.message(inScope, inner)
	w.bytes(scopeField, program.raw)
	for _, item := range items {
		w.message(itemField, len(item))
		w.raw = append(w.raw, item...)
	}
	w.string(schemaField, SchemaURL)
	return w.raw
}

// resource returns the message with the attributes of the program.
func (s Source) resource() []byte {
	w := newWriter(resourceAttributes)
	w.text("service.name", cmp.Or(s.Service, scope))
	for i := 0; i+1 < len(s.More); i += 2 {
		w.text(valid(text.Clip(s.More[i], maxName)), s.More[i+1])
	}
	return w.raw
}

// JSON returns the message in the JSON form of OTLP.
func (m Message) JSON() ([]byte, error) {
	var of proto.Message = &tracepb.TracesData{}
	if m.Logs {
		of = &logspb.LogsData{}
	}
	if err := proto.Unmarshal(m.Body, of); err != nil {
		return nil, fmt.Errorf("encode OTLP as JSON: %w", err)
	}
	return encodeJSON(of)
}

// JSON returns a message in the JSON form of OTLP. It differs from the usual JSON form of protocol buffers: ids are
// hexadecimal, and enumerations are numbers (https://opentelemetry.io/docs/specs/otlp/, JSON Protobuf Encoding).
func JSON(m proto.Message) ([]byte, error) { return encodeJSON(proto.Clone(m)) }

// encodeJSON returns what JSON does, and changes the message.
func encodeJSON(m proto.Message) ([]byte, error) {
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
