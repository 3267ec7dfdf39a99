package oteltest

import (
	"fmt"
	"testing"

	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protopath"
	"google.golang.org/protobuf/reflect/protorange"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/seed-5817661a/concur/reports/otel"
)

// Messages are spans and log records in their official form.
type Messages struct {
	Spans []*tracepb.Span
	Logs  []*logspb.LogRecord
}

// Join adds other spans and log records.
func (m *Messages) Join(other Messages) {
	m.Spans, m.Logs = append(m.Spans, other.Spans...), append(m.Logs, other.Logs...)
}

// Decode reads spans and log records. The test fails if one of them is no message of its kind, has a field that the
// message does not have, or is longer than the official encoding.
func Decode(t testing.TB, s otel.Spans) (out Messages) {
	t.Helper()
	for _, raw := range s.Spans {
		out.Spans = append(out.Spans, &tracepb.Span{})
		decode(t, raw, out.Spans[len(out.Spans)-1])
	}
	for _, raw := range s.Logs {
		out.Logs = append(out.Logs, &logspb.LogRecord{})
		decode(t, raw, out.Logs[len(out.Logs)-1])
	}
	return out
}

func decode(t testing.TB, raw []byte, to proto.Message) {
	t.Helper()
	if err := parse(raw, to); err != nil {
		t.Fatal(err)
	}
	if n := proto.Size(to); n != len(raw) {
		t.Fatalf("%d bytes, the official encoding has %d: %v", len(raw), n, to)
	}
}

// Request reads the body of a request with spans, or with log records if logs is true. It is an error if the body is no
// such message, or has a field that the message does not have.
func Request(body []byte, logs bool) (out Messages, err error) {
	if logs {
		data := &logspb.LogsData{}
		err = parse(body, data)
		for _, of := range data.ResourceLogs {
			for _, in := range of.ScopeLogs {
				out.Logs = append(out.Logs, in.LogRecords...)
			}
		}
		return out, err
	}
	data := &tracepb.TracesData{}
	err = parse(body, data)
	for _, of := range data.ResourceSpans {
		for _, in := range of.ScopeSpans {
			out.Spans = append(out.Spans, in.Spans...)
		}
	}
	return out, err
}

// parse reads a message, and refuses fields that it does not have.
func parse(raw []byte, to proto.Message) error {
	if err := proto.Unmarshal(raw, to); err != nil {
		return err
	}
	return protorange.Range(to.ProtoReflect(), func(p protopath.Values) error {
		of, is := p.Index(-1).Value.Interface().(protoreflect.Message)
		if is && len(of.GetUnknown()) > 0 {
			return fmt.Errorf("%s has an unknown field: % x", of.Descriptor().FullName(), of.GetUnknown())
		}
		return nil
	})
}
