package otel

import (
	"math"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/seed-5817661a/concur/internal/text"
)

// The numbers of fields in the messages of OTLP (https://github.com/open-telemetry/opentelemetry-proto).
const (
	// KeyValue, AnyValue and ArrayValue
	keyField, valueField                                protowire.Number = 1, 2
	stringField, integerField, doubleField, valuesField protowire.Number = 1, 3, 4, 5
	elementsField                                       protowire.Number = 1

	// Span, Link and Status
	spanTrace, spanID, spanParent, spanName, spanKind protowire.Number = 1, 2, 4, 5, 6
	spanStart, spanEnd, spanAttributes                protowire.Number = 7, 8, 9
	spanLinks, spanStatus                             protowire.Number = 13, 15
	linkTrace, linkID                                 protowire.Number = 1, 2
	statusMessage, statusCode                         protowire.Number = 2, 3

	// LogRecord
	logTime, logSeverity, logAttributes, logTrace protowire.Number = 1, 2, 6, 9
	logSpan, logObserved, logEvent                protowire.Number = 10, 11, 12

	// TracesData and LogsData, ResourceSpans and ResourceLogs, ScopeSpans and ScopeLogs, which have equal numbers;
	// Resource and InstrumentationScope
	ofResource                                  protowire.Number = 1
	resourceField, inScope                      protowire.Number = 1, 2
	scopeField, itemField, schemaField          protowire.Number = 1, 2, 3
	resourceAttributes, scopeName, scopeVersion protowire.Number = 1, 1, 2
)

// writer writes a message in the form of protocol buffers. It takes the place of the official types, because spans are
// written while a run waits, and these types need an allocation for each attribute, and a pass over the message for its
// length. Like them, writer leaves out fields that are zero or empty.
type writer struct {
	raw        []byte
	attributes protowire.Number // the field of this message that has its attributes
}

// usual is room for a span without content.
const usual = 640

func newWriter(attributes protowire.Number) *writer {
	return &writer{raw: make([]byte, 0, usual), attributes: attributes}
}

func (w *writer) bytes(field protowire.Number, value []byte) {
	if len(value) > 0 {
		w.raw = protowire.AppendBytes(protowire.AppendTag(w.raw, field, protowire.BytesType), value)
	}
}

func (w *writer) string(field protowire.Number, value string) {
	if value != "" {
		w.raw = protowire.AppendString(protowire.AppendTag(w.raw, field, protowire.BytesType), value)
	}
}

func (w *writer) integer(field protowire.Number, value uint64) {
	if value != 0 {
		w.raw = protowire.AppendVarint(protowire.AppendTag(w.raw, field, protowire.VarintType), value)
	}
}

// time writes a time in nanoseconds since 1970.
func (w *writer) time(field protowire.Number, t time.Time) {
	if !t.IsZero() {
		w.raw = protowire.AppendTag(w.raw, field, protowire.Fixed64Type)
		w.raw = protowire.AppendFixed64(w.raw, uint64(t.UnixNano()))
	}
}

// id writes both ids of a place.
func (w *writer) id(traceField, spanField protowire.Number, at Place) {
	trace, span := at.TraceID(), at.SpanID()
	w.bytes(traceField, trace[:])
	w.bytes(spanField, span[:])
}

// message writes the beginning of a field with a message or a text of size bytes.
func (w *writer) message(field protowire.Number, size int) {
	w.raw = protowire.AppendVarint(protowire.AppendTag(w.raw, field, protowire.BytesType), uint64(size))
}

// sizeOf returns the size of a field with a text or a message of n bytes. All fields of which it is the size have
// numbers below 16.
func sizeOf(n int) int { return 1 + protowire.SizeBytes(n) }

// attribute writes an attribute, except for its value, which has size bytes.
func (w *writer) attribute(name string, size int) {
	w.message(w.attributes, sizeOf(len(name))+sizeOf(size))
	w.message(keyField, len(name))
	w.raw = append(w.raw, name...)
	w.message(valueField, size)
}

// text writes an attribute with a text, unless the text is empty.
func (w *writer) text(name, value string) {
	if value == "" {
		return
	}
	value = clean(value)
	w.attribute(name, sizeOf(len(value)))
	w.message(stringField, len(value))
	w.raw = append(w.raw, value...)
}

// number writes an attribute with an integer.
func (w *writer) number(name string, value int) {
	w.attribute(name, 1+protowire.SizeVarint(uint64(value)))
	w.raw = protowire.AppendVarint(protowire.AppendTag(w.raw, integerField, protowire.VarintType), uint64(value))
}

// decimal writes an attribute with a floating-point number.
func (w *writer) decimal(name string, value float64) {
	w.attribute(name, 1+protowire.SizeFixed64())
	w.raw = protowire.AppendTag(w.raw, doubleField, protowire.Fixed64Type)
	w.raw = protowire.AppendFixed64(w.raw, math.Float64bits(value))
}

// texts writes an attribute with a list of texts.
func (w *writer) texts(name string, values []string) {
	list := &writer{}
	for _, v := range values {
		v = clean(v)
		list.message(elementsField, sizeOf(len(v)))
		list.message(stringField, len(v))
		list.raw = append(list.raw, v...)
	}
	w.attribute(name, sizeOf(len(list.raw)))
	w.message(valuesField, len(list.raw))
	w.raw = append(w.raw, list.raw...)
}

// clean cuts a text, and makes it valid. Texts that are not content are short, except names that a model invents.
func clean(s string) string { return valid(text.Clip(s, maxContent)) }
