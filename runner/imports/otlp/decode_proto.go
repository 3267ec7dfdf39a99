package otlp

import (
	"bufio"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
)

// Numbers of fields: a request has resources, a resource has itself and scopes, a scope has itself and records.
const (
	resourcesField = 1
	selfField      = 1
	innerField     = 2
)

// maxMessage is the maximum size in bytes of a span, log record or resource. A larger one is an error.
const maxMessage = 64 << 20

// protoReader reads a message without holding it in memory.
type protoReader struct {
	in   *bufio.Reader
	take func(span, string)
	bad  func(error) // receives a record that cannot be read
}

var errCut = errors.New("it ends within a message")

// fields calls each with the fields of length-delimited form of the next size bytes; size below 0 reads to the end.
// each must read the field's bytes. Fields of other forms are skipped.
func (r *protoReader) fields(size int64, each func(field protowire.Number, size int64) error) error {
	for used := int64(0); size < 0 || used < size; {
		tag, n, err := r.varint()
		if err == io.EOF && size < 0 && n == 0 {
			return nil
		}
		used += n
		if err != nil {
			return errCut
		}
		field, form := protowire.DecodeTag(tag)
		switch {
		case field <= 0:
			return errors.New("it is not protobuf of OTLP")
		case form == protowire.BytesType:
			length, n, err := r.varint()
			if used += n + int64(length); err != nil {
				return errCut
			}
			if length > 1<<40 || size >= 0 && used > size {
				return errCut
			}
			if err := each(field, int64(length)); err != nil {
				return err
			}
		default:
			n, err := r.skipScalar(form)
			if used += n; err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *protoReader) skipScalar(form protowire.Type) (int64, error) {
	size := 0
	switch form {
	case protowire.VarintType:
		_, n, err := r.varint()
		if err != nil {
			err = errCut
		}
		return n, err
	case protowire.Fixed32Type:
		size = 4
	case protowire.Fixed64Type:
		size = 8
	default:
		return 0, errors.New("it is not protobuf of OTLP")
	}
	if n, err := r.in.Discard(size); err != nil {
		return int64(n), errCut
	}
	return int64(size), nil
}

// varint reads a number, and returns the number of bytes that it has.
func (r *protoReader) varint() (value uint64, n int64, err error) {
	for shift := 0; shift < 64; shift += 7 {
		b, err := r.in.ReadByte()
		if err != nil {
			return 0, n, err
		}
		n++
		value |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return value, n, nil
		}
	}
	return 0, n, errors.New("it is not protobuf of OTLP")
}

func (r *protoReader) bytes(size int64) ([]byte, error) {
	if size > maxMessage {
		return nil, fmt.Errorf("a message has more than %d MiB", maxMessage>>20)
	}
	out := make([]byte, 0, min(size, 1<<16)) // size may be a lie
	for int64(len(out)) < size {
		part := make([]byte, min(size-int64(len(out)), 1<<20))
		if _, err := io.ReadFull(r.in, part); err != nil {
			return nil, errCut
		}
		out = append(out, part...)
	}
	return out, nil
}

func (r *protoReader) skip(size int64) error {
	if _, err := io.CopyN(io.Discard, r.in, size); err != nil {
		return errCut
	}
	return nil
}

// request reads a request of size bytes; below 0 to the end.
func (r *protoReader) request(size int64) error {
	return r.fields(size, func(field protowire.Number, size int64) error {
		if field != resourcesField {
			return r.skip(size)
		}
		service := ""
		return r.fields(size, func(field protowire.Number, size int64) error {
			switch field {
			case selfField:
				raw, err := r.bytes(size)
				if err != nil {
					return err
				}
				var resource resourcepb.Resource
				if proto.Unmarshal(raw, &resource) == nil {
					service = serviceOf(resource.Attributes)
				}
				return nil
			case innerField:
				return r.fields(size, func(field protowire.Number, size int64) error {
					if field != innerField {
						return r.skip(size)
					}
					raw, err := r.bytes(size)
					if err == nil {
						r.record(raw, service)
					}
					return err
				})
			}
			return r.skip(size)
		})
	})
}

// record reads a span or a log record. The first field shows which: the id of a span's trace is bytes.
func (r *protoReader) record(raw []byte, service string) {
	field, form, n := protowire.ConsumeTag(raw)
	if n > 0 && field == 1 && form == protowire.BytesType {
		id, _ := protowire.ConsumeBytes(raw[n:])
		var s tracepb.Span
		if err := proto.Unmarshal(raw, &s); len(id) == 16 && err == nil {
			out, err := spanOf(&s)
			if err == nil {
				r.take(out, service)
				return
			}
			r.bad(err)
		} else if len(id) == 16 {
			r.bad(err)
		} else {
			r.bad(errNoSpan)
		}
		return
	}
	var record logspb.LogRecord
	if err := proto.Unmarshal(raw, &record); err != nil {
		r.bad(err)
		return
	}
	if out, kept := logOf(&record); kept {
		r.take(out, service)
	}
}

var errNoSpan = errors.New("it is neither a span with a trace's id nor a log record")

func serviceOf(attributes []*commonpb.KeyValue) string {
	for _, a := range attributes {
		if a.Key == serviceName {
			return a.Value.GetStringValue()
		}
	}
	return ""
}

const serviceName = "service.name"

func spanOf(s *tracepb.Span) (span, error) {
	out := span{start: s.StartTimeUnixNano, end: s.EndTimeUnixNano,
		server: s.Kind == tracepb.Span_SPAN_KIND_SERVER || s.Kind == tracepb.Span_SPAN_KIND_CONSUMER}
	if len(s.SpanId) != len(out.id) {
		return out, fmt.Errorf("the id of a span, %s, has not 8 bytes", hex.EncodeToString(s.SpanId[:min(len(s.SpanId), 20)]))
	}
	copy(out.traceID[:], s.TraceId)
	copy(out.id[:], s.SpanId)
	copy(out.parent[:], s.ParentSpanId)
	out.content = content{Name: s.Name, Failed: s.Status.GetCode() == tracepb.Status_STATUS_CODE_ERROR,
		Status: s.Status.GetMessage(), Attributes: attributesOf(s.Attributes)}
	for _, e := range s.Events {
		out.Events = append(out.Events, event{Name: e.Name, Attributes: attributesOf(e.Attributes)})
	}
	return out, nil
}

// logOf returns a log record that belongs to a span and has messages; kept is false for others.
func logOf(r *logspb.LogRecord) (out span, kept bool) {
	out = span{log: true, start: r.TimeUnixNano}
	if out.start == 0 {
		out.start = r.ObservedTimeUnixNano
	}
	out.content = content{Name: r.EventName, Attributes: attributesOf(r.Attributes), Body: valueOf(r.Body, 0)}
	if out.Name == "" {
		out.Name = out.text("event")
	}
	if !keptEvent(out.Name) || len(r.TraceId) != len(out.traceID) || len(r.SpanId) != len(out.id) {
		return out, false
	}
	copy(out.traceID[:], r.TraceId)
	copy(out.id[:], r.SpanId)
	return out, true
}

func attributesOf(list []*commonpb.KeyValue) map[string]any {
	out := make(map[string]any, len(list))
	for _, a := range list {
		out[a.Key] = valueOf(a.Value, 0)
	}
	return out
}

// valueOf converts a value; what is deeper than maxDepth is nil.
func valueOf(v *commonpb.AnyValue, depth int) any {
	if depth > maxDepth {
		return nil
	}
	switch v := v.GetValue().(type) {
	case *commonpb.AnyValue_StringValue:
		return v.StringValue
	case *commonpb.AnyValue_IntValue:
		return v.IntValue
	case *commonpb.AnyValue_DoubleValue:
		return v.DoubleValue
	case *commonpb.AnyValue_BoolValue:
		return v.BoolValue
	case *commonpb.AnyValue_BytesValue:
		return string(v.BytesValue)
	case *commonpb.AnyValue_ArrayValue:
		list := []any{}
		for _, item := range v.ArrayValue.GetValues() {
			list = append(list, valueOf(item, depth+1))
		}
		return list
	case *commonpb.AnyValue_KvlistValue:
		object := map[string]any{}
		for _, item := range v.KvlistValue.GetValues() {
			object[item.Key] = valueOf(item.Value, depth+1)
		}
		return object
	}
	return nil
}
